import { Paper, Portal, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { dictionary, useWords } from '../app/language.js';

const fieldWords = dictionary(
  {
    missing: 'Fill in this field.',
    unchecked: 'Choose one of the options.',
    email: 'Enter an e-mail address such as name@example.com.',
    format: 'The format is incorrect.',
    tooShort: (least: string) => `Enter at least ${least} characters.`,
    tooLong: (most: string) => `Enter at most ${most} characters.`,
    tooLow: (least: string) => `Enter ${least} or more.`,
    tooHigh: (most: string) => `Enter ${most} or less.`,
    wrong: 'Check this entry.',
  },
  {
    missing: '请填写此项。',
    unchecked: '请选择其中一项。',
    email: '请输入邮箱地址，如 name@example.com。',
    format: '格式不正确。',
    tooShort: (least: string) => `请至少输入 ${least} 个字符。`,
    tooLong: (most: string) => `最多输入 ${most} 个字符。`,
    tooLow: (least: string) => `请输入不小于 ${least} 的值。`,
    tooHigh: (most: string) => `请输入不大于 ${most} 的值。`,
    wrong: '请检查此项。',
  },
);

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLElement && 'validity' in target;

/** Shows validation messages in the language of the console instead of the browser's own. */
function useExplainEntry(): (field: Field) => string {
  const words = useWords(fieldWords);
  return (field) => {
    const { validity } = field;
    const of = (name: string) => field.getAttribute(name) ?? '';
    if (validity.customError) return field.validationMessage;
    if (validity.valueMissing)
      return ['radio', 'checkbox'].includes(field.type) ? words.unchecked : words.missing;
    if (validity.typeMismatch && field.type === 'email') return words.email;
    if (validity.tooShort) return words.tooShort(of('minlength'));
    if (validity.tooLong) return words.tooLong(of('maxlength'));
    if (validity.rangeUnderflow) return words.tooLow(of('min'));
    if (validity.rangeOverflow) return words.tooHigh(of('max'));
    return validity.patternMismatch ? words.format : words.wrong;
  };
}

/** Shown below the first invalid field of a form, in place of the browser's message. */
export function FieldMessages() {
  const explain = useExplainEntry();
  const [shown, setShown] = useState<{ field: Field; text: string } | null>(null);
  const isReported = useRef(false);
  useEffect(() => {
    const onInvalid = (event: Event) => {
      event.preventDefault();
      if (isReported.current || !isField(event.target)) return;
      // The browser reports all fields of a form together, in order; the first is enough.
      isReported.current = true;
      setTimeout(() => {
        isReported.current = false;
      });
      const field = event.target;
      field.focus();
      field.scrollIntoView({ block: 'nearest' });
      field.setAttribute('aria-invalid', 'true');
      setShown({ field, text: explain(field) });
    };
    document.addEventListener('invalid', onInvalid, true);
    return () => document.removeEventListener('invalid', onInvalid, true);
  }, [explain]);
  useEffect(() => {
    if (!shown) return undefined;
    const ended = new AbortController();
    const hide = () => setShown(null);
    const options = { signal: ended.signal, capture: true };
    for (const type of ['input', 'blur']) shown.field.addEventListener(type, hide, options);
    for (const type of ['scroll', 'resize']) window.addEventListener(type, hide, options);
    return () => {
      ended.abort();
      shown.field.removeAttribute('aria-invalid');
    };
  }, [shown]);
  if (!shown) return null;
  const { bottom, left } = shown.field.getBoundingClientRect();
  return (
    <Portal>
      <Paper
        role="alert"
        className="field-message"
        withBorder
        shadow="md"
        px="sm"
        py={6}
        style={{ top: bottom + 4, left }}
      >
        <Text size="sm">{shown.text}</Text>
      </Paper>
    </Portal>
  );
}
