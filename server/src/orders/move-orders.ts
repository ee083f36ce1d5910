import { recordAudit } from '../audit/index.js';
import { publishEvents } from '../events/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Order, OrderStatus } from './order.js';
import { laterOf, type OrderMove, saveOrderStates, saveOrderWarnings } from './order.store.js';

/** A change of one order by one person: to one or more further statuses, or of its hold flag. */
export interface Step {
  order: Order;
  action: string;
  /** One event each. Empty when only the flag or the quantities changed. */
  to: readonly OrderStatus[];
  onHold?: boolean;
  reason?: string | null;
  by: Pick<Tx, 'actor' | 'credentialId' | 'requestId'>;
  /** Certificate problems that the gate let through. */
  warnings?: Order['warnings'] | undefined;
}

/**
 * Writes the new statuses of orders with their history, events and audit entries. Every status change goes through here,
 * so that none lacks its event. Returns the changed orders; their lines are those passed in.
 */
export async function moveOrders(tx: Tx, steps: readonly Step[]): Promise<Order[]> {
  if (steps.length === 0) return [];
  const moves: OrderMove[] = [];
  const states = steps.map((step) => {
    const { order } = step;
    const at = laterOf(tx.now, order.updatedAt);
    let current = order.status;
    step.to.forEach((next, i) => {
      moves.push({
        orderId: order.orderId,
        version: order.version + 1,
        step: i,
        previousStatus: current,
        currentStatus: next,
        changedBy: step.by.actor,
        changedAt: at,
        reason: step.reason ?? null,
      });
      current = next;
    });
    return {
      orderId: order.orderId,
      status: current,
      onHold: step.onHold ?? order.onHold,
      version: order.version + 1,
      at,
    };
  });
  await saveOrderStates(tx, states, moves);
  const warned = steps.flatMap(({ order, warnings = [] }) =>
    warnings.length > 0 ? [{ ...order, warnings }] : [],
  );
  if (warned.length > 0) await saveOrderWarnings(tx, warned);
  const orders = new Map(steps.map(({ order }) => [order.orderId, order]));
  await publishEvents(
    tx,
    moves.map((move) => statusChanged(move, orders.get(move.orderId))),
  );
  await recordAudit(
    tx,
    ...steps.map((step, i) => ({
      action: `order.${step.action}`,
      entityType: 'order',
      entityId: step.order.orderId,
      reason: step.reason ?? null,
      before: { status: step.order.status, onHold: step.order.onHold, version: step.order.version },
      after: {
        status: states[i]?.status,
        onHold: states[i]?.onHold,
        version: states[i]?.version,
        ...(step.warnings && step.warnings.length > 0 ? { warnings: step.warnings } : {}),
      },
      by: step.by,
    })),
  );
  return steps.map(({ order, warnings = order.warnings }, i) => {
    const { status, onHold, version, at } = states[i] ?? { ...order, at: order.updatedAt };
    const changes = moves.filter((move) => move.orderId === order.orderId).map(toStatusChange);
    const statusHistory = [...order.statusHistory, ...changes];
    return { ...order, status, onHold, version, updatedAt: at, statusHistory, warnings };
  });
}

const toStatusChange = ({ previousStatus, currentStatus, changedBy, changedAt, reason }: OrderMove) => ({
  previousStatus,
  currentStatus,
  changedBy,
  changedAt,
  reason,
});

const STEPS_MAX = 10;

/** Sorts the events of an order by its version, then by step; -1 comes just before the first step. */
export const eventVersion = (orderVersion: number, step: number): number => orderVersion * STEPS_MAX + step;

function statusChanged(move: OrderMove, order: Order | undefined) {
  if (!order) throw new Error('a status change without its order');
  return {
    type: 'order.status_changed' as const,
    at: move.changedAt,
    entity: { type: 'order', id: move.orderId, version: eventVersion(move.version, move.step) },
    customerCode: order.customerCode,
    concerns: {
      warehouses: [order.warehouse],
      productCodes: [...new Set(order.lines.map((line) => line.productCode))],
    },
    data: {
      orderId: move.orderId,
      orderNo: order.orderNo,
      customerCode: order.customerCode,
      previousStatus: move.previousStatus,
      currentStatus: move.currentStatus,
      changedBy: move.changedBy,
      changedAt: move.changedAt.toISOString(),
    },
  };
}
