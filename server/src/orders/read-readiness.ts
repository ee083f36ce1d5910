import { readTradeParties } from '../catalogue/index.js';
import { reviewGate } from '../certificates/index.js';
import type { Tx } from '../platform/database/index.js';
import { previewReservation, type ReservationPreview, suitsLine } from '../stock/index.js';
import { subjectsOf, suspensionIssues } from './approve-orders.js';
import { type LaterReservation, readLaterReservations } from './later-reservations.store.js';
import { readOrder } from './load-order.js';
import type { Order } from './order.js';
import { missingDemand, orderMachine } from './order.rules.js';
import { type IncomingGoods, readIncomingGoods } from './receipt-hooks.js';

type Suspension = ReturnType<typeof suspensionIssues>[number];

/** Other sources of a product. */
interface Sources {
  reservations: LaterReservation[];
  holds: ReservationPreview['holds'];
  receipts: IncomingGoods[] | null;
  warehouses: ReservationPreview['warehouses'];
}

export interface LineReadiness extends Omit<ReservationPreview, 'holds' | 'warehouses'> {
  sources: Sources;
}

/** The obstacles to approving an order, or to reserving its shortage. Parts outside the scopes are null. */
export interface Readiness {
  orderId: string;
  suspensions: Suspension[];
  certificates: Awaited<ReturnType<typeof reviewGate>> | null;
  lines: LineReadiness[] | null;
}

/** Reads what approval would find now. An order that reserves nothing more has no readiness. */
export async function readReadiness(
  tx: Tx,
  orderId: string,
  scopes: ReadonlySet<string>,
): Promise<Readiness> {
  const order = await readOrder(tx, orderId);
  const reserves =
    orderMachine.allows(order.status, 'approve') || orderMachine.allows(order.status, 'reserve');
  if (!reserves) return { orderId, suspensions: [], certificates: null, lines: null };
  const parties = await readTradeParties(
    tx,
    [order.customerCode],
    order.lines.map((line) => line.productCode),
  );
  return {
    orderId,
    suspensions: suspensionIssues(parties, order, 'reject the order'),
    certificates: scopes.has('certificates:read') ? await reviewGate(tx, subjectsOf(order)) : null,
    lines: scopes.has('inventory:read') ? await readLines(tx, order, scopes) : null,
  };
}

async function readLines(tx: Tx, order: Order, scopes: ReadonlySet<string>): Promise<LineReadiness[]> {
  const { orderId, warehouse } = order;
  const lines = missingDemand(order, tx.today);
  const previews = await previewReservation(tx, { orderId, warehouse, lines });
  const short = [
    ...new Set(previews.flatMap(({ line, missing }) => (missing > 0 ? [line.productCode] : []))),
  ];
  const later = short.length === 0 ? [] : await readLaterReservations(tx, order, short);
  const incoming =
    short.length > 0 && scopes.has('receipts:read') ? await readIncomingGoods(tx, short, warehouse) : [];
  return previews.map(({ holds, warehouses, ...preview }) => {
    const { line, missing } = preview;
    const suitable = <G extends { productCode: string; batchNo: string; expiryDate: string | null }>(
      goods: readonly G[],
    ): G[] =>
      missing > 0
        ? goods.filter((each) => each.productCode === line.productCode && suitsLine(each, line))
        : [];
    const receipts = scopes.has('receipts:read') ? suitable(incoming) : null;
    return { ...preview, sources: { reservations: suitable(later), holds, receipts, warehouses } };
  });
}
