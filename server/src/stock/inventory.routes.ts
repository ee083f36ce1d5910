import { canonicalCode } from '@lotward/udi';
import { type Static, Type } from 'typebox';
import { unknownProducts, unknownWarehouses } from '../catalogue/index.js';
import { type Database, readBusinessDay, transact } from '../platform/database/index.js';
import { ApiError, missing, notFound } from '../platform/errors/index.js';
import {
  Code,
  DateText,
  decodeCursor,
  invalid,
  Model,
  Nullable,
  PAGE_LIMIT_DEFAULT,
  type Page,
  PageQuery,
  Repeated,
  type Route,
  readRoute,
  Strict,
  toPage,
} from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { type InventoryRecord, toProductRecord, toRecord } from './inventory.rules.js';
import { type ProductStock, readProducts, readWarehousePage, stockReader } from './inventory.store.js';

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
const InventoryRecordView = Model('InventoryRecord', record);
const byWarehouse = Type.Optional(
  Type.Array(InventoryRecordView, { description: 'Only when no warehouse is given.' }),
);

type ProductRecord = InventoryRecord & { byWarehouse?: InventoryRecord[] };
/** One shape for the three responses: a record, a record with its warehouses, or a page of records. */
type InventoryAnswer = ProductRecord | (Page<ProductRecord> & { unknown?: string[] });
const InventoryView = Type.Unsafe<InventoryAnswer>(
  Type.Object({
    ...Object.fromEntries(Object.entries(record).map(([name, schema]) => [name, Type.Optional(schema)])),
    byWarehouse,
    items: Type.Optional(
      Type.Array(Type.Object({ ...record, byWarehouse }), {
        description: 'Only when no product is given, or several are.',
      }),
    ),
    unknown: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Only when several products are given: those that do not exist, as they were given.',
      }),
    ),
    nextCursor: Type.Optional(Nullable(Type.String())),
  }),
);

const PRODUCTS_MAX = 200;
const query = Strict({
  productCode: Type.Optional(
    Repeated(
      Code(),
      PRODUCTS_MAX,
      `Can be repeated, up to ${PRODUCTS_MAX} times; the response is then a page.`,
    ),
  ),
  warehouse: Type.Optional(Code()),
  ...PageQuery,
});
type InventoryQuery = Static<typeof query>;

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
        '`byWarehouse`. With several products: a page of such records in the order given, each product once, and the codes that do ' +
        'not exist in `unknown`. With a warehouse only: a page of its records with stock, in product-code order.',
      query,
      data: InventoryView,
      async read({ principal, query }) {
        const { productCode: codes, warehouse } = query;
        const today = await readBusinessDay(database, principal);
        if (codes === undefined) return readWarehouse(database, principal, query, today);
        if (query.limit !== undefined || query.cursor !== undefined)
          throw invalid(
            'unknown_parameter',
            query.limit !== undefined ? 'limit' : 'cursor',
            'only with a warehouse and no product',
          );
        const [only] = codes;
        if (only === undefined || codes.length > 1)
          return readMany(database, principal, codes, warehouse, today);
        const productCode = canonicalCode(only);
        const stock = await readStock({ orgId: principal.orgId, productCode, warehouse: warehouse ?? null });
        if (!stock) throw await whichIsMissing(database, principal, productCode, warehouse);
        return recordOf(stock, warehouse, today);
      },
    }),
  ];
}

const recordOf = (stock: ProductStock, warehouse: string | undefined, today: string): ProductRecord =>
  warehouse === undefined
    ? toProductRecord(stock, stock.rows, today)
    : toRecord(stock, warehouse, stock.rows, today);

async function readWarehouse(
  database: Database,
  principal: Principal,
  { warehouse, limit = PAGE_LIMIT_DEFAULT, cursor }: InventoryQuery,
  today: string,
): Promise<Page<InventoryRecord>> {
  if (warehouse === undefined)
    throw invalid('required', 'productCode', 'give productCode, warehouse, or both');
  const after = decodeCursor('inventory', cursor, 1)?.[0] ?? null;
  const products = await readWarehousePage(database.reader, principal.orgId, warehouse, after, limit + 1);
  if (!products) throw missing('warehouse', 'warehouse');
  return toPage(
    'inventory',
    products,
    limit,
    (stock) => [stock.productCode],
    (stock) => toRecord(stock, warehouse, stock.rows, today),
  );
}

/** Reads many products in a separate statement, because single reads in the same batch would have to wait for them. */
async function readMany(
  database: Database,
  principal: Principal,
  given: readonly string[],
  warehouse: string | undefined,
  today: string,
): Promise<InventoryAnswer> {
  // The lengths of a GTIN are one code; its first form is reported if there is no such product.
  const asGiven = new Map<string, string>();
  for (const code of given) {
    const productCode = canonicalCode(code);
    if (!asGiven.has(productCode)) asGiven.set(productCode, code);
  }
  const codes = [...asGiven.keys()];
  const found = await readProducts(database.reader, principal.orgId, codes, warehouse ?? null);
  if (warehouse !== undefined && found.every((stock) => stock === null))
    await requireWarehouse(database, principal, warehouse);
  return {
    items: found.flatMap((stock) => (stock ? [recordOf(stock, warehouse, today)] : [])),
    unknown: codes.filter((_, at) => found[at] === null).map((code) => asGiven.get(code) ?? code),
    nextCursor: null,
  };
}

/** Queried only if no product was found there: any result proves that the warehouse exists. */
const requireWarehouse = (database: Database, principal: Principal, warehouse: string): Promise<void> =>
  transact(database, principal, async (tx) => {
    if ((await unknownWarehouses(tx, [warehouse])).length > 0) throw missing('warehouse', 'warehouse');
  });

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
