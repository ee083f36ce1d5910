import { type Body, CURRENCIES } from '@lotward/client';
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
import { useMemo } from 'react';
import { api } from '../../app/api.js';
import { useLanguage, useWords } from '../../app/language.js';
import { choiceField, textOrNull } from '../../ui/fields.js';
import { type FormState, useForm } from '../../ui/form.js';
import { Page, Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { CustomerPicker, ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { orderWords } from './order-words.js';

interface DraftLine {
  key: string;
  productCode: string | null;
  quantity: number | null;
  unitPrice: string;
  batchNo: string;
  minDays: number | null;
}

interface Draft {
  orderNo: string;
  customerCode: string | null;
  warehouse: string | null;
  currency: string | null;
  requestedDate: string;
  remark: string;
  lines: DraftLine[];
}

/** Offered first: what orders are mostly in. */
const USUAL_CURRENCIES = ['CNY', 'EUR', 'USD', 'GBP', 'JPY', 'HKD', 'CHF'];
const emptyLine = (): DraftLine => ({
  key: crypto.randomUUID(),
  productCode: null,
  quantity: null,
  unitPrice: '',
  batchNo: '',
  minDays: null,
});

const bodyOf = (draft: Draft): Body<'/v2/orders', 'post'> => ({
  orderNo: draft.orderNo.trim(),
  customerCode: draft.customerCode ?? '',
  warehouse: draft.warehouse ?? '',
  currency: draft.currency ?? '',
  requestedDate: draft.requestedDate || null,
  remark: textOrNull(draft.remark),
  lines: draft.lines.map((line, i) => ({
    lineNo: i + 1,
    productCode: line.productCode ?? '',
    quantity: line.quantity ?? 0,
    unitPrice: line.unitPrice.trim(),
    batchNo: textOrNull(line.batchNo),
    minRemainingShelfLifeDays: line.minDays,
  })),
});

export default function NewOrder() {
  const words = useWords(orderWords);
  const navigate = useNavigate();
  const { form, action, submit } = useForm({
    initial: {
      orderNo: '',
      customerCode: null,
      warehouse: null,
      currency: 'CNY',
      requestedDate: '',
      remark: '',
      lines: [emptyLine()],
    } as Draft,
    run: (draft: Draft) => api.post('/v2/orders', { body: bodyOf(draft) }),
    done: (order) => words.enteredDone(order.orderNo),
    onDone: (order) => navigate({ to: `/orders/${order.orderId}` }),
  });
  return (
    <Page title={words.newOrder} above={{ to: '/orders', name: words.orders }}>
      <form onSubmit={submit}>
        <Stack>
          <Head form={form} />
          <Panel title={words.lines}>
            <Stack>
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

function Head({ form }: { form: FormState<Draft> }) {
  const words = useWords(orderWords);
  return (
    <Panel title={words.facts}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={words.orderNo} required maxLength={64} {...form.text('orderNo')} />
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

function OrderLine({ form, line, at }: { form: FormState<Draft>; line: DraftLine; at: number }) {
  const words = useWords(orderWords);
  const change = (part: Partial<DraftLine>) =>
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
