import { Stack } from '@mantine/core';
import { Boxes } from 'lucide-react';
import { useList, useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { Empty } from '../../ui/empty.js';
import { ButtonLink } from '../../ui/links.js';
import { FilterPills } from '../../ui/list/filter-pills.js';
import { pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { Loaded, Page, Panel } from '../../ui/page.js';
import { ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { BatchTable, Quantities, useProductStock } from './inventory-record.js';
import { useLastWarehouse } from './last-warehouse.js';
import { AdjustButton, HoldButton, TransferButton } from './operations.js';
import { stockWords } from './stock-words.js';
import { WarehouseStock } from './warehouse-stock.js';

export default function Inventory() {
  const words = useWords(stockWords);
  const may = useMay();
  const product = pickerFilter(words.product, ProductPicker);
  const warehouses = pickerFilter(words.warehouse, WarehousePicker);
  const filters = useListFilters(
    { productCode: product, warehouse: warehouses },
    may('products:read') ? { by: [words.product, words.productCode] } : null,
  );
  const { productCode, warehouse } = filters.values;
  const shown = useShownWarehouse(productCode === undefined ? warehouse : undefined);
  const sought = filters.search?.value;
  const clear = () => filters.change({ q: null } as object);
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
        {productCode ? (
          <FilterPills filters={{ ...filters, search: null }} />
        ) : (
          <>
            <FilterPills
              filters={{
                ...filters,
                values: shown.code === undefined ? {} : { warehouse: shown.code },
                all: [
                  { name: 'productCode', filter: product },
                  // Without a product a warehouse is always selected; it can be changed but not removed.
                  { name: 'warehouse', filter: { ...warehouses, isRequired: true } },
                ],
                isFiltered: sought !== undefined,
                clear,
              }}
            />
            {shown.code !== undefined && (
              <WarehouseStock key={shown.code} warehouse={shown.code} sought={sought} onClear={clear} />
            )}
            {shown.isNone && <Empty title={words.noStock} hint={words.chooseHint} icon={Boxes} />}
          </>
        )}
      </Panel>
      {productCode && <OfProduct key={productCode} productCode={productCode} warehouse={warehouse} />}
    </Page>
  );
}

const WAREHOUSES_MAX = 200;

/** The warehouse in the URL, otherwise the one last viewed, otherwise the first. */
function useShownWarehouse(given: string | undefined): { code: string | undefined; isNone: boolean } {
  const may = useMay();
  const { last } = useLastWarehouse();
  const isAllowed = may('products:read');
  const list = useList('/v2/warehouses', {
    query: { limit: WAREHOUSES_MAX },
    enabled: isAllowed,
  });
  if (given !== undefined) return { code: given, isNone: false };
  const codes = list.data?.pages.flatMap(({ items }) => items.map(({ code }) => code));
  return {
    code: codes?.find((code) => code === last) ?? codes?.[0],
    isNone: !isAllowed || list.isError || codes?.length === 0,
  };
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
                  {/* The figures of the only warehouse equal those above. */}
                  {(stock.byWarehouse?.length ?? 0) > 1 && <Quantities record={record} />}
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
