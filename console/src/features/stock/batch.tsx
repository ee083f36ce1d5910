import type { Item } from '@lotward/client';
import { Button, Group, Stack, Text, Timeline, Title } from '@mantine/core';
import { Route } from 'lucide-react';
import { isEmptyList, useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { type Column, DataTable, ItemTable } from '../../ui/data-table.js';
import { Empty } from '../../ui/empty.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PrintLabelsButton } from '../../ui/labels/label-selection.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { type Status, StatusBadge } from '../../ui/status.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { BatchQuality, useBatchQuality } from '../quality/batch-quality.js';
import { BatchRecalls, useBatchRecalls } from '../recalls/batch-recalls.js';
import { traceCodeOf } from '../tracing/trace-code.js';
import { CorrectDatesButton } from './correct-dates.js';
import { Expiry } from './expiry.js';
import { useHoldColumns } from './hold-columns.js';
import { type ProductStock, useProductStock } from './inventory-record.js';
import { KIND_ICONS, type Movement, MovementText } from './movement.js';
import { movementWords } from './movement-words.js';
import { AdjustButton, HoldButton, TransferButton } from './operations.js';
import { stockWords } from './stock-words.js';

export default function BatchPage() {
  const words = useWords(stockWords);
  const may = useMay();
  const [{ productCode = '', batchNo = '' }] = useFilters(['productCode', 'batchNo'] as const);
  const query = useProductStock(productCode, undefined, productCode !== '');
  const about = { productCode, batchNo };
  const own = query.data?.batches.find((each) => each.batchNo === batchNo);
  if (productCode === '') return <Empty title={words.chooseTitle} />;
  return (
    <Page
      title={batchNo === '' ? words.noBatch : words.batchOf(batchNo)}
      hint={query.data?.productName}
      above={{ to: '/inventory', name: words.inventory }}
      actions={
        query.data && (
          <>
            {may('quality:write') && batchNo !== '' && (
              <CorrectDatesButton {...about} expiryDate={own?.expiryDate} />
            )}
            {may('inventory:write') && (
              <>
                <AdjustButton about={about} />
                {own !== undefined && own.quantity > 0 && <TransferButton about={about} />}
                <HoldButton about={about} />
              </>
            )}
          </>
        )
      }
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/inventory' }}>
        {() => query.data && <WhereItIs stock={query.data} productCode={productCode} batchNo={batchNo} />}
      </Loaded>
      <Holds productCode={productCode} batchNo={batchNo} />
      <BatchQuality batch={queryOf(productCode, batchNo)} />
      <BatchRecalls {...about} />
      <NothingOnRecord productCode={productCode} batchNo={batchNo} />
      <History productCode={productCode} batchNo={batchNo} />
    </Page>
  );
}

function WhereItIs(props: { stock: ProductStock; productCode: string; batchNo: string }) {
  const words = useWords(stockWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const { stock, productCode, batchNo } = props;
  const list = useList('/v2/stock/batches', { query: { productCode, batchNo } });
  const batch = list.data?.pages[0]?.items[0];
  const figure = (name: string, of: (row: Figures) => number, wide?: true): Column<Figures> => ({
    name,
    show: (row) => format.number(of(row)),
    align: 'right',
    ...(wide ? { wide } : {}),
  });
  return (
    <Panel
      title={words.aboutBatch}
      actions={batch && <Labels batch={batch} productName={stock.productName} />}
    >
      <Stack>
        {list.isError && <Problem error={list.error} onRetry={() => list.refetch()} />}
        <Facts
          facts={[
            [
              words.product,
              <PageLink key="product" to="/products/$productCode" params={{ productCode }}>
                {stock.productName}
              </PageLink>,
            ],
            [words.productCode, productCode],
            [common.status, batch ? <StatusBadge key="status" status={badgeOf(batch)} /> : NOTHING],
            [words.inStock, batch ? format.number(stockOf(batch)) : NOTHING],
            [words.expiry, batch ? <Expiry key="expiry" date={batch.expiryDate} /> : NOTHING],
            [words.manufactured, batch?.manufactureDate ? format.day(batch.manufactureDate) : NOTHING],
          ]}
        />
        {batch && batch.byWarehouse.length > 0 && (
          <div>
            <Title order={3} fz="sm" mb={4}>
              {words.where}
            </Title>
            <ItemTable
              label={words.where}
              items={batch.byWarehouse}
              rowKey={(row) => row.warehouse}
              columns={[
                {
                  name: words.warehouse,
                  show: (row) => (
                    <>
                      <WarehouseText code={row.warehouse} />
                      <Text size="xs" c="dimmed" hiddenFrom="sm">
                        {words.reserved} {format.number(row.reservedQuantity)} · {words.blocked}{' '}
                        {format.number(row.blockedQuantity)}
                      </Text>
                    </>
                  ),
                },
                figure(words.available, (row) => row.availableQuantity),
                figure(words.reserved, (row) => row.reservedQuantity, true),
                figure(words.blocked, (row) => row.blockedQuantity, true),
                figure(words.total, (row) => row.totalQuantity),
              ]}
            />
          </div>
        )}
      </Stack>
    </Panel>
  );
}

/** Links from the batch to its trace and its labels. */
function Labels({ batch, productName }: { batch: BatchRecord; productName: string }) {
  const words = useWords(stockWords);
  const may = useMay();
  const { productCode, batchNo, expiryDate } = batch;
  const code = traceCodeOf(productCode, batchNo);
  return (
    <>
      {code !== null && may('udi:read') && (
        <ButtonLink
          to="/trace"
          search={{ code }}
          variant="default"
          size="xs"
          leftSection={<Route size={14} />}
        >
          {words.traceBatch}
        </ButtonLink>
      )}
      <PrintLabelsButton goods={() => [{ productCode, productName, batchNo, expiryDate, serialNo: null }]} />
    </>
  );
}

type BatchRecord = Item<'/v2/stock/batches'>;
type Figures = BatchRecord['byWarehouse'][number];

/** A released batch can be sold while there is stock; a released hold has ended. */
function badgeOf(batch: BatchRecord): Status {
  if (batch.status !== 'released') return batch.status;
  return stockOf(batch) > 0 ? 'batch_released' : 'out_of_stock';
}

const stockOf = ({ byWarehouse }: BatchRecord): number =>
  byWarehouse.reduce((sum, each) => sum + each.totalQuantity, 0);

/** Without a batch number: all stock of a product that has no batches. */
const queryOf = (productCode: string, batchNo: string) => ({
  productCode,
  ...(batchNo === '' ? {} : { batchNo }),
});

const useHolds = (productCode: string, batchNo: string) =>
  useList('/v2/stock/holds', { query: queryOf(productCode, batchNo) });

/** One line for the kinds of record that the batch lacks, instead of an empty panel for each. */
function NothingOnRecord({ productCode, batchNo }: { productCode: string; batchNo: string }) {
  const words = useWords(stockWords);
  const { entries, dispositions } = useBatchQuality(queryOf(productCode, batchNo));
  const { recalls } = useBatchRecalls({ productCode, batchNo });
  const holds = useHolds(productCode, batchNo);
  const missing = [
    isEmptyList(holds) && words.records.holds,
    isEmptyList(entries) && words.records.entries,
    isEmptyList(dispositions) && words.records.dispositions,
    recalls?.length === 0 && words.records.recalls,
  ].filter((name) => name !== false);
  if (missing.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {words.nothingOnRecord(...missing)}
    </Text>
  );
}

function Holds({ productCode, batchNo }: { productCode: string; batchNo: string }) {
  const words = useWords(stockWords);
  const columns = useHoldColumns({ ofOneBatch: true });
  const list = useHolds(productCode, batchNo);
  if (isEmptyList(list)) return null;
  return (
    <Panel title={words.holds}>
      <DataTable
        list={list}
        label={words.holds}
        rowKey={(hold) => hold.holdId}
        empty={{ title: words.noHolds, isCompact: true }}
        columns={columns}
      />
    </Panel>
  );
}

function History({ productCode, batchNo }: { productCode: string; batchNo: string }) {
  const words = useWords(stockWords);
  const common = useWords(commonWords);
  const movement = useWords(movementWords);
  const list = useList('/v2/stock/movements', { query: queryOf(productCode, batchNo) });
  const items: Movement[] = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel title={words.movementsOfBatch}>
      {list.isError && <Problem error={list.error} onRetry={() => list.refetch()} />}
      {list.isSuccess && items.length === 0 && <Empty title={movement.empty} />}
      <Timeline bulletSize={28} lineWidth={2}>
        {items.map((each) => {
          const Icon = KIND_ICONS[each.kind];
          return (
            <Timeline.Item
              key={each.movementId}
              bullet={<Icon size={15} aria-hidden />}
              title={<Text fw={600}>{movement.kinds[each.kind]}</Text>}
            >
              <MovementText movement={each} />
            </Timeline.Item>
          );
        })}
      </Timeline>
      {list.hasNextPage && (
        <Group mt="md">
          <Button
            variant="default"
            size="xs"
            loading={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            {common.more}
          </Button>
        </Group>
      )}
    </Panel>
  );
}
