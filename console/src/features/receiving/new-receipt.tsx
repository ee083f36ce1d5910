import {
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { type Draft, useDraft } from '../../app/draft.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { DraftNotice } from '../../ui/draft-notice.js';
import { choiceField, numberField, switchField } from '../../ui/fields.js';
import { type FormState, useForm } from '../../ui/form.js';
import { Page, Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { ScanBox, type ScanFeedback } from '../../ui/scan-box.js';
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
  const draft = useDraft({ document: 'receipt', initial: () => EMPTY });
  const { form, action, submit } = useForm({
    initial: EMPTY,
    draft,
    run: (values: ReceiptDraft) => api.post('/v2/receipts', { body: bodyOf(values) }),
    done: (receipt) => words.entered(receipt.receiptNo),
    onDone(receipt) {
      draft.finish();
      navigate({ to: `/receipts/${receipt.receiptId}` });
    },
  });
  return (
    <Page title={words.newReceipt} above={{ to: '/receipts', name: words.receipts }}>
      <form onSubmit={submit}>
        <Stack>
          <DraftNotice draft={draft} />
          <Head form={form} />
          <Panel title={words.lines}>
            <Stack>
              <Scanning draft={draft} />
              {form.values.lines.length === 0 && (
                <Text size="sm" c="dimmed">
                  {words.noLines}
                </Text>
              )}
              {form.values.lines.map((line, at) => (
                <ReceiptLine key={line.key} form={form} line={line} at={at} />
              ))}
              <Group>
                <Button
                  variant="default"
                  leftSection={<Plus size={16} />}
                  onClick={() => form.set({ lines: [...form.values.lines, emptyLine()] })}
                >
                  {words.addLine}
                </Button>
              </Group>
            </Stack>
          </Panel>
          {action.isError && <Problem error={action.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={action.isPending} disabled={form.values.lines.length === 0}>
              {words.enter}
            </Button>
          </Group>
        </Stack>
      </form>
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
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
          <TextInput label={words.arrivedAt} type="datetime-local" {...form.text('arrivedAt')} />
          <NumberInput
            label={words.transportTemperature}
            suffix=" °C"
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

function Scanning({ draft }: { draft: Draft<ReceiptDraft> }) {
  const words = useWords(receiptWords);
  const read = useScanReader();
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null);
  const take = async (code: string) => {
    const reading = await read(code);
    if (!reading.ok) return setFeedback(reading);
    const { goods } = reading;
    const result = addScan(draft.read().lines, goods);
    if (result.ok) {
      draft.set((before) => ({ ...before, lines: result.lines }));
      const { productName, batchNo, quantity } = result.line;
      setFeedback({ ok: true, text: words.counted(productName, batchNo, quantity ?? 0) });
    } else {
      const text = result.problem === 'twice' ? words.twice(goods.serialNo ?? '') : words.packageOfPieces;
      setFeedback({ ok: false, text });
    }
  };
  return <ScanBox onCode={take} feedback={feedback} />;
}
