import { type Data, LotwardError, writeUdi } from '@lotward/client';
import { Alert, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { Loaded } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { type Draft, namedIn } from './recall-draft.js';
import { recallWords, wizardWords } from './recall-words.js';

/** The maximum number of batches or serialized units traced for the preview; the recall itself traces all of them. */
const TRACED_MAX = 20;

/** The consignees and the stock that the recall would affect, as far as known before it is opened. */
export function RecallPreview({ draft }: { draft: Draft }) {
  const words = useWords(wizardWords);
  const may = useMay();
  return (
    <Stack>
      <Title order={2}>{words.steps.preview}</Title>
      <Alert icon={<Eye size={18} />}>{words.preview}</Alert>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {may('inventory:read') && <StockPreview draft={draft} />}
        <CustomerPreview draft={draft} />
      </SimpleGrid>
    </Stack>
  );
}

type Inventory = Data<'/v2/inventory', 'get'>;

function stockOf({ byWarehouse = [] }: Inventory, draft: Draft) {
  return byWarehouse.flatMap(({ warehouse, batches }) =>
    batches
      .filter(({ batchNo }) => draft.extent === 'product' || draft.batchNos.includes(batchNo))
      .map((batch) => ({ ...batch, warehouse })),
  );
}

function StockPreview({ draft }: { draft: Draft }) {
  const words = useWords(wizardWords);
  const recall = useWords(recallWords);
  const format = useFormat();
  const stock = useResource('/v2/inventory', { query: { productCode: draft.productCode ?? '' } });
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        {words.toBlock}
      </Title>
      {draft.extent === 'serials' ? (
        <Text size="sm" c="dimmed">
          {words.serialStock}
        </Text>
      ) : (
        <Loaded query={stock}>
          {(data) => (
            <ItemTable
              items={stockOf(data, draft)}
              label={words.toBlock}
              rowKey={(row) => `${row.warehouse} ${row.batchNo}`}
              empty={{ title: words.nothingToBlock }}
              columns={[
                { name: recall.warehouse, show: (row) => <WarehouseText code={row.warehouse} /> },
                { name: recall.batch, show: (row) => <CodeText>{row.batchNo}</CodeText> },
                { name: recall.quantity, show: (row) => format.number(row.quantity), align: 'right' },
              ]}
            />
          )}
        </Loaded>
      )}
    </div>
  );
}

/** The codes to trace for the recalled goods. */
function codesOf(draft: Draft, udiDi: string): string[] {
  const today = new Date().toISOString().slice(0, 10);
  const device = { issuingAgency: 'GS1', deviceIdentifier: udiDi } as const;
  const drafts =
    draft.extent === 'product'
      ? [device]
      : namedIn(draft)
          .slice(0, TRACED_MAX)
          .map((each) => ({ ...device, [draft.extent === 'batches' ? 'batchNo' : 'serialNo']: each }));
  return drafts.flatMap((each) => {
    const written = writeUdi(each, { form: 'bracketed', today });
    return written.ok ? [written.code] : [];
  });
}

interface Customer {
  code: string;
  name: string;
  quantity: number;
}

/** A code without a trace is a valid result. */
async function customersOf(code: string, signal: AbortSignal): Promise<Customer[]> {
  try {
    const trace = await api.get('/v2/udi', { query: { code, limit: 1 }, signal });
    if (!('holders' in trace)) return [];
    return trace.holders
      .filter((holder) => holder.kind === 'customer')
      .map((holder) => ({
        code: holder.code ?? '',
        name: holder.name ?? holder.code ?? '',
        quantity: holder.quantity,
      }));
  } catch (error) {
    if (error instanceof LotwardError && error.status === 404) return [];
    throw error;
  }
}

function summed(customers: readonly Customer[]): Customer[] {
  const byCode = new Map<string, Customer>();
  for (const customer of customers) {
    const known = byCode.get(customer.code);
    byCode.set(customer.code, { ...customer, quantity: customer.quantity + (known?.quantity ?? 0) });
  }
  return [...byCode.values()].sort((one, two) => two.quantity - one.quantity);
}

function CustomerPreview({ draft }: { draft: Draft }) {
  const words = useWords(wizardWords);
  const may = useMay();
  const product = useResource('/v2/products/{id}', { path: { id: draft.productCode ?? '' } });
  const named = namedIn(draft).length;
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        {words.toNotify}
      </Title>
      <Loaded query={product}>
        {({ udiDi }) => {
          const codes = udiDi && may('udi:read') ? codesOf(draft, udiDi) : [];
          if (codes.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {words.noTrace}
              </Text>
            );
          return <Customers codes={codes} left={named > TRACED_MAX ? named : 0} />;
        }}
      </Loaded>
    </div>
  );
}

function Customers({ codes, left }: { codes: readonly string[]; left: number }) {
  const words = useWords(wizardWords);
  const recall = useWords(recallWords);
  const format = useFormat();
  const traces = useQueries({
    queries: codes.map((code) => ({
      queryKey: ['/v2/udi', 'customers', code],
      queryFn: ({ signal }: { signal: AbortSignal }) => customersOf(code, signal),
    })),
  });
  const failed = traces.find((trace) => trace.isError);
  if (failed) return <Problem error={failed.error} onRetry={() => failed.refetch()} />;
  if (traces.some((trace) => trace.isPending)) return <Skeleton height={120} />;
  return (
    <>
      <ItemTable
        items={summed(traces.flatMap((trace) => trace.data ?? []))}
        label={words.toNotify}
        rowKey={(customer) => customer.code}
        empty={{ title: words.nobodyToNotify }}
        columns={[
          { name: recall.customer, show: (customer) => customer.name },
          { name: recall.quantity, show: (customer) => format.number(customer.quantity), align: 'right' },
        ]}
      />
      {left > 0 && (
        <Text size="xs" c="dimmed">
          {words.previewPart(TRACED_MAX, left)}
        </Text>
      )}
    </>
  );
}
