import { NumberInput, SegmentedControl, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useDraft } from '../../app/draft.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { DateTimeField } from '../../ui/date-field.js';
import { choiceField, numberField, switchField } from '../../ui/fields.js';
import { type FormState, useForm } from '../../ui/form.js';
import { RowList } from '../../ui/form-rows.js';
import { LinesForm } from '../../ui/lines-form.js';
import { Page, Panel } from '../../ui/page.js';
import type { ScanFeedback } from '../../ui/scan-box.js';
import { CustomerPicker, SupplierPicker, WarehousePicker } from '../catalogue/pickers.js';
import { useScanReader } from '../catalogue/scanned-goods.js';
import { addScan, bodyOf, emptyLine, type ReceiptDraft } from './receipt-draft.js';
import { ReceiptLine } from './receipt-line.js';
import { receiptWords } from './receipt-words.js';

const EMPTY: ReceiptDraft = {
  receiptNo: '',
  kind: 'purchase',
  supplierCode: null,
  customerCode: null,
  warehouse: null,
  remark: '',
  purchaseOrderNo: '',
  arrivedAt: '',
  transportTemperature: null,
  sampled: false,
  lines: [],
};

export default function NewReceipt() {
  const words = useWords(receiptWords);
  const navigate = useNavigate();
  const read = useScanReader();
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null);
  const draft = useDraft({ document: 'receipt', initial: () => EMPTY });
  const state = useForm({
    initial: draft.value,
    draft,
    run: (values: ReceiptDraft) => api.post('/v2/receipts', { body: bodyOf(values) }),
    done: (receipt) => words.created(receipt.receiptNo),
    onDone({ receiptId }) {
      draft.finish();
      navigate({ to: '/receipts/$receiptId', params: { receiptId } });
    },
  });
  const { form } = state;
  const onCode = async (code: string) => {
    const reading = await read(code);
    if (!reading.ok) return setFeedback(reading);
    const { goods } = reading;
    const result = addScan(form.read().lines, goods);
    if (result.ok) {
      form.set({ lines: result.lines });
      const { productName, batchNo, quantity } = result.line;
      setFeedback({ ok: true, text: words.counted(productName, batchNo, quantity ?? 0) });
    } else {
      const text = result.problem === 'twice' ? words.twice(goods.serialNo ?? '') : words.packageOfUnits;
      setFeedback({ ok: false, text });
    }
  };
  return (
    <Page title={words.newReceipt} above={{ to: '/receipts', name: words.receipts }}>
      <LinesForm
        state={state}
        draft={draft}
        head={() => <Head form={form} />}
        linesTitle={words.lines}
        scan={{ onCode, feedback }}
        submitLabel={words.create}
      >
        {() => (
          <RowList
            form={form}
            name="lines"
            addLabel={words.addLine}
            newRow={emptyLine}
            emptyText={words.noLines}
          >
            {(line) => <ReceiptLine {...line} />}
          </RowList>
        )}
      </LinesForm>
    </Page>
  );
}

function Head({ form }: { form: FormState<ReceiptDraft> }) {
  const words = useWords(receiptWords);
  const isPurchase = form.values.kind === 'purchase';
  return (
    <Panel title={words.head}>
      <Stack>
        <SegmentedControl
          aria-label={words.kind}
          value={form.values.kind}
          onChange={(kind) => form.set({ kind: kind as ReceiptDraft['kind'] })}
          data={(['purchase', 'return'] as const).map((value) => ({ value, label: words.kinds[value] }))}
          style={{ alignSelf: 'flex-start' }}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
          <TextInput
            label={words.receiptNo}
            {...CODE_INPUT}
            required
            maxLength={64}
            {...form.text('receiptNo')}
          />
          {isPurchase ? (
            <SupplierPicker required {...choiceField(form, 'supplierCode')} />
          ) : (
            <CustomerPicker required {...choiceField(form, 'customerCode')} />
          )}
          <WarehousePicker required {...choiceField(form, 'warehouse')} />
          <TextInput label={words.purchaseOrderNo} maxLength={64} {...form.text('purchaseOrderNo')} />
          <DateTimeField label={words.arrivedAt} {...form.text('arrivedAt')} />
          <NumberInput
            label={words.transportTemperature}
            suffix=" °C"
            placeholder="°C"
            min={-200}
            max={200}
            {...numberField(form, 'transportTemperature')}
          />
          <TextInput label={words.remark} maxLength={2000} {...form.text('remark')} />
          <Switch label={words.sampled} {...switchField(form, 'sampled')} />
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}
