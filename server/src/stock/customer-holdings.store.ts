import { partnerRows } from '../catalogue/index.js';
import { statement, type Tx } from '../platform/database/index.js';

/** Customer holdings according to the ledger: dispatched and not returned. The caller holds the product lock. */

// Earlier versions accepted returns without a limit. A return beyond the holdings came from elsewhere and must not reduce
// the holdings of later deliveries, so a running balance below zero restarts there.
const heldQuantity = 'sum(m.shipped) - least(0, min(m.balance))';
const shipments = (which: string) => `
  select m.counterparty_code, -m.quantity_delta as shipped,
    -sum(m.quantity_delta) over (partition by m.counterparty_code order by m.position) as balance
  from movements m
  where m.org_id = $1 and m.product_code = $2 and m.batch_no = $3 and m.counterparty_type = 'customer'
    and not m.unmatched${which}`;
const ofBatch = statement(`
  select coalesce(${heldQuantity}, 0)::bigint as held from (${shipments(' and m.counterparty_code = $4')}) m`);
const ofDispatch = statement(`
  select (coalesce((select sum(m.quantity) from movements m
      where m.org_id = $1 and m.document_type = 'dispatch' and m.document_id = $5 and m.kind = 'dispatch'
        and m.product_code = $2 and m.batch_no = $3 and m.counterparty_type = 'customer' and m.counterparty_code = $4), 0)
    - coalesce((select sum(m.quantity) from movements m
      where m.org_id = $1 and m.dispatch_id = $5 and m.kind = 'return' and m.product_code = $2 and m.batch_no = $3
        and not m.unmatched), 0))::bigint as held`);
// The latest movement of a unit decides where it is.
const ofSerials = statement(`
  select s.serial_no as "serialNo" from unnest($5::text[]) as s(serial_no)
  cross join lateral (
    select m.quantity_delta, m.batch_no, m.counterparty_type, m.counterparty_code, m.document_id
    from movement_serials x join movements m on m.org_id = $1 and m.movement_id = x.movement_id
    where x.org_id = $1 and x.product_code = $2 and x.serial_no = s.serial_no and m.quantity_delta <> 0
    order by m.position desc limit 1) latest
  where latest.quantity_delta < 0 and latest.batch_no = $3 and latest.counterparty_type = 'customer'
    and latest.counterparty_code = $4 and ($6::text is null or latest.document_id = $6)`);
const withCustomers = statement(`
  select m.counterparty_code as code, p.name, (${heldQuantity})::bigint as quantity from (${shipments('')}) m
  join ${partnerRows('$1')} p on p.code = m.counterparty_code
  group by 1, 2 having ${heldQuantity} > 0 order by 1`);

export interface Held {
  customerCode: string;
  productCode: string;
  batchNo: string;
  /** Set: only goods that left with this dispatch. */
  dispatchId: string | null;
}

export async function readHeldQuantity(tx: Tx, of: Held): Promise<number> {
  const batch = [tx.orgId, of.productCode, of.batchNo, of.customerCode];
  const [whole] = await tx.query<{ held: number }>(ofBatch, batch);
  const held = Math.max(0, whole?.held ?? 0);
  if (of.dispatchId === null || held === 0) return held;
  const [part] = await tx.query<{ held: number }>(ofDispatch, [...batch, of.dispatchId]);
  return Math.max(0, Math.min(held, part?.held ?? 0));
}

/** Returns the given serial numbers that the customer holds. */
export async function readHeldSerials(
  tx: Tx,
  of: Held,
  serials: readonly string[],
): Promise<ReadonlySet<string>> {
  const values = [tx.orgId, of.productCode, of.batchNo, of.customerCode, serials, of.dispatchId];
  const rows = await tx.query<{ serialNo: string }>(ofSerials, values);
  return new Set(rows.map((row) => row.serialNo));
}

export interface HoldingCustomer {
  code: string;
  name: string;
  quantity: number;
}

export async function readHoldingCustomers(
  tx: Tx,
  productCode: string,
  batchNo: string,
): Promise<HoldingCustomer[]> {
  return tx.query<HoldingCustomer>(withCustomers, [tx.orgId, productCode, batchNo]);
}
