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
};

function stepOf({ kind, quantityDelta, holdSource }: LedgerRow): Step {
  if (kind === 'adjustment' && quantityDelta < 0) return 'removed';
  if (kind === 'hold' && holdSource === 'recall') return 'recalled';
  return STEP_OF[kind];
}

const INWARD: readonly Step[] = ['received', 'returned', 'added', 'moved_in'];
const UNMOVED: readonly Step[] = ['held', 'recalled', 'released', 'corrected'];

/** One row of the ledger as a link of the chain. Of a piece the quantity is the piece. */
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
    // Delivered goods have left the warehouse that they came from; of corrected ones nothing need be left there.
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
  };
}

/** A row of the ledger as far as it decides where a piece is. */
export type PieceMovement = Pick<LedgerRow, 'kind' | 'warehouse' | 'quantityDelta' | 'counterparty'> & {
  documentId: string;
};

export interface Piece {
  /** Null: not in stock. */
  warehouse: string | null;
  /** It is on hold by its own number. */
  held: boolean;
  customerCode: string | null;
  delivered: boolean;
}

/** Where a piece is, from all that happened to it, oldest first. */
export function locatePiece(movements: readonly PieceMovement[]): Piece {
  const holds = new Set<string>();
  let warehouse: string | null = null;
  let left: PieceMovement | null = null;
  let delivered = false;
  for (const movement of movements) {
    if (movement.quantityDelta !== 0) {
      const arrived = movement.quantityDelta > 0;
      warehouse = arrived ? movement.warehouse : null;
      left = arrived ? null : movement;
      delivered = false;
      // A piece that leaves the stock leaves its holds too.
      holds.clear();
    } else if (movement.kind === 'hold') holds.add(movement.documentId);
    else if (movement.kind === 'release') holds.delete(movement.documentId);
    else if (movement.kind === 'delivery') delivered = left?.documentId === movement.documentId;
  }
  const customerCode = left?.counterparty?.type === 'customer' ? left.counterparty.code : null;
  return { warehouse, held: holds.size > 0, customerCode, delivered };
}

/** Where things are decides; what may not be used says so first. */
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
