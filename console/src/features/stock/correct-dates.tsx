import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CalendarCog } from 'lucide-react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { FormWindow } from '../../ui/form.js';
import { operationWords } from './operation-words.js';

interface Draft {
  expiryDate: string;
  manufactureDate: string;
  reason: string;
}

/** Corrects the dates of a batch; names the customers who received it under the old ones. */
export function CorrectDatesButton(props: {
  productCode: string;
  batchNo: string;
  /** The current date of the batch; undefined if none is in stock. */
  expiryDate: string | null | undefined;
}) {
  const { productCode, batchNo } = props;
  const words = useWords(operationWords);
  const common = useWords(commonWords);
  const [opened, { open, close }] = useDisclosure();
  const initial: Draft = { expiryDate: props.expiryDate ?? '', manufactureDate: '', reason: '' };
  const run = ({ expiryDate, manufactureDate, reason }: Draft) =>
    api.post('/v2/stock/batches/{productCode}/{batchNo}/corrections', {
      path: { productCode, batchNo },
      body: {
        ...(expiryDate === initial.expiryDate ? {} : { expiryDate: expiryDate || null }),
        ...(manufactureDate === '' ? {} : { manufactureDate }),
        reason: reason.trim(),
      },
    });
  return (
    <>
      <Button variant="default" leftSection={<CalendarCog size={16} />} onClick={open}>
        {words.correct}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.correct}
        draft={`batch-dates:${productCode}/${batchNo}`}
        submitLabel={words.correct}
        initial={initial}
        run={run}
        done={({ customers }) =>
          customers.length === 0
            ? words.corrected
            : words.correctedFor(customers.map(({ name, quantity }) => `${name} (${quantity})`).join(', '))
        }
      >
        {(form) => (
          <Stack>
            <Text size="sm">{words.correctHint}</Text>
            <TextInput
              type="date"
              label={words.newBatchExpiry}
              description={words.correctExpiryHint}
              {...form.text('expiryDate')}
            />
            <TextInput
              type="date"
              label={words.manufactured}
              description={words.correctManufactureHint}
              {...form.text('manufactureDate')}
            />
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
