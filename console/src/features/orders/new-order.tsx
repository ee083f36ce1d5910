import { CURRENCIES } from '@lotward/client';
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, useList } from '../../app/api.js';
import { useDraft } from '../../app/draft.js';
import { useLanguage, useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { DateField } from '../../ui/date-field.js';
import { choiceField } from '../../ui/fields.js';
import { type FormState, useForm } from '../../ui/form.js';
import { RowList } from '../../ui/form-rows.js';
import { LinesForm } from '../../ui/lines-form.js';
import { Page, Panel } from '../../ui/page.js';
import type { ScanFeedback } from '../../ui/scan-box.js';
import { CustomerPicker, WarehousePicker } from '../catalogue/pickers.js';
import { useScanReader } from '../catalogue/scanned-goods.js';
import { addScan, bodyOf, emptyLine, emptyOrder, type OrderDraft } from './order-draft.js';
import { OrderLine } from './order-line.js';
import { orderWords } from './order-words.js';

/** Listed first: the currencies of most orders. */
const USUAL_CURRENCIES = ['CNY', 'EUR', 'USD', 'GBP', 'JPY', 'HKD', 'CHF'];

export default function NewOrder() {
  const words = useWords(orderWords);
  const navigate = useNavigate();
  const read = useScanReader();
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null);
  const draft = useDraft({ document: 'order', initial: emptyOrder });
  const usualCurrency = useUsualCurrency();
  const state = useForm({
    initial: draft.value,
    draft,
    run: (values: OrderDraft) => api.post('/v2/orders', { body: bodyOf(values, usualCurrency) }),
    done: (order) => words.createdDone(order.orderNo),
    onDone({ orderId }) {
      draft.finish();
      navigate({ to: '/orders/$orderId', params: { orderId } });
    },
  });
  const { form } = state;
  // The batch of a scanned item is ignored, because the earliest expiry is reserved.
  const onCode = async (code: string) => {
    const reading = await read(code);
    if (!reading.ok) return setFeedback(reading);
    const { lines, line } = addScan(form.read().lines, reading.goods);
    form.set({ lines });
    setFeedback({ ok: true, text: words.counted(reading.goods.productName, line.quantity ?? 0) });
  };
  return (
    <Page title={words.newOrder} above={{ to: '/orders', name: words.orders }}>
      <LinesForm
        state={state}
        draft={draft}
        head={() => <Head form={form} usualCurrency={usualCurrency} />}
        linesTitle={words.lines}
        scan={{ onCode, feedback }}
        submitLabel={words.create}
      >
        {() => (
          <RowList form={form} name="lines" addLabel={words.addLine} newRow={emptyLine}>
            {(line) => <OrderLine {...line} />}
          </RowList>
        )}
      </LinesForm>
    </Page>
  );
}

function Head({ form, usualCurrency }: { form: FormState<OrderDraft>; usualCurrency: string | null }) {
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
          value={form.values.currency ?? usualCurrency}
        />
        <DateField label={words.requestedDate} {...form.text('requestedDate')} />
        <TextInput label={words.remark} maxLength={2000} {...form.text('remark')} />
      </SimpleGrid>
    </Panel>
  );
}

/** The currency of the newest order, since an organization mostly uses one. Null before the first order. */
function useUsualCurrency(): string | null {
  const newest = useList('/v2/orders', { query: { limit: 1 } });
  return newest.data?.pages[0]?.items[0]?.currency ?? null;
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
