import { type Statement, statement, type Tx } from '../platform/database/index.js';
import type { Allocation } from './reservation.rules.js';
import type { Balance, Serial } from './stock.js';

/** SQL that finds the stock of a dispatch: `orderIds` is an array, `dispatchId` a text, and the units are arrays, pairwise. */
interface ShipmentSource extends UnitSource {
  orderIds: string;
  dispatchId: string;
}

interface UnitSource {
  productCodes: string;
  serialNos: string;
}

/** A reservation of a dispatch that has not expired, with the balance it reserves. */
export type AssignedStock = Allocation & { balance: Balance; isExpired: boolean };

export interface ShippableStock {
  assigned: AssignedStock[];
  serials: KnownSerials;
}

/** By product, then by serial number. */
export type KnownSerials = ReadonlyMap<string, ReadonlyMap<string, Serial>>;

const assignedTo = ({ orderIds, dispatchId }: ShipmentSource) =>
  statement(`
  select r.order_id as "orderId", r.line_no as "lineNo", r.batch_no as "batchNo", r.product_code as "productCode", r.warehouse,
    r.quantity, r.reserved_at as "reservedAt", coalesce(t.expiry_date < $3, false) as "isExpired",
    json_build_object('warehouse', b.warehouse, 'batchNo', b.batch_no, 'quantity', b.quantity, 'reserved', b.reserved,
      'held', b.held, 'wholeHolds', b.whole_holds) as balance
  from reservations r
  join batches t on t.org_id = $1 and t.product_code = r.product_code and t.batch_no = r.batch_no
  join balances b on b.org_id = $1 and b.product_code = r.product_code and b.warehouse = r.warehouse and b.batch_no = r.batch_no
  where r.org_id = $1 and r.order_id = any(${orderIds}) and r.dispatch_id = ${dispatchId}`);

const unitsOf = ({ productCodes, serialNos }: UnitSource) =>
  statement(`
  select s.product_code as "productCode", s.serial_no as "serialNo", s.batch_no as "batchNo", s.warehouse, s.holds
  from (select distinct * from unnest(${productCodes}, ${serialNos})) as q(product_code, serial_no)
  join serials s on s.org_id = $1 and s.product_code = q.product_code and s.serial_no = q.serial_no`);
const unitsNamed = unitsOf({ productCodes: '$2::text[]', serialNos: '$3::text[]' });

/**
 * Reads the stock of a dispatch that SQL selects, once its products are locked. `$1` is the organization, `$2` the dispatch.
 */
export function shippableStockReader(source: ShipmentSource) {
  const assigned = assignedTo(source);
  const readUnits = unitsReader(source);
  return async (tx: Tx, dispatchId: string): Promise<ShippableStock> => {
    const [stock, serials] = await Promise.all([
      tx.query<AssignedStock>(assigned, [tx.orgId, dispatchId, tx.today]),
      readUnits(tx, dispatchId),
    ]);
    return { assigned: stock, serials };
  };
}

/** Reads serialized units that SQL selects by the value in `$2`. */
export function unitsReader(source: UnitSource): (tx: Tx, value: unknown) => Promise<SerialsByProduct> {
  const units = unitsOf(source);
  return (tx, value) => readUnits(tx, units, [value]);
}

/** The serialized units of several products. */
export async function readKnownSerials(
  tx: Tx,
  goods: readonly { productCode: string; serials: readonly string[] }[],
): Promise<KnownSerials> {
  const pairs = goods.flatMap(({ productCode, serials }) =>
    serials.map((serialNo) => ({ productCode, serialNo })),
  );
  if (pairs.length === 0) return new Map();
  return readUnits(tx, unitsNamed, [
    pairs.map((pair) => pair.productCode),
    pairs.map((pair) => pair.serialNo),
  ]);
}

type SerialsByProduct = Map<string, Map<string, Serial>>;

async function readUnits(tx: Tx, sql: Statement, values: readonly unknown[]): Promise<SerialsByProduct> {
  const rows = await tx.query<Serial & { productCode: string }>(sql, [tx.orgId, ...values]);
  const known: SerialsByProduct = new Map();
  for (const { productCode, ...serial } of rows) {
    const ofProduct = known.get(productCode) ?? new Map<string, Serial>();
    known.set(productCode, ofProduct.set(serial.serialNo, serial));
  }
  return known;
}
