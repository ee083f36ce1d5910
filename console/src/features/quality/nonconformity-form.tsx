import type { Data } from '@lotward/client';
import { Autocomplete, NumberInput, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { api, useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceField, numberField, serialsOf } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { useProductStock } from '../stock/inventory-record.js';
import { registerWords } from './register-words.js';

interface Draft {
  productCode: string | null;
  batchNo: string;
  warehouse: string | null;
  quantity: number | null;
  serials: string;
  reason: string;
}
const EMPTY: Draft = {
  productCode: null,
  batchNo: '',
  warehouse: null,
  quantity: null,
  serials: '',
  reason: '',
};

const bodyOf = (draft: Draft) => {
  const serials = serialsOf(draft.serials);
  return {
    productCode: draft.productCode ?? '',
    batchNo: draft.batchNo.trim(),
    warehouse: draft.warehouse ?? '',
    reason: draft.reason.trim(),
    ...(serials.length > 0 ? { serials, quantity: serials.length } : { quantity: draft.quantity ?? 0 }),
  };
};

/** Registers goods in stock that do not conform. */
export function NonconformityForm({
  onDone,
  ...window
}: {
  opened: boolean;
  onClose: () => void;
  onDone: (entry: Data<'/v2/quality/nonconformities', 'post'>) => void;
}) {
  const words = useWords(registerWords);
  return (
    <FormWindow
      {...window}
      title={words.enter}
      submitLabel={words.enter}
      draft="nonconformity"
      initial={EMPTY}
      run={(draft) => api.post('/v2/quality/nonconformities', { body: bodyOf(draft) })}
      done={words.entered}
      onDone={onDone}
    >
      {(form) => <Fields form={form} />}
    </FormWindow>
  );
}

function Fields({ form }: { form: FormState<Draft> }) {
  const words = useWords(registerWords);
  const common = useWords(commonWords);
  const may = useMay();
  const { productCode, warehouse } = form.values;
  const isChosen = productCode !== null;
  const product = useResource('/v2/products/{id}', { path: { id: productCode ?? '' }, enabled: isChosen });
  const stock = useProductStock(productCode ?? '', warehouse ?? undefined, isChosen && may('inventory:read'));
  const tracking = product.data?.tracking ?? 'batch';
  const { value, onChange, error } = form.text('batchNo');
  return (
    <Stack>
      <Text size="sm">{words.enterHint}</Text>
      <ProductPicker
        required
        {...choiceField(form, 'productCode')}
        onChange={(chosen) => form.set({ productCode: chosen, batchNo: '', quantity: null, serials: '' })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <WarehousePicker required {...choiceField(form, 'warehouse')} />
        {tracking !== 'none' && (
          <Autocomplete
            label={words.batch}
            {...CODE_INPUT}
            required
            maxLength={64}
            data={stock.data?.batches.map(({ batchNo }) => batchNo) ?? []}
            value={value}
            error={error}
            onChange={(text) => onChange({ currentTarget: { value: text } })}
          />
        )}
        {tracking !== 'serial' && (
          <NumberInput
            label={words.quantity}
            required
            min={1}
            allowDecimal={false}
            {...numberField(form, 'quantity')}
          />
        )}
      </SimpleGrid>
      {tracking === 'serial' && (
        <Textarea
          label={words.serials}
          {...CODE_INPUT}
          description={words.serialsHint}
          required
          autosize
          minRows={2}
          maxRows={8}
          {...form.text('serials')}
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
  );
}
