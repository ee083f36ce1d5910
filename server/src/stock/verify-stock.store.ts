import { productRows } from '../catalogue/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import { heldQuantity } from './change-marks.js';
import { figuresByExpiry } from './stock-tally.store.js';

export interface StockDifference {
  productCode: string;
  warehouse: string | null;
  batchNo: string;
  problem: string;
  expected: number;
  found: number;
}

const balanceAgainstLedger = statement(`
  select coalesce(b.product_code, m.product_code) as "productCode", coalesce(b.warehouse, m.warehouse) as warehouse,
    coalesce(b.batch_no, m.batch_no) as "batchNo", 'balance is not the sum of its movements' as problem,
    coalesce(m.total, 0)::integer as expected, coalesce(b.quantity, 0) as found
  from (select product_code, warehouse, batch_no, sum(quantity_delta) as total from movements
        where org_id = $1 and product_code = any($2) group by product_code, warehouse, batch_no) m
  full join (select * from balances where org_id = $1 and product_code = any($2)) b
    on b.product_code = m.product_code and b.warehouse = m.warehouse and b.batch_no = m.batch_no
  where coalesce(m.total, 0) <> coalesce(b.quantity, 0) order by 1, 2, 3 limit 1`);

const heldAgainstHolds = statement(`
  select b.product_code as "productCode", b.warehouse, b.batch_no as "batchNo", 'held is not the sum of its holds' as problem,
    e.expected, b.held as found
  from balances b cross join lateral (
    select (coalesce((select sum(h.quantity) from holds h where h.org_id = $1 and h.product_code = b.product_code
        and h.batch_no = b.batch_no and h.warehouse = b.warehouse and h.extent = 'quantity' and h.released_at is null), 0)
      + (select count(*) from serials s where s.org_id = $1 and s.product_code = b.product_code and s.batch_no = b.batch_no
        and s.warehouse = b.warehouse and s.holds > 0))::integer as expected) e
  where b.org_id = $1 and b.product_code = any($2) and e.expected <> b.held order by 1, 2, 3 limit 1`);

const wholeHoldsAgainstHolds = statement(`
  select b.product_code as "productCode", b.warehouse, b.batch_no as "batchNo", 'holds of the whole batch are miscounted' as problem,
    e.expected, b.whole_holds as found
  from balances b cross join lateral (
    select count(*)::integer as expected from holds h where h.org_id = $1 and h.product_code = b.product_code
      and h.batch_no = b.batch_no and (h.warehouse is null or h.warehouse = b.warehouse) and h.extent = 'batch'
      and h.released_at is null) e
  where b.org_id = $1 and b.product_code = any($2) and e.expected <> b.whole_holds order by 1, 2, 3 limit 1`);

const serialsAgainstBalance = statement(`
  select b.product_code as "productCode", b.warehouse, b.batch_no as "batchNo", 'serial numbers in stock do not add up' as problem,
    b.quantity as expected, e.found
  from ${productRows('$1')} p join balances b on b.org_id = $1 and b.product_code = p.product_code
  cross join lateral (
    select count(*)::integer as found from serials s where s.org_id = $1 and s.product_code = b.product_code
      and s.batch_no = b.batch_no and s.warehouse = b.warehouse) e
  where p.product_code = any($2) and p.tracking = 'serial' and e.found <> b.quantity order by 1, 2, 3 limit 1`);

const reservedAgainstReservations = statement(`
  select coalesce(b.product_code, r.product_code) as "productCode", coalesce(b.warehouse, r.warehouse) as warehouse,
    coalesce(b.batch_no, r.batch_no) as "batchNo", 'reserved is not the sum of its reservations' as problem,
    coalesce(r.total, 0)::integer as expected, coalesce(b.reserved, 0) as found
  from (select product_code, warehouse, batch_no, sum(quantity) as total from reservations
        where org_id = $1 and product_code = any($2) group by product_code, warehouse, batch_no) r
  full join (select * from balances where org_id = $1 and product_code = any($2)) b
    on b.product_code = r.product_code and b.warehouse = r.warehouse and b.batch_no = r.batch_no
  where coalesce(r.total, 0) <> coalesce(b.reserved, 0) limit 1`);

const serialHolds = statement(`
  select s.product_code as "productCode", s.warehouse, s.batch_no as "batchNo", 'holds of serial ' || s.serial_no || ' are miscounted' as problem,
    e.expected, s.holds as found
  from serials s cross join lateral (
    select count(*)::integer as expected from hold_serials x join holds h on h.org_id = $1 and h.hold_id = x.hold_id
    where x.org_id = $1 and x.product_code = s.product_code and x.serial_no = s.serial_no and h.released_at is null) e
  where s.org_id = $1 and s.product_code = any($2) and e.expected <> s.holds order by s.product_code, s.serial_no limit 1`);

const ledgerAgainstCount = statement(`
  select p.product_code as "productCode", null as warehouse, '' as "batchNo", 'movements are missing from the ledger' as problem,
    p.movements_made::integer as expected, m.found
  from ${productRows('$1')} p cross join lateral (
    select count(*)::integer as found, coalesce(max(position), 0) as last from movements m
    where m.org_id = $1 and m.product_code = p.product_code) m
  where p.product_code = any($2) and (m.found <> p.movements_made or m.last <> p.movements_made)
  order by 1 limit 1`);

// One statement, so that a concurrent change is in both or in neither. Sums of the check: units, reserved, held and batches.
const talliesAgainstBalances = statement(`
  with stocked as (
    select b.product_code, b.batch_no, sum(b.quantity) as total, sum(b.reserved) as reserved, sum(${heldQuantity('b')}) as held
    from balances b where b.org_id = $1 and b.quantity > 0 group by b.product_code, b.batch_no),
  dated as (
    select coalesce(t.expiry_date, 'infinity'::date) as expiry_date, sum(s.total) as total, sum(s.reserved) as reserved,
      sum(s.held) as held, count(*) as batches
    from stocked s join batches t on t.org_id = $1 and t.product_code = s.product_code and t.batch_no = s.batch_no group by 1),
  found as (select * from ${figuresByExpiry('$1')} f),
  compared as (
    select coalesce(d.expiry_date, f.expiry_date)::text as what,
      (coalesce(d.total, 0) + coalesce(d.reserved, 0) + coalesce(d.held, 0) + coalesce(d.batches, 0))::integer as expected,
      (coalesce(f.total, 0) + coalesce(f.reserved, 0) + coalesce(f.held, 0) + coalesce(f.batches, 0))::integer as found,
      (coalesce(d.total, 0), coalesce(d.reserved, 0), coalesce(d.held, 0), coalesce(d.batches, 0))
        is distinct from (coalesce(f.total, 0), coalesce(f.reserved, 0), coalesce(f.held, 0), coalesce(f.batches, 0)) as differs
    from dated d full join found f on f.expiry_date = d.expiry_date
    union all
    select 'products', p.expected::integer, p.found::integer, p.expected <> p.found
    from (select (select count(distinct product_code) from stocked) as expected,
      (select coalesce(sum(products), 0) from found) as found) p)
  select '' as "productCode", null as warehouse, '' as "batchNo",
    'figures of all stock (' || what || ') are not those of the balances' as problem, expected, found
  from compared where differs order by what limit 1`);

/** Compares the stored figures of the whole organization with its balances. */
export async function findTallyDifference(tx: Tx): Promise<StockDifference | null> {
  const [row] = await tx.query<StockDifference>(talliesAgainstBalances, [tx.orgId]);
  return row ?? null;
}

export async function findStockDifference(tx: Tx, codes: readonly string[]): Promise<StockDifference | null> {
  for (const check of [
    balanceAgainstLedger,
    reservedAgainstReservations,
    heldAgainstHolds,
    wholeHoldsAgainstHolds,
    serialsAgainstBalance,
    serialHolds,
    ledgerAgainstCount,
  ]) {
    const [row] = await tx.query<StockDifference>(check, [tx.orgId, codes]);
    if (row) return row;
  }
  return null;
}
