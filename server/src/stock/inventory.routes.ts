import { canonicalCode } from '@lotward/udi';
import { Type } from 'typebox';
import { unknownProducts, unknownWarehouses } from '../catalogue/index.js';
import { dayIn } from '../platform/calendar/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { ApiError, missing, notFound } from '../platform/errors/index.js';
import {
  Code,
  DateText,
  decodeCursor,
  invalid,
  Nullable,
  PAGE_LIMIT_DEFAULT,
  type Page,
  PageQuery,
  type Route,
  readRoute,
  Strict,
  toPage,
} from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { type InventoryRecord, toProductRecord, toRecord } from './inventory.rules.js';
import { readWarehousePage, stockReader } from './inventory.store.js';

const figures = {
  availableQuantity: Type.Integer(),
  reservedQuantity: Type.Integer(),
  blockedQuantity: Type.Integer({ description: 'Expired, on hold or recalled: may not be sold.' }),
};
const record = {
  productCode: Type.String({ examples: ['06901234567892'] }),
  productName: Type.String(),
  warehouse: Type.String({ description: '`*` in the sum over all warehouses.' }),
  totalQuantity: Type.Integer({ description: 'available + reserved + blocked, always.' }),
  ...figures,
  batches: Type.Array(
    Type.Object({
      batchNo: Type.String(),
      expiryDate: Nullable(DateText('Usable through this day, where the organization is.')),
      quantity: Type.Integer({ description: 'available + reserved + blocked, always.' }),
      ...figures,
    }),
    { description: 'No expiry first, then the latest expiry date, then by batch number.' },
  ),
};
const InventoryRecordView = Type.Object(record);

/** One shape for the three responses: a record, a record with its warehouses, or a page of records. */
type InventoryAnswer =
  | InventoryRecord
  | (InventoryRecord & { byWarehouse: InventoryRecord[] })
  | Page<InventoryRecord>;
const InventoryView = Type.Unsafe<InventoryAnswer>(
  Type.Object({
    ...Object.fromEntries(Object.entries(record).map(([name, schema]) => [name, Type.Optional(schema)])),
    byWarehouse: Type.Optional(
      Type.Array(InventoryRecordView, { description: 'Only when no warehouse is given.' }),
    ),
    items: Type.Optional(Type.Array(InventoryRecordView, { description: 'Only when no product is given.' })),
    nextCursor: Type.Optional(Nullable(Type.String())),
  }),
);

export function inventoryRoutes(database: Database): Route[] {
  const readStock = stockReader(database.reader);
  return [
    readRoute({
      operationId: 'getInventory',
      path: '/v2/inventory',
      scope: 'inventory:read',
      boundCredentials: 'allowed',
      tag: 'Inventory',
      summary: 'Read live stock by product, warehouse or both',
      description:
        'With product and warehouse: one record. With a product only: the sum over all warehouses (`warehouse` is `*`) and ' +
        '`byWarehouse`. With a warehouse only: a page of its records with stock, in product-code order.',
      query: Strict({ productCode: Type.Optional(Code()), warehouse: Type.Optional(Code()), ...PageQuery }),
      data: InventoryView,
      async read({ principal, query }) {
        const { productCode, warehouse } = query;
        const today = dayIn(principal.timeZone, database.clock.now());
        if (productCode === undefined) {
          if (warehouse === undefined)
            throw invalid('required', 'productCode', 'give productCode, warehouse, or both');
          const limit = query.limit ?? PAGE_LIMIT_DEFAULT;
          const after = decodeCursor('inventory', query.cursor, 1)?.[0] ?? null;
          const products = await readWarehousePage(
            database.reader,
            principal.orgId,
            warehouse,
            after,
            limit + 1,
          );
          if (!products) throw missing('warehouse', 'warehouse');
          return toPage(
            'inventory',
            products,
            limit,
            (stock) => [stock.productCode],
            (stock) => toRecord(stock, warehouse, stock.rows, today),
          );
        }
        if (query.limit !== undefined || query.cursor !== undefined)
          throw invalid(
            'unknown_parameter',
            query.limit !== undefined ? 'limit' : 'cursor',
            'only where a page is answered',
          );
        const stock = await readStock({
          orgId: principal.orgId,
          productCode: canonicalCode(productCode),
          warehouse: warehouse ?? null,
        });
        if (!stock) throw await whichIsMissing(database, principal, canonicalCode(productCode), warehouse);
        return warehouse === undefined
          ? toProductRecord(stock, stock.rows, today)
          : toRecord(stock, warehouse, stock.rows, today);
      },
    }),
  ];
}

/** Queried only after the record was not found: the hot query does not distinguish a missing product from a missing warehouse. */
const whichIsMissing = (
  database: Database,
  principal: Principal,
  productCode: string,
  warehouse: string | undefined,
): Promise<ApiError> =>
  transact(database, principal, async (tx) => {
    const products = await unknownProducts(tx, [productCode]);
    const warehouses = warehouse === undefined ? [] : await unknownWarehouses(tx, [warehouse]);
    return new ApiError('missing', [
      ...products.map(() => notFound('product', 'productCode')),
      ...warehouses.map(() => notFound('warehouse', 'warehouse')),
    ]);
  });
