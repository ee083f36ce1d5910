import { CURRENCIES } from '@lotward/client';
import {
  ActionIcon,
  Box,
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '../../app/api.js';
import { type Draft, useDraft } from '../../app/draft.js';
import { useLanguage, useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { DraftNotice } from '../../ui/draft-notice.js';
import { choiceField } from '../../ui/fields.js';
import { type FormState, useForm } from '../../ui/form.js';
import { Page, Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { ScanBox, type ScanFeedback } from '../../ui/scan-box.js';
import { CustomerPicker, ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { useScanReader } from '../catalogue/scanned-goods.js';
import {
  addScan,
  bodyOf,
  emptyLine,
  emptyOrder,
  type OrderDraft,
  type OrderDraftLine,
} from './order-draft.js';
import { orderWords } from './order-words.js';

/** Offered first: what orders are mostly in. */
const USUAL_CURRENCIES = ['CNY', 'EUR', 'USD', 'GBP', 'JPY', 'HKD', 'CHF'];

export default function NewOrder() {
  const words = useWords(orderWords);
  const navigate = useNavigate();
  const draft = useDraft({ document: 'order', initial: emptyOrder });
  const { form, action, submit } = useForm({
    initial: draft.value,
    draft,
    run: (values: OrderDraft) => api.post('/v2/orders', { body: bodyOf(values) }),
    done: (order) => words.enteredDone(order.orderNo),
    onDone(order) {
      draft.finish();
      navigate({ to: `/orders/${order.orderId}` });
    },
  });
  return (
    <Page title={words.newOrder} above={{ to: '/orders', name: words.orders }}>
      <form onSubmit={submit}>
        <Stack>
          <DraftNotice draft={draft} />
          <Head form={form} />
          <Panel title={words.lines}>
            <Stack>
              <Scanning draft={draft} />
              {form.values.lines.map((line, at) => (
                <OrderLine key={line.key} form={form} line={line} at={at} />
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

/** A scanned article is ordered once more. Which batch it is from does not matter: the earliest to expire is reserved. */
function Scanning({ draft }: { draft: Draft<OrderDraft> }) {
  const words = useWords(orderWords);
  const read = useScanReader();
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null);
  const take = async (code: string) => {
    const reading = await read(code);
    if (!reading.ok) return setFeedback(reading);
    const { lines, line } = addScan(draft.read().lines, reading.goods);
    draft.set((before) => ({ ...before, lines }));
    setFeedback({ ok: true, text: words.counted(reading.goods.productName, line.quantity ?? 0) });
  };
  return <ScanBox onCode={take} feedback={feedback} />;
}

function Head({ form }: { form: FormState<OrderDraft> }) {
  const words = useWords(orderWords);
  return (
    <Panel title={words.facts}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={words.orderNo} {...CODE_INPUT} required maxLength={64} {...form.text('orderNo')} />
        <CustomerPicker required {...choiceField(form, 'customerCode')} />
        <WarehousePicker required {...choiceField(form, 'warehouse')} />
        <Select
          label={words.currency}
          required
          data={useCurrencies()}
          searchable
          allowDeselect={false}
          {...choiceField(form, 'currency')}
        />
        <TextInput label={words.requestedDate} type="date" {...form.text('requestedDate')} />
        <TextInput label={words.remark} maxLength={2000} {...form.text('remark')} />
      </SimpleGrid>
    </Panel>
  );
}

/** Every currency by its code and its name in the language of the page. */
function useCurrencies(): { value: string; label: string }[] {
  const { language } = useLanguage();
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'currency', fallback: 'none' });
    const codes = new Set([...USUAL_CURRENCIES, ...CURRENCIES]);
    return [...codes].map((value) => ({
      value,
      label: [value, names.of(value)].filter(Boolean).join(' · '),
    }));
  }, [language]);
}

function OrderLine({ form, line, at }: { form: FormState<OrderDraft>; line: OrderDraftLine; at: number }) {
  const words = useWords(orderWords);
  const change = (part: Partial<OrderDraftLine>) =>
    form.set({ lines: form.values.lines.map((each, i) => (i === at ? { ...each, ...part } : each)) });
  const path = `/lines/${at}`;
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
            onChange={(productCode) => change({ productCode })}
          />
        </Box>
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          mt={25}
          aria-label={words.removeLine(at + 1)}
          onClick={() => form.set({ lines: form.values.lines.filter((_, i) => i !== at) })}
        >
          <Trash2 size={18} />
        </ActionIcon>
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 4 }} mt="xs" spacing="xs" style={{ alignItems: 'end' }}>
        <NumberInput
          label={words.quantity}
          required
          min={1}
          allowDecimal={false}
          value={line.quantity ?? ''}
          error={form.error(`${path}/quantity`)}
          onChange={(value) => change({ quantity: value === '' ? null : Number(value) })}
        />
        <TextInput
          label={words.unitPrice}
          required
          inputMode="decimal"
          pattern="\d+(\.\d+)?"
          placeholder="0.00"
          value={line.unitPrice}
          error={form.error(`${path}/unitPrice`)}
          onChange={(event) => change({ unitPrice: event.currentTarget.value })}
        />
        <TextInput
          label={words.batchWanted}
          {...CODE_INPUT}
          maxLength={64}
          value={line.batchNo}
          error={form.error(`${path}/batchNo`)}
          onChange={(event) => change({ batchNo: event.currentTarget.value })}
        />
        <NumberInput
          label={words.minShelfLife}
          min={0}
          allowDecimal={false}
          value={line.minDays ?? ''}
          error={form.error(`${path}/minRemainingShelfLifeDays`)}
          onChange={(value) => change({ minDays: value === '' ? null : Number(value) })}
        />
      </SimpleGrid>
    </Paper>
  );
}
