import {
  ActionIcon,
  Box,
  Group,
  NumberInput,
  Paper,
  SimpleGrid,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { serialsOf } from '../../ui/fields.js';
import type { FormState } from '../../ui/form.js';
import { ProductPicker } from '../catalogue/pickers.js';
import type { DraftLine, ReceiptDraft } from './receipt-draft.js';
import { receiptWords } from './receipt-words.js';

/** One line of what arrived. What was scanned is filled in, and can be corrected. */
export function ReceiptLine({
  form,
  line,
  at,
}: {
  form: FormState<ReceiptDraft>;
  line: DraftLine;
  at: number;
}) {
  const words = useWords(receiptWords);
  const product = useResource('/v2/products/{id}', {
    path: { id: line.productCode ?? '' },
    enabled: line.productCode !== null,
  });
  const tracking = product.data?.tracking ?? line.tracking ?? 'batch';
  const change = (part: Partial<DraftLine>) =>
    form.set({
      lines: form.values.lines.map((each, i) => (i === at ? { ...each, tracking, ...part } : each)),
    });
  const path = `/lines/${at}`;
  const text = (name: 'batchNo' | 'expiryDate' | 'manufactureDate') => ({
    value: line[name],
    error: form.error(`${path}/${name}`),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  return (
    <Paper withBorder p="sm" component="fieldset" m={0}>
      <Text component="legend" size="sm" fw={600} px={4}>
        {words.line(at + 1)}
      </Text>
      <Group align="flex-start" wrap="nowrap" gap="xs">
        <Box style={{ flex: 1, minWidth: 0 }}>
          <ProductPicker
            required
            value={line.productCode}
            error={form.error(`${path}/productCode`)}
            onChange={(productCode) => change({ productCode, scans: [] })}
          />
        </Box>
        <RemoveLine
          label={words.removeLine(at + 1)}
          onClick={() => form.set({ lines: form.values.lines.filter((_, i) => i !== at) })}
        />
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 4 }} mt="xs" spacing="xs">
        {tracking !== 'none' && (
          <>
            <TextInput label={words.batch} {...CODE_INPUT} required maxLength={64} {...text('batchNo')} />
            <TextInput label={words.expiry} type="date" {...text('expiryDate')} />
            <TextInput label={words.manufactured} type="date" {...text('manufactureDate')} />
          </>
        )}
        <NumberInput
          label={words.quantity}
          required
          min={1}
          allowDecimal={false}
          value={line.quantity ?? ''}
          error={form.error(`${path}/quantity`)}
          onChange={(value) => change({ quantity: value === '' ? null : Number(value) })}
        />
      </SimpleGrid>
      {tracking === 'serial' && (
        <SerialNumbers
          text={line.serials}
          error={form.error(`${path}/serials`)}
          onChange={(serials) => change({ serials, quantity: serialsOf(serials).length || null })}
        />
      )}
      {line.scans.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {words.scannedCodes(line.scans.length)}
        </Text>
      )}
    </Paper>
  );
}

function SerialNumbers(props: { text: string; error: string | undefined; onChange: (text: string) => void }) {
  const words = useWords(receiptWords);
  return (
    <Textarea
      mt="xs"
      label={words.serials}
      {...CODE_INPUT}
      description={words.serialsHint}
      autosize
      minRows={2}
      maxRows={8}
      value={props.text}
      error={props.error}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

const RemoveLine = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="red" size="lg" mt={25} aria-label={label} onClick={onClick}>
    <Trash2 size={18} />
  </ActionIcon>
);
