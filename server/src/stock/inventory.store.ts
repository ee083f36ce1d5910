import { productRows, warehouseRows } from '../catalogue/index.js';
import {
  batchedByOrganization,
  batchStatement,
  type Pool,
  queryBatch,
  rowStatement,
  statement,
} from '../platform/database/index.js';
import type { StockRow } from './inventory.rules.js';

export interface ProductStock {
  productCode: string;
  productName: string;
  rows: StockRow[];
}

type Row = readonly [
  place: number,
  productName: string,
  warehouse: string | null,
  batchNo: string,
  expiryDate: string | null,
  quantity: number,
  reserved: number,
  held: number,
  wholeHolds: number,
];

/** Gives all columns one name: rows arrive as arrays, but the driver builds an object of the column names at every call. */
const unnamed = (...columns: string[]) => columns.map((column) => `${column} as c`).join(', ');
const stockColumns = unnamed(
  'p.product_name',
  'b.warehouse',
  'b.batch_no',
  't.expiry_date',
  'b.quantity',
  'b.reserved',
  'b.held',
  'b.whole_holds',
);
// Stock proves that its warehouse exists, so the lookup is needed only for a product without stock there.
const inWarehouse = batchStatement(
  3,
  ({ org, given }) => `
  select q.place as c, ${stockColumns}
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as q(org_id, code, warehouse, place)
  join ${productRows(given)} p on p.org_id = ${org('q.org_id')} and p.product_code = q.code
  left join balances b on b.org_id = ${org('q.org_id')} and b.product_code = q.code and b.warehouse = q.warehouse and b.quantity > 0
  left join batches t on t.org_id = ${org('b.org_id')} and t.product_code = b.product_code and t.batch_no = b.batch_no
  where b.batch_no is not null or exists (select from ${warehouseRows(given)} w where w.org_id = ${org('q.org_id')} and w.code = q.warehouse)`,
  rowStatement,
);
const oneInWarehouse = rowStatement(`
  select 1 as c, ${stockColumns}
  from ${productRows('$1')} p
  left join balances b on b.org_id = $1 and b.product_code = $2 and b.warehouse = $3 and b.quantity > 0
  left join batches t on t.org_id = $1 and t.product_code = $2 and t.batch_no = b.batch_no
  where p.product_code = $2
    and (b.batch_no is not null or exists (select from ${warehouseRows('$1')} w where w.code = $3))`);
const everywhere = batchStatement(
  2,
  ({ org, given }) => `
  select q.place as c, ${stockColumns}
  from unnest($1::text[], $2::text[]) with ordinality as q(org_id, code, place)
  join ${productRows(given)} p on p.org_id = ${org('q.org_id')} and p.product_code = q.code
  left join balances b on b.org_id = ${org('q.org_id')} and b.product_code = q.code and b.quantity > 0
  left join batches t on t.org_id = ${org('b.org_id')} and t.product_code = b.product_code and t.batch_no = b.batch_no`,
  rowStatement,
);
const warehousePage = statement(`
  with page as (
    select distinct b.product_code from balances b
    where b.org_id = $1 and b.warehouse = $2 and b.quantity > 0 and b.product_code > $3
    order by b.product_code limit $4)
  select p.product_code as "productCode", p.product_name as "productName", b.warehouse, b.batch_no as "batchNo",
    t.expiry_date as "expiryDate", b.quantity, b.reserved, b.held, b.whole_holds as "wholeHolds"
  from page
  join ${productRows('$1')} p on p.product_code = page.product_code
  join balances b on b.org_id = $1 and b.product_code = page.product_code and b.warehouse = $2 and b.quantity > 0
  join batches t on t.org_id = $1 and t.product_code = b.product_code and t.batch_no = b.batch_no
  order by p.product_code`);
const warehouseExists = statement(`select 1 from ${warehouseRows('$1')} w where w.code = $2`);

export interface StockKey {
  orgId: string;
  productCode: string;
  warehouse: string | null;
}

/** Small batches, two at a time: while the database works on one, this process answers the other. */
const LIMITS = { keysMax: 24, inFlightMax: 2 };

/**
 * Live stock by product, or null if the product or the warehouse does not exist. Concurrent requests of all organizations
 * are combined into one query.
 */
export function stockReader(reader: Pool): (key: StockKey) => Promise<ProductStock | null> {
  const batchedStock = (read: (keys: readonly StockKey[]) => Promise<Row[]>) =>
    batchedByOrganization<StockKey, ProductStock | null>(
      reader,
      async (keys) => gather(keys, await read(keys)),
      LIMITS,
    );
  const readInWarehouse = batchedStock((keys) => {
    const [only] = keys;
    return only && keys.length === 1
      ? reader.queryRows<Row>(oneInWarehouse, [only.orgId, only.productCode, only.warehouse])
      : queryInWarehouse(reader, keys);
  });
  const readEverywhere = batchedStock((keys) => queryEverywhere(reader, keys));
  return (key) => (key.warehouse === null ? readEverywhere(key) : readInWarehouse(key));
}

const queryInWarehouse = (reader: Pool, keys: readonly StockKey[]): Promise<Row[]> =>
  queryBatch<Row, StockKey>(reader, inWarehouse, keys, (own) => [
    own.map((key) => key.orgId),
    own.map((key) => key.productCode),
    own.map((key) => key.warehouse),
  ]);

const queryEverywhere = (reader: Pool, keys: readonly StockKey[]): Promise<Row[]> =>
  queryBatch<Row, StockKey>(reader, everywhere, keys, (own) => [
    own.map((key) => key.orgId),
    own.map((key) => key.productCode),
  ]);

/** The stock of several products, each null if it, or the warehouse, does not exist. */
export async function readProducts(
  reader: Pool,
  orgId: string,
  productCodes: readonly string[],
  warehouse: string | null,
): Promise<(ProductStock | null)[]> {
  const keys = productCodes.map((productCode) => ({ orgId, productCode, warehouse }));
  const rows = await (warehouse === null ? queryEverywhere(reader, keys) : queryInWarehouse(reader, keys));
  return gather(keys, rows);
}

function gather(keys: readonly StockKey[], rows: readonly Row[]): (ProductStock | null)[] {
  const answers: (ProductStock | null)[] = keys.map(() => null);
  for (const [
    place,
    productName,
    warehouse,
    batchNo,
    expiryDate,
    quantity,
    reserved,
    held,
    wholeHolds,
  ] of rows) {
    const at = place - 1;
    let answer = answers[at];
    if (!answer) {
      answer = { productCode: keys[at]?.productCode ?? '', productName, rows: [] };
      answers[at] = answer;
    }
    if (warehouse !== null)
      answer.rows.push({ warehouse, batchNo, expiryDate, quantity, reserved, held, wholeHolds });
  }
  return answers;
}

/** Products with stock in a warehouse, in code order, or null if the warehouse does not exist. */
export async function readWarehousePage(
  reader: Pool,
  orgId: string,
  warehouse: string,
  after: string | null,
  limit: number,
): Promise<ProductStock[] | null> {
  const rows = await reader.query<StockRow & { productCode: string; productName: string }>(warehousePage, [
    orgId,
    warehouse,
    after ?? '',
    limit,
  ]);
  if (rows.length === 0 && (await reader.query(warehouseExists, [orgId, warehouse])).length === 0)
    return null;
  const products = new Map<string, ProductStock>();
  for (const { productCode, productName, ...row } of rows) {
    const known = products.get(productCode);
    if (known) known.rows.push(row);
    else products.set(productCode, { productCode, productName, rows: [row] });
  }
  return [...products.values()];
}
