import type {
  ChainItem,
  Holder,
  Holdings,
  LedgerRow,
  Party,
  Step,
  TracedRecall,
  TraceStatus,
} from './trace.js';

const STEP_OF: Record<LedgerRow['kind'], Step> = {
  receipt: 'received',
  return: 'returned',
  dispatch: 'dispatched',
  delivery: 'delivered',
  adjustment: 'added',
  hold: 'held',
  release: 'released',
  transfer_out: 'moved_out',
  transfer_in: 'moved_in',
  correction: 'corrected',
  destruction: 'destroyed',
  supplier_return: 'returned_to_supplier',
};

function stepOf({ kind, quantityDelta, holdSource }: LedgerRow): Step {
  if (kind === 'adjustment' && quantityDelta < 0) return 'removed';
  if (kind === 'hold' && holdSource === 'recall') return 'recalled';
  return STEP_OF[kind];
}

const INWARD: readonly Step[] = ['received', 'returned', 'added', 'moved_in'];
const UNMOVED: readonly Step[] = ['held', 'recalled', 'released', 'corrected'];

/** Converts a movement to a step of the history. For a serialized unit the quantity is 1, however many moved with it. */
export function toChainItem(row: LedgerRow, serialNo: string | null): ChainItem {
  const step = stepOf(row);
  const here: Party = { kind: 'warehouse', code: row.warehouse, name: row.warehouseName };
  const there: Party | null = row.counterparty && {
    kind: row.counterparty.type,
    code: row.counterparty.code,
    name: row.counterpartyName,
  };
  const [from, to] = INWARD.includes(step) ? [there, here] : [here, there];
  const moved = !UNMOVED.includes(step);
  return {
    movementId: row.movementId,
    position: row.position,
    step,
    at: row.occurredAt,
    recordedAt: row.recordedAt,
    // Delivered goods are no longer in the warehouse; a corrected batch may have no stock there.
    location: step === 'delivered' || (step === 'corrected' && row.quantity === 0) ? null : row.warehouse,
    from: moved ? from : null,
    to: moved ? to : null,
    document: row.document,
    productName: row.productName,
    batchNo: row.batchNo,
    serialNo,
    expiryDate: row.expiryDate,
    quantity: serialNo === null ? row.quantity : 1,
    actor: row.actor,
    correction: row.correction,
    certificates: [],
    notCovering: [],
  };
}

/** The part of a movement that decides where a serialized unit is. */
export type UnitMovement = Pick<LedgerRow, 'kind' | 'warehouse' | 'quantityDelta' | 'counterparty'> & {
  documentId: string;
};

export interface UnitLocation {
  /** Null when the unit is not in stock. */
  warehouse: string | null;
  /** A hold names its serial number; holds of the whole batch do not count here. */
  held: boolean;
  customerCode: string | null;
  delivered: boolean;
}

/** Derives where a serialized unit is from its movements, oldest first. */
export function locateUnit(movements: readonly UnitMovement[]): UnitLocation {
  const holds = new Set<string>();
  let warehouse: string | null = null;
  let left: UnitMovement | null = null;
  let delivered = false;
  for (const movement of movements) {
    if (movement.quantityDelta !== 0) {
      const arrived = movement.quantityDelta > 0;
      warehouse = arrived ? movement.warehouse : null;
      left = arrived ? null : movement;
      delivered = false;
      // A unit that leaves the stock leaves its holds too; a transferred unit takes them along.
      if (movement.kind !== 'transfer_out' && movement.kind !== 'transfer_in') holds.clear();
    } else if (movement.kind === 'hold') holds.add(movement.documentId);
    else if (movement.kind === 'release') holds.delete(movement.documentId);
    else if (movement.kind === 'delivery') delivered = left?.documentId === movement.documentId;
  }
  const customerCode = left?.counterparty?.type === 'customer' ? left.counterparty.code : null;
  return { warehouse, held: holds.size > 0, customerCode, delivered };
}

/** The location decides; a recall takes precedence, and stock on hold or expired counts only if nothing else is left. */
export function statusOf(
  { warehouses, customers }: Holdings,
  recalls: readonly TracedRecall[],
  movementsSeen: boolean,
): TraceStatus {
  const total = (of: 'quantity' | 'expired' | 'held') => warehouses.reduce((sum, each) => sum + each[of], 0);
  const inStock = total('quantity');
  const outside = customers.filter((customer) => customer.quantity > 0);
  if (inStock === 0 && outside.length === 0) return movementsSeen ? 'removed' : 'none';
  if (recalls.some((recall) => recall.covers && recall.status === 'open')) return 'recalled';
  if (inStock === 0) return outside.some((customer) => customer.undelivered > 0) ? 'dispatched' : 'delivered';
  if (inStock > total('expired') + total('held')) return 'in_stock';
  return total('held') > 0 ? 'on_hold' : 'expired';
}

export const holdersOf = ({ warehouses, customers }: Holdings): Holder[] => [
  ...warehouses.map(({ code, name, quantity }) => ({ kind: 'warehouse' as const, code, name, quantity })),
  ...customers
    .filter((customer) => customer.quantity > 0)
    .map(({ code, name, quantity }) => ({ kind: 'customer' as const, code, name, quantity })),
];
