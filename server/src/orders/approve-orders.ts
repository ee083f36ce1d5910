import { saleIssues, type TradeParties } from '../catalogue/index.js';
import type { Gate, GateWarning, Subject } from '../certificates/index.js';
import { type Caller, type Outcome, outcomeOf, runInConflictFreeRounds } from '../platform/batched-calls.js';
import type { Tx } from '../platform/database/index.js';
import { type Issue, missing, Refusal, refuseAny } from '../platform/errors/index.js';
import { reserveFrom } from '../stock/index.js';
import { moveOrders } from './move-orders.js';
import type { Order } from './order.js';
import { missingDemand, requireMove, withReservations } from './order.rules.js';
import { lockOrders } from './order.store.js';
import { lockPartiesOfPending, readGateOfPending, readStockForPending } from './pending-order.store.js';

export interface Approval {
  by: Caller;
  orderId: string;
}

/**
 * Approves orders: checks certificates and reserves stock, for each order all or nothing. Concurrent approvals share one
 * transaction, so that a hundred orders for one product wait for its lock once instead of a hundred times.
 */
export async function approveOrders(tx: Tx, approvals: readonly Approval[]): Promise<Outcome<Order>[]> {
  return runInConflictFreeRounds(
    approvals,
    (approval) => approval.orderId,
    (round) => approveRound(tx, round),
  );
}

async function approveRound(tx: Tx, approvals: readonly Approval[]): Promise<Outcome<Order>[]> {
  const orderIds = approvals.map((approval) => approval.orderId);
  // Sent together: each of them selects its rows by the ids of the orders.
  const [orders, parties, gate, stock] = await Promise.all([
    lockOrders(tx, orderIds),
    lockPartiesOfPending(tx, [orderIds]),
    readGateOfPending(tx, [orderIds]),
    readStockForPending(tx, [orderIds]),
  ]);
  const judge = judgementBy(parties, gate);
  const judged = approvals.map((approval) => outcomeOf(() => judge(orders.get(approval.orderId))));
  const good = judged.flatMap((outcome) => ('value' in outcome ? [outcome.value.order] : []));
  const warnings = new Map(
    judged.flatMap((outcome) =>
      'value' in outcome ? [[outcome.value.order.orderId, outcome.value.warnings]] : [],
    ),
  );
  const reserved = await reserveFrom(
    tx,
    stock,
    good.map((order) => ({
      orderId: order.orderId,
      warehouse: order.warehouse,
      lines: missingDemand(order, tx.today),
    })),
  );
  const outcomes = new Map(good.map((order, i) => [order.orderId, reserved[i]]));
  const steps = approvals.flatMap(({ orderId, by }) => {
    const order = good.find((each) => each.orderId === orderId);
    return order && outcomes.get(orderId)?.short.length === 0
      ? [{ order, action: 'approve', to: ['approved' as const], by, warnings: warnings.get(orderId) }]
      : [];
  });
  const moved = new Map((await moveOrders(tx, steps)).map((order) => [order.orderId, order]));
  return judged.map((outcome): Outcome<Order> => {
    if ('failure' in outcome) return outcome;
    const { orderId } = outcome.value.order;
    const { allocations = [], short = [] } = outcomes.get(orderId) ?? {};
    const order = moved.get(orderId);
    if (short.length > 0 || !order) return { failure: insufficientStock(outcome.value.order, short) };
    return { value: withReservations(order, allocations) };
  });
}

/** An order that may be approved, with the warnings of its gate. */
interface Approvable {
  order: Order;
  warnings: GateWarning[];
}

const judgementBy =
  (parties: TradeParties, gate: Gate) =>
  (order: Order | undefined): Approvable => {
    if (!order) throw missing('order', 'orderId');
    requireMove(order, 'approve');
    refuseAny(suspensionIssues(parties, order, 'reject the order'));
    return { order, warnings: gate(subjectsOf(order)) };
  };

/** Issues of an order whose customer or products are suspended. */
export const suspensionIssues = (parties: TradeParties, order: Order, otherwise: string): Issue[] =>
  saleIssues(
    parties,
    order.customerCode,
    order.lines.map(({ productCode }, i) => ({ path: `/lines/${i}`, productCode })),
    otherwise,
  );

/** The subjects whose certificates an order depends on. */
export const subjectsOf = (order: Order): Subject[] => [
  { type: 'customer', code: order.customerCode },
  ...order.lines.map((line) => ({ type: 'product' as const, code: line.productCode })),
];

export function insufficientStock(
  order: Order,
  short: readonly { lineNo: number; productCode: string; missing: number }[],
): Refusal {
  return new Refusal(
    short.map(({ lineNo, productCode, missing: lacking }) => ({
      path: `/lines/${order.lines.findIndex((line) => line.lineNo === lineNo)}`,
      reason: 'insufficient_stock',
      message: `line ${lineNo}: ${lacking} of ${productCode} are missing in ${order.warehouse}`,
    })),
  );
}
