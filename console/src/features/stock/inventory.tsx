import { Button, Group, Stack } from '@mantine/core';
import { Boxes } from 'lucide-react';
import { type ListResult, useList, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { Empty } from '../../ui/empty.js';
import { ButtonLink, RowLink } from '../../ui/links.js';
import { FilterPills } from '../../ui/list/filter-pills.js';
import { pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { Loaded, Page, Panel } from '../../ui/page.js';
import { ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { BatchTable, Quantities, type StockRecord, useProductStock } from './inventory-record.js';
import { AdjustButton, HoldButton, TransferButton } from './operations.js';
import { stockWords } from './stock-words.js';

export default function Inventory() {
  const words = useWords(stockWords);
  const filters = useListFilters({
    productCode: pickerFilter(words.product, ProductPicker),
    warehouse: pickerFilter(words.warehouse, WarehousePicker),
  });
  const { productCode, warehouse } = filters.values;
  return (
    <Page
      title={words.inventory}
      hint={words.hint}
      actions={
        <ButtonLink to="/expiring-stock" search={filters.values} variant="default">
          {words.toExpiring}
        </ButtonLink>
      }
    >
      <Panel>
        <FilterPills filters={filters} />
        {!productCode && warehouse && <OfWarehouse warehouse={warehouse} />}
        {!productCode && !warehouse && <Choose onChoose={(code) => filters.change({ warehouse: code })} />}
      </Panel>
      {productCode && <OfProduct key={productCode} productCode={productCode} warehouse={warehouse} />}
    </Page>
  );
}

const WAREHOUSES_OFFERED = 6;

function Choose({ onChoose }: { onChoose: (warehouse: string) => void }) {
  const words = useWords(stockWords);
  const list = useList('/v2/warehouses', { query: { limit: WAREHOUSES_OFFERED } });
  const warehouses = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Empty title={words.chooseTitle} hint={words.chooseHint} icon={Boxes}>
      <Group justify="center" gap="xs" mt="xs">
        {warehouses.map((warehouse) => (
          <Button key={warehouse.code} variant="default" size="xs" onClick={() => onChoose(warehouse.code)}>
            {warehouse.name}
          </Button>
        ))}
      </Group>
    </Empty>
  );
}

function OfWarehouse({ warehouse }: { warehouse: string }) {
  const words = useWords(stockWords);
  const format = useFormat();
  // Named by a warehouse alone, the answer is a list; the description of the service knows only what both have.
  const list = useList('/v2/inventory' as '/v2/products', {
    query: { warehouse } as object,
  }) as unknown as ListResult<StockRecord>;
  const quantity = (name: string, of: (record: StockRecord) => number, wide?: true): Column<StockRecord> => ({
    name,
    show: (record) => format.number(of(record)),
    align: 'right',
    ...(wide ? { wide } : {}),
  });
  return (
    <DataTable
      list={list}
      label={words.inventory}
      rowKey={(record) => record.productCode}
      empty={{ title: words.noStock }}
      columns={[
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
      ]}
    />
  );
}

function OfProduct({ productCode, warehouse }: { productCode: string; warehouse: string | undefined }) {
  const words = useWords(stockWords);
  const may = useMay();
  const warehouseName = useWarehouseName();
  const query = useProductStock(productCode, warehouse);
  const product = useResource('/v2/products/{id}', { path: { id: productCode } });
  const nearDays = product.data?.nearExpiryDays;
  const about = { productCode, ...(warehouse ? { warehouse } : {}) };
  return (
    <Loaded query={query} missing={{ title: words.notFound, to: '/inventory' }}>
      {() => {
        const stock = query.data;
        if (!stock) return null;
        return (
          <Stack>
            <Panel
              title={stock.productName}
              hint={warehouse ? warehouseName(warehouse) : words.allWarehouses}
              actions={
                may('inventory:write') && (
                  <>
                    <AdjustButton about={about} />
                    <TransferButton about={about} />
                    <HoldButton about={about} />
                  </>
                )
              }
            >
              <Stack>
                <Quantities record={stock} />
                {warehouse && <BatchTable record={stock} nearDays={nearDays} />}
              </Stack>
            </Panel>
            {stock.byWarehouse?.map((record) => (
              <Panel key={record.warehouse} title={warehouseName(record.warehouse)}>
                <Stack>
                  <Quantities record={record} />
                  <BatchTable record={record} nearDays={nearDays} />
                </Stack>
              </Panel>
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}
