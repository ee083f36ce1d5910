import { NumberInput, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { DateField } from '../../ui/date-field.js';
import { serialsOf } from '../../ui/fields.js';
import { LineFrame, type RowState } from '../../ui/form-rows.js';
import { ProductPicker } from '../catalogue/pickers.js';
import type { DraftLine } from './receipt-draft.js';
import { receiptWords } from './receipt-words.js';

/** One line of a receipt. Scanned values are filled in and can be corrected. */
export function ReceiptLine({ row, at, change: changeRow, remove, error, text }: RowState<DraftLine>) {
  const words = useWords(receiptWords);
  const product = useResource('/v2/products/{id}', {
    path: { id: row.productCode ?? '' },
    enabled: row.productCode !== null,
  });
  const tracking = product.data?.tracking ?? row.tracking ?? 'batch';
  const change = (part: Partial<DraftLine>) => changeRow({ tracking, ...part });
  return (
    <LineFrame
      title={words.line(at + 1)}
      removeLabel={words.removeLine(at + 1)}
      onRemove={remove}
      subject={
        <ProductPicker
          required
          value={row.productCode}
          error={error('productCode')}
          onChange={(productCode) => change({ productCode, scans: [] })}
        />
      }
    >
      <SimpleGrid cols={{ base: 2, sm: 4 }} mt="xs" spacing="xs">
        {tracking !== 'none' && (
          <>
            <TextInput label={words.batch} {...CODE_INPUT} required maxLength={64} {...text('batchNo')} />
            <DateField label={words.expiry} {...text('expiryDate')} />
            <DateField label={words.manufactured} {...text('manufactureDate')} />
          </>
        )}
        <NumberInput
          label={words.quantity}
          required
          min={1}
          allowDecimal={false}
          value={row.quantity ?? ''}
          error={error('quantity')}
          onChange={(value) => change({ quantity: value === '' ? null : Number(value) })}
        />
      </SimpleGrid>
      {tracking === 'serial' && (
        <SerialNumbers
          text={row.serials}
          error={error('serials')}
          onChange={(serials) => change({ serials, quantity: serialsOf(serials).length || null })}
        />
      )}
      {row.scans.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {words.scannedCodes(row.scans.length)}
        </Text>
      )}
    </LineFrame>
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
