import type { Data } from '@lotward/client';
import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { type Column, ItemTable } from '../../ui/data-table.js';
import { useLabelSelection } from '../../ui/labels/label-selection.js';
import { PageLink, RowLink } from '../../ui/links.js';
import { Expiry } from './expiry.js';
import { stockWords } from './stock-words.js';

type Answer = Data<'/v2/inventory', 'get'>;
/** The stock of a product in one warehouse or in all of them. */
export type StockRecord = NonNullable<Answer['byWarehouse']>[number];
type StockBatch = StockRecord['batches'][number];
export type ProductStock = StockRecord & { byWarehouse?: StockRecord[] };

/** The stock of one product. The service returns a record whenever the query names a product. */
export function useProductStock(productCode: string, warehouse?: string, enabled = true) {
  const query = useResource('/v2/inventory', {
    query: { productCode, ...(warehouse ? { warehouse } : {}) },
    enabled,
  });
  return query as typeof query & { data: ProductStock | undefined };
}

/** The total quantity, and how much of it can be sold. */
export function Quantities({ record }: { record: StockRecord }) {
  const words = useWords(stockWords);
  const format = useFormat();
  const figures = [
    [words.available, record.availableQuantity, undefined],
    [words.reserved, record.reservedQuantity, undefined],
    [words.blocked, record.blockedQuantity, words.blockedHint],
    [words.total, record.totalQuantity, undefined],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      {figures.map(([name, value, hint]) => (
        <Paper key={name} withBorder p="sm" title={hint}>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Text fz="xl" fw={650}>
            {format.number(value)}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

/** The batches of a record, each linked to its history. */
export function BatchTable({ record, nearDays }: { record: StockRecord; nearDays?: number | undefined }) {
  const words = useWords(stockWords);
  const format = useFormat();
  const figure = (name: string, of: (batch: StockBatch) => number, wide?: true): Column<StockBatch> => ({
    name,
    show: (batch) => format.number(of(batch)),
    by: of,
    align: 'right',
    ...(wide ? { wide } : {}),
  });
  const labels = useLabelSelection<StockBatch>(
    ({ batchNo }) => batchNo,
    ({ batchNo }) => batchNo || record.productName,
    ({ batchNo, expiryDate }) => {
      const { productCode, productName } = record;
      return [{ productCode, productName, batchNo, expiryDate: expiryDate ?? null, serialNo: null }];
    },
  );
  return (
    <>
      {labels.bar}
      <ItemTable
        label={`${words.batches}${format.colon}${record.productName}`}
        items={byExpiry(record.batches)}
        rowKey={(batch) => batch.batchNo}
        empty={{ title: words.noStock }}
        selection={labels.selection}
        columns={[
          {
            name: words.batch,
            show: (batch) => <BatchLink productCode={record.productCode} batchNo={batch.batchNo} isRow />,
            by: (batch) => batch.batchNo,
          },
          {
            name: words.expiry,
            show: (batch) => <Expiry date={batch.expiryDate} {...(nearDays ? { nearDays } : {})} />,
            by: (batch) => batch.expiryDate ?? null,
            wide: 'below',
          },
          figure(words.available, (batch) => batch.availableQuantity),
          figure(words.reserved, (batch) => batch.reservedQuantity, true),
          figure(words.blocked, (batch) => batch.blockedQuantity, true),
          figure(words.total, (batch) => batch.quantity),
        ]}
      />
    </>
  );
}

/** Earliest expiry first, which is the order of use; batches without a date last. */
const byExpiry = (batches: readonly StockBatch[]): readonly StockBatch[] =>
  [...batches].sort(
    (one, other) =>
      compare(one.expiryDate ?? LAST_DAY, other.expiryDate ?? LAST_DAY) ||
      compare(one.batchNo, other.batchNo),
  );
const LAST_DAY = '9999-12-31';
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

export function BatchLink({
  productCode,
  batchNo,
  isRow = false,
}: {
  productCode: string;
  batchNo: string;
  /** The link of its row. */
  isRow?: boolean;
}) {
  const words = useWords(stockWords);
  const Link = isRow ? RowLink : PageLink;
  return (
    <Link to="/inventory/batch" search={{ productCode, ...(batchNo === '' ? {} : { batchNo }) }}>
      {batchNo === '' ? words.noBatch : <CodeText>{batchNo}</CodeText>}
    </Link>
  );
}

/** The figures of one warehouse in a line, above its batches. */
export function WarehouseRecord({
  record,
  nearDays,
  isOnly,
}: {
  record: StockRecord;
  nearDays?: number | undefined;
  /** Its figures equal those of the product, which are already shown. */
  isOnly: boolean;
}) {
  const words = useWords(stockWords);
  const format = useFormat();
  return (
    <Stack gap="xs">
      {!isOnly && (
        <Group gap="md">
          <Text size="sm">
            {words.available} <b>{format.number(record.availableQuantity)}</b>
          </Text>
          <Text size="sm">
            {words.reserved} <b>{format.number(record.reservedQuantity)}</b>
          </Text>
          <Text size="sm">
            {words.blocked} <b>{format.number(record.blockedQuantity)}</b>
          </Text>
        </Group>
      )}
      <BatchTable record={record} nearDays={nearDays} />
    </Stack>
  );
}
