import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client, type ListResult, useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { RowLink } from '../../ui/links.js';
import type { StockRecord } from './inventory-record.js';
import { useLastWarehouse } from './last-warehouse.js';
import { stockWords } from './stock-words.js';

/** The maximum number of products whose stock the service returns per request. */
const FOUND_ROWS = 50;

/** The products with stock in a warehouse, or those that match a search, even without stock. */
export function WarehouseStock({
  warehouse,
  sought,
  onClear,
}: {
  warehouse: string;
  sought: string | undefined;
  onClear: () => void;
}) {
  const words = useWords(stockWords);
  const { keep } = useLastWarehouse();
  // biome-ignore lint/correctness/useExhaustiveDependencies: kept once it is shown
  useEffect(() => keep(warehouse), [warehouse]);
  const all = useInventory(warehouse, sought === undefined);
  const found = useFoundInventory(warehouse, sought);
  return (
    <DataTable
      list={sought === undefined ? all : found}
      label={words.inventory}
      noun={words.products}
      rowKey={(record) => record.productCode}
      empty={{ title: words.noStock }}
      filtered={sought !== undefined}
      onClearFilters={onClear}
      columns={useColumns(warehouse)}
    />
  );
}

/** For a warehouse without a product the response is a list; the API description covers only what all responses have. */
const useInventory = (warehouse: string, enabled: boolean): ListResult<StockRecord> =>
  useList('/v2/inventory' as '/v2/products', {
    query: { warehouse } as object,
    enabled,
  }) as unknown as ListResult<StockRecord>;

/** The catalogue finds the products, page by page, and one request reads the stock of each page. */
const useFoundInventory = (warehouse: string, sought: string | undefined): ListResult<StockRecord> =>
  useInfiniteQuery({
    queryKey: ['/v2/inventory', { warehouse, sought }],
    queryFn: async ({ pageParam, signal }) => {
      const { items, nextCursor } = await client.get('/v2/products', {
        query: { q: sought ?? '', limit: FOUND_ROWS, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      });
      const productCode = items.map((product) => product.productCode);
      if (productCode.length === 0) return { items: [], nextCursor };
      const stock = await client.get('/v2/inventory', { query: { productCode, warehouse }, signal });
      return { items: (stock.items ?? [stock]) as StockRecord[], nextCursor };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: sought !== undefined,
  });

function useColumns(warehouse: string): Column<StockRecord>[] {
  const words = useWords(stockWords);
  const format = useFormat();
  const quantity = (name: string, of: (record: StockRecord) => number, wide?: true): Column<StockRecord> => ({
    name,
    show: (record) => format.number(of(record)),
    align: 'right',
    ...(wide ? { wide } : {}),
  });
  return [
    {
      name: words.product,
      show: (record) => (
        <RowLink to="/inventory" search={{ productCode: record.productCode, warehouse }}>
          {record.productName}
        </RowLink>
      ),
    },
    {
      name: words.productCode,
      show: (record) => <CodeText>{record.productCode}</CodeText>,
      wide: 'below',
    },
    quantity(words.available, (record) => record.availableQuantity),
    quantity(words.reserved, (record) => record.reservedQuantity, true),
    quantity(words.blocked, (record) => record.blockedQuantity, true),
    quantity(words.total, (record) => record.totalQuantity),
    quantity(words.batches, (record) => record.batches.length, true),
  ];
}
