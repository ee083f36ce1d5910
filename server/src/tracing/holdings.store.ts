import { partnerRows, productRows, warehouseRows } from '../catalogue/index.js';
import { composedStatement, Filter, statement, type Tx } from '../platform/database/index.js';
import {
  balanceRows,
  batchCorrectionRows,
  batchRows,
  holdRows,
  holdSerialRows,
  movementRows,
  movementSerialRows,
} from '../stock/index.js';
import type { Holdings, Subject } from './trace.js';
import type { UnitMovement } from './trace.rules.js';

/** Holdings, and the last ledger position they include. */
export interface CountedHoldings extends Holdings {
  head: number;
}

const head = `(select p.movements_made from ${productRows('$1')} p where p.product_code = $2)`;
const rows = (select: string): string =>
  `coalesce((select json_agg(row_to_json(x)) from (${select}) x), '[]')`;
const NAMED_WAREHOUSE = `join ${warehouseRows('$1')} w on w.code = b.warehouse`;

/** The expiry date of batch `t` as it was known at `until`: before the first correction since. */
const expiryThen = (
  until: string,
): string => `(select case when c.corrected_at is null then t.expiry_date else c.expiry_date_before end
  from (select 1) one left join lateral (select c.corrected_at, c.expiry_date_before from ${batchCorrectionRows('$1')} c
    where c.product_code = t.product_code and c.batch_no = t.batch_no and c.corrected_at > ${until}
    order by c.corrected_at, c.correction_id limit 1) c on true)`;
const NAMED_CUSTOMER = `join ${partnerRows('$1')} p on p.code = m.counterparty_code`;

/** Quantities shipped to customers and not returned. */
const withCustomers = (where: string): string => `
  select m.counterparty_code as code, p.name, -sum(m.quantity_delta) as quantity,
    sum(case when m.quantity_delta < 0 then m.quantity when m.quantity_delta = 0 then -m.quantity else 0 end) as undelivered
  from ${movementRows('$1')} m ${NAMED_CUSTOMER} where ${where}
  group by 1, 2 having sum(m.quantity_delta) < 0 order by 1`;

/** Reads everything in one statement, so that it comes from one snapshot. `today` decides which batches have expired. */
export async function readHoldings(tx: Tx, subject: Subject, today: string): Promise<CountedHoldings> {
  const { productCode, batchNo, until } = subject;
  const stock = new Filter('b.org_id = $1 and b.product_code = $2', [tx.orgId, productCode, today]);
  stock.and('b.batch_no = ?', batchNo);
  const batchPlace = batchNo === null ? '' : ` and m.batch_no = $${stock.values.length}`;
  if (until !== null) stock.values.push(until);
  const untilPlace = until === null ? '' : ` and m.recorded_at <= $${stock.values.length}`;
  const own = `m.org_id = $1 and m.product_code = $2${batchPlace}${untilPlace}`;
  const customers = withCustomers(`${own} and m.counterparty_type = 'customer' and not m.unmatched`);
  const warehouses = until === null ? stockNow(stock.where) : stockThen(own, `$${stock.values.length}`);
  const sql = `select ${head} as head, ${rows(warehouses)} as warehouses, ${rows(customers)} as customers`;
  const [row] = await tx.query<CountedHoldings>(composedStatement(sql), stock.values);
  if (!row) throw new Error('product row missing inside the transaction');
  return row;
}

const stockNow = (where: string): string => `
  select b.warehouse as code, w.name, sum(b.quantity) as quantity,
    sum(case when t.expiry_date < $3 then b.quantity else 0 end) as expired,
    sum(case when t.expiry_date < $3 then 0 when b.whole_holds > 0 then b.quantity else b.held end) as held
  from ${balanceRows('$1')} b ${NAMED_WAREHOUSE}
  join ${batchRows('$1')} t on t.product_code = b.product_code and t.batch_no = b.batch_no
  where ${where} and b.quantity > 0 group by 1, 2 order by 1`;

/** Holds are dated, so those in force at `until` can be selected. */
const inForce = (until: string): string =>
  `h.created_at <= ${until} and (h.released_at is null or h.released_at > ${until})`;

/** Units on hold by quantity in warehouse `b` at `until`: those there now, before the transfers and dispositions since. */
const heldByQuantity = (until: string): string => `
  select coalesce((select sum(h.quantity) from ${holdRows('$1')} h
      where h.product_code = $2 and h.batch_no = b.batch_no and h.warehouse = b.warehouse and h.extent = 'quantity'
        and ${inForce(until)}), 0)
    - coalesce((select sum(case m.kind when 'release' then -m.quantity else m.quantity_delta end)
      from ${movementRows('$1')} m join ${holdRows('$1')} h on h.hold_id = m.hold_id
      where m.product_code = $2 and m.batch_no = b.batch_no and m.warehouse = b.warehouse and m.hold_id is not null
        and m.recorded_at > ${until} and h.extent = 'quantity' and ${inForce(until)}), 0) as quantity`;

/** Serialized units on hold one by one that were in warehouse `b` at `until`. */
const heldUnits = (until: string): string => `
  select count(*) as quantity from (select distinct x.serial_no from ${holdRows('$1')} h
    join ${holdSerialRows('$1')} x on x.hold_id = h.hold_id
    where h.product_code = $2 and h.batch_no = b.batch_no and h.extent = 'serials' and ${inForce(until)}) x
  cross join lateral (select m.warehouse, m.quantity_delta from ${movementSerialRows('$1')} s
    join ${movementRows('$1')} m on m.movement_id = s.movement_id
    where s.product_code = $2 and s.serial_no = x.serial_no and m.quantity_delta <> 0 and m.recorded_at <= ${until}
    order by m.position desc limit 1) l
  where l.warehouse = b.warehouse and l.quantity_delta > 0`;

/** Sums the ledger up to `until`. */
const stockThen = (own: string, until: string): string => `
  select b.warehouse as code, w.name, sum(b.quantity) as quantity,
    sum(case when t.expiry_date < $3 then b.quantity else 0 end) as expired,
    sum(case when t.expiry_date < $3 then 0 when h.whole then b.quantity
      else least(q.quantity + u.quantity, b.quantity) end) as held
  from (select m.warehouse, m.batch_no, sum(m.quantity_delta) as quantity from ${movementRows('$1')} m where ${own}
    group by 1, 2 having sum(m.quantity_delta) > 0) b ${NAMED_WAREHOUSE}
  cross join lateral (select ${expiryThen(until)} as expiry_date from ${batchRows('$1')} t
    where t.product_code = $2 and t.batch_no = b.batch_no) t
  cross join lateral (
    select count(*) > 0 as whole from ${holdRows('$1')} h
    where h.product_code = $2 and h.batch_no = b.batch_no and (h.warehouse is null or h.warehouse = b.warehouse)
      and h.extent = 'batch' and ${inForce(until)}) h
  cross join lateral (${heldByQuantity(until)}) q cross join lateral (${heldUnits(until)}) u
  group by 1, 2 order by 1`;

const UNIT_MOVEMENTS_MAX = 10_000;
const unitMovements = statement(`
  select ${head} as head,
    coalesce((select json_agg(json_build_object('kind', m.kind, 'warehouse', m.warehouse, 'quantityDelta', m.quantity_delta,
        'counterparty', case when m.counterparty_type is null then null
          else json_build_object('type', m.counterparty_type, 'code', m.counterparty_code) end,
        'documentId', coalesce(m.hold_id, m.document_id)) order by m.position)
      from (select m.* from ${movementSerialRows('$1')} s join ${movementRows('$1')} m on m.movement_id = s.movement_id
        where s.product_code = $2 and s.serial_no = $3 and m.recorded_at <= $4
        order by m.position desc limit ${UNIT_MOVEMENTS_MAX}) m), '[]') as movements`);

/** Movements of one serialized unit, oldest first. */
export async function readUnitMovements(
  tx: Tx,
  { productCode, serialNo, until }: Subject,
): Promise<{ head: number; movements: UnitMovement[] }> {
  const [row] = await tx.query<{ head: number; movements: UnitMovement[] }>(unitMovements, [
    tx.orgId,
    productCode,
    serialNo,
    until ?? 'infinity',
  ]);
  if (!row) throw new Error('product row missing inside the transaction');
  return row;
}

const aboutPlace = statement(`
  select (select w.name from ${warehouseRows('$1')} w where w.code = $4) as "warehouseName",
    (select p.name from ${partnerRows('$1')} p where p.code = $5) as "customerName",
    coalesce((select ${expiryThen('$7')} < $6 from ${batchRows('$1')} t where t.product_code = $2 and t.batch_no = $3), false) as expired,
    exists (select from ${holdRows('$1')} h where h.product_code = $2 and h.batch_no = $3 and h.extent = 'batch'
      and (h.warehouse is null or h.warehouse = $4) and h.created_at <= $7 and (h.released_at is null or h.released_at > $7))
      as "batchHeld"`);

export interface PlaceFacts {
  warehouseName: string | null;
  customerName: string | null;
  expired: boolean;
  /** The whole batch is on hold in the warehouse. */
  batchHeld: boolean;
}

export async function readPlaceFacts(
  tx: Tx,
  subject: Subject,
  place: { warehouse: string | null; customerCode: string | null },
  today: string,
): Promise<PlaceFacts> {
  const { productCode, batchNo, until } = subject;
  const [row] = await tx.query<PlaceFacts>(aboutPlace, [
    tx.orgId,
    productCode,
    batchNo,
    place.warehouse,
    place.customerCode,
    today,
    until ?? 'infinity',
  ]);
  if (!row) throw new Error('select without a table returned no row');
  return row;
}
