import { Button, type ButtonProps, List, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { OctagonPause } from 'lucide-react';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceField } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { holdBatchesWords } from './hold-batches-words.js';
import { operationWords } from './operation-words.js';

export interface BatchesHold {
  category: 'logistics' | 'quality';
  reason: string;
}

interface Batch {
  productCode: string;
  productName: string;
  batchNo: string;
}

/** Puts several batches on hold: the single window for this, wherever the batches were selected. */
export function HoldBatchesButton<R>({
  batches,
  where,
  because,
  run,
  done,
  onDone,
  ...looks
}: {
  batches: readonly Batch[];
  /** The name of the warehouse. */
  where: string;
  /** For goods held because of an excursion: sets the category, and suggests a reason that can be changed. */
  because?: string;
  run: (hold: BatchesHold) => Promise<R>;
  done: string | ((result: R) => string);
  onDone?: (result: R) => void;
} & Pick<ButtonProps, 'size' | 'disabled'>) {
  const words = useWords(holdBatchesWords);
  const common = useWords(commonWords);
  const operation = useWords(operationWords);
  const mayHoldForQuality = useMay()('quality:write');
  const [opened, { open, close }] = useDisclosure();
  const initial: BatchesHold = {
    category: mayHoldForQuality ? 'quality' : 'logistics',
    reason: because ?? '',
  };
  return (
    <>
      <Button variant="default" leftSection={<OctagonPause size={16} />} onClick={open} {...looks}>
        {words.hold}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.hold}
        submitLabel={words.hold}
        initial={initial}
        run={({ category, reason }) => run({ category, reason: reason.trim() })}
        done={done}
        onDone={onDone}
      >
        {(form) => (
          <Stack>
            <Text size="sm">{words.question(batches.length, where)}</Text>
            <BatchList batches={batches} />
            {because === undefined && mayHoldForQuality ? (
              <Select
                label={operation.category}
                description={operation.categoryHint}
                data={(['quality', 'logistics'] as const).map((value) => ({
                  value,
                  label: operation.categories[value],
                }))}
                allowDeselect={false}
                {...choiceField(form, 'category')}
              />
            ) : (
              <TextInput
                label={operation.category}
                readOnly
                variant="filled"
                value={operation.categories[because === undefined ? 'logistics' : 'environment']}
              />
            )}
            <Textarea
              label={common.reason}
              required
              autosize
              minRows={2}
              maxLength={500}
              {...form.text('reason')}
            />
          </Stack>
        )}
      </FormWindow>
    </>
  );
}

const BatchList = ({ batches }: { batches: readonly Batch[] }) => (
  // Focusable, so that the keyboard can scroll a long list.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls
  <div style={{ maxHeight: 160, overflowY: 'auto' }} tabIndex={0}>
    <List size="sm">
      {batches.map(({ productCode, productName, batchNo }) => (
        <List.Item key={JSON.stringify([productCode, batchNo])}>
          {[productName, batchNo].filter(Boolean).join(' · ')}
        </List.Item>
      ))}
    </List>
  </div>
);
