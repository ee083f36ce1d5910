import { productLocker } from '../catalogue/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import { batchKey } from './balance.store.js';
import { unitsReader } from './shippable-stock.store.js';
import type { Balance, Batch, Serial, StockedProduct } from './stock.js';

/**
 * The stock that arriving goods are added to, read under the lock of its products. A caller that adds to it keeps it up to
 * date.
 */
export interface IncomingStock {
  products: ReadonlyMap<string, StockedProduct>;
  /** By `batchKey`; only existing ones. */
  batches: Map<string, Batch>;
  /** By `balanceKey`. A new one is empty, with the holds that already cover the batch there. */
  balances: Map<string, Balance>;
  /** The keys of existing balances, even empty ones. */
  stocked: Set<string>;
  /** By product, then by serial number. */
  serials: Map<string, Map<string, Serial>>;
}

interface Place {
  productCode: string;
  batchNo: string;
  warehouse: string;
}

export const balanceKey = (place: Place): string => `${batchKey(place)}\n${place.warehouse}`;

/**
 * Locks the products of goods and reads the stock they are added to. `goods` is SQL for rows of `product_code`, `batch_no`,
 * `warehouse` and `serials`, by the value in `$2`; `$1` is the organization.
 */
export function incomingStockLocker(goods: string): (tx: Tx, value: unknown) => Promise<IncomingStock> {
  const places = `(select distinct g.product_code, g.batch_no, g.warehouse from (${goods}) g) d
    order by d.product_code, d.batch_no, d.warehouse`;
  const units = `(${goods}) g cross join lateral unnest(g.serials) as u(serial_no) order by g.product_code, u.serial_no`;
  const lock = productLocker(`array(select distinct g.product_code from (${goods}) g)`);
  const readUnits = unitsReader({
    productCodes: `array(select g.product_code from ${units})`,
    serialNos: `array(select u.serial_no from ${units})`,
  });
  const standing = statement(`
    select q.product_code as "productCode", q.batch_no as "batchNo", q.warehouse, t.manufacture_date as "manufactureDate",
      t.expiry_date as "expiryDate", t.batch_no is not null as "isKnown",
      b.warehouse is not null as "isStocked", coalesce(b.quantity, 0) as quantity,
      coalesce(b.reserved, 0) as reserved, coalesce(b.held, 0) as held,
      coalesce(b.whole_holds, (select count(*)::integer from holds h
        where h.org_id = $1 and h.product_code = q.product_code and h.batch_no = q.batch_no
          and (h.warehouse is null or h.warehouse = q.warehouse) and h.extent = 'batch' and h.released_at is null)) as "wholeHolds"
    from unnest(array(select d.product_code from ${places}), array(select d.batch_no from ${places}),
      array(select d.warehouse from ${places})) as q(product_code, batch_no, warehouse)
    left join batches t on t.org_id = $1 and t.product_code = q.product_code and t.batch_no = q.batch_no
    left join balances b on b.org_id = $1 and b.product_code = q.product_code and b.batch_no = q.batch_no
      and b.warehouse = q.warehouse`);
  return async (tx, value) => {
    const [products, rows, serials] = await Promise.all([
      lock(tx, value),
      tx.query<Row>(standing, [tx.orgId, value]),
      readUnits(tx, value),
    ]);
    return { products, serials, ...byPlace(rows) };
  };
}

type Row = Batch & Balance & { isKnown: boolean; isStocked: boolean };

function byPlace(rows: readonly Row[]): Pick<IncomingStock, 'batches' | 'balances' | 'stocked'> {
  const batches = new Map<string, Batch>();
  const balances = new Map<string, Balance>();
  const stocked = new Set<string>();
  for (const { isKnown, isStocked, productCode, batchNo, manufactureDate, expiryDate, ...balance } of rows) {
    const batch = { productCode, batchNo, manufactureDate, expiryDate };
    if (isKnown) batches.set(batchKey(batch), batch);
    const key = balanceKey({ ...batch, warehouse: balance.warehouse });
    balances.set(key, { ...balance, batchNo });
    if (isStocked) stocked.add(key);
  }
  return { batches, balances, stocked };
}

const lockNamed = incomingStockLocker(`
  select e."productCode" as product_code, e."batchNo" as batch_no, e.warehouse, e.serials
  from jsonb_to_recordset($2::jsonb) as e("productCode" text, "batchNo" text, warehouse text, serials text[])`);

export const lockIncomingStock = (
  tx: Tx,
  goods: readonly (Place & { serials: readonly string[] })[],
): Promise<IncomingStock> =>
  lockNamed(
    tx,
    JSON.stringify(
      goods.map(({ productCode, batchNo, warehouse, serials }) => ({
        ...{ productCode, batchNo, warehouse, serials },
      })),
    ),
  );
