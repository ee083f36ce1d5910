import { NumberInput, Textarea } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import type { numberField } from '../../ui/fields.js';
import type { FormState } from '../../ui/form.js';
import { operationWords } from './operation-words.js';

type TextField = ReturnType<FormState<object>['text']>;

/** How many units an operation is about. */
export function QuantityInput(field: ReturnType<typeof numberField>) {
  const words = useWords(operationWords);
  return <NumberInput label={words.quantity} required min={1} allowDecimal={false} {...field} />;
}

/** Which serialized units it is about. */
export function SerialsInput(field: TextField) {
  const words = useWords(operationWords);
  return (
    <Textarea
      label={words.serials}
      {...CODE_INPUT}
      description={words.serialsHint}
      autosize
      minRows={2}
      maxRows={8}
      required
      {...field}
    />
  );
}

export function ReasonInput(field: TextField & { required?: boolean }) {
  const common = useWords(commonWords);
  return <Textarea label={common.reason} autosize minRows={2} maxLength={500} {...field} />;
}
