import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { LineFrame, type RowState } from '../../ui/form-rows.js';
import { ProductPicker } from '../catalogue/pickers.js';
import type { OrderDraftLine } from './order-draft.js';
import { orderWords } from './order-words.js';

export function OrderLine({ row, at, change, remove, error, text }: RowState<OrderDraftLine>) {
  const words = useWords(orderWords);
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
          onChange={(productCode) => change({ productCode })}
        />
      }
    >
      <SimpleGrid cols={{ base: 2, sm: 4 }} mt="xs" spacing="xs" style={{ alignItems: 'end' }}>
        <NumberInput
          label={words.quantity}
          required
          min={1}
          allowDecimal={false}
          value={row.quantity ?? ''}
          error={error('quantity')}
          onChange={(value) => change({ quantity: value === '' ? null : Number(value) })}
        />
        <TextInput
          label={words.unitPrice}
          required
          inputMode="decimal"
          pattern="\d+(\.\d+)?"
          placeholder="0.00"
          {...text('unitPrice')}
        />
        <TextInput label={words.batchWanted} {...CODE_INPUT} maxLength={64} {...text('batchNo')} />
        <NumberInput
          label={words.minShelfLife}
          min={0}
          allowDecimal={false}
          value={row.minDays ?? ''}
          error={error('minRemainingShelfLifeDays')}
          onChange={(value) => change({ minDays: value === '' ? null : Number(value) })}
        />
      </SimpleGrid>
    </LineFrame>
  );
}
