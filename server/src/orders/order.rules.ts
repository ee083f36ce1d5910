import { canonicalCode } from '@lotward/udi';
import { addDays } from '../platform/calendar/index.js';
import { StateMachine } from '../platform/transitions/index.js';
import { isCurrency } from './currency.rules.js';
import { canonicalAmount } from './money.rules.js';
import { refuseOrder } from './order.errors.js';
import type { ContentLine, Order, OrderContent, OrderLine, OrderStatus, SyncResult } from './order.js';

export type OrderAction =
  | 'approve'
  | 'reject'
  | 'cancel'
  | 'reserve'
  | 'dispatch'
  | 'close'
  | 'deliver'
  | 'hold'
  | 'release';

export const orderMachine = new StateMachine<OrderStatus, OrderAction>('order', [
  {
    from: ['pending_approval'],
    action: 'approve',
    to: ['approved'],
    effect: 'certificates checked, stock reserved by earliest expiry, all or nothing',
  },
  { from: ['pending_approval'], action: 'reject', to: ['rejected'], effect: '' },
  {
    from: ['pending_approval', 'approved'],
    action: 'cancel',
    to: ['cancelled'],
    effect: 'reservations released; not with an open dispatch',
  },
  {
    from: ['approved', 'partially_dispatched'],
    action: 'reserve',
    to: ['approved', 'partially_dispatched'],
    effect: 'missing stock is reserved by the rules of approval',
  },
  {
    from: ['approved', 'partially_dispatched'],
    action: 'dispatch',
    to: ['partially_dispatched', 'dispatched'],
    effect: 'a dispatch passed re-check',
  },
  {
    from: ['partially_dispatched'],
    action: 'close',
    to: ['dispatched', 'delivered'],
    effect: 'the rest is not shipped and its reservations are released',
  },
  { from: ['dispatched'], action: 'deliver', to: ['delivered'], effect: 'all deliveries are confirmed' },
  {
    from: ['pending_approval', 'approved', 'partially_dispatched'],
    action: 'hold',
    to: ['pending_approval', 'approved', 'partially_dispatched'],
    effect: 'a flag that blocks every action except cancel and release',
  },
  {
    from: ['pending_approval', 'approved', 'partially_dispatched'],
    action: 'release',
    to: ['pending_approval', 'approved', 'partially_dispatched'],
    effect: 'the flag is removed',
  },
]);

/** Refuses an action that the order's status, or its hold, does not allow. */
export function requireMove(order: Pick<Order, 'status' | 'onHold'>, action: OrderAction): void {
  orderMachine.require(order.status, action);
  if (order.onHold && action !== 'cancel' && action !== 'release') throw refuseOrder('order_on_hold', null);
}

/** The order with further reservations on its lines, in the order in which they were made. */
export function withReservations(
  order: Order,
  allocations: readonly { lineNo: number; batchNo: string; expiryDate: string | null; quantity: number }[],
): Order {
  const lines = order.lines.map((line) => ({
    ...line,
    reserved: [
      ...line.reserved,
      ...allocations
        .filter((allocation) => allocation.lineNo === line.lineNo)
        .map(({ batchNo, expiryDate, quantity }) => ({ batchNo, expiryDate, quantity })),
    ],
  }));
  return { ...order, lines };
}

export interface OrderInput {
  warehouse: string;
  requestedDate?: string | null | undefined;
  currency: string;
  remark?: string | null | undefined;
  lines: readonly (Omit<ContentLine, 'batchNo' | 'minRemainingShelfLifeDays'> & {
    batchNo?: string | null | undefined;
    minRemainingShelfLifeDays?: number | null | undefined;
  })[];
}

/** Canonical content: equal for two requests with the same meaning. */
export function normalizeContent(input: OrderInput): OrderContent {
  const lines = input.lines
    .map((line) => ({
      lineNo: line.lineNo,
      productCode: canonicalCode(line.productCode),
      quantity: line.quantity,
      unitPrice: canonicalAmount(line.unitPrice),
      batchNo: line.batchNo ?? null,
      minRemainingShelfLifeDays: line.minRemainingShelfLifeDays ?? null,
    }))
    .sort((a, b) => a.lineNo - b.lineNo);
  if (new Set(lines.map((line) => line.lineNo)).size !== lines.length)
    throw refuseOrder('duplicate_line', '/lines');
  if (!isCurrency(input.currency))
    throw refuseOrder(
      'unknown_currency',
      '/currency',
      `${input.currency} is not a current ISO 4217 currency. Send a code such as EUR or CNY.`,
    );
  return {
    warehouse: input.warehouse,
    requestedDate: input.requestedDate ?? null,
    currency: input.currency,
    remark: input.remark ?? null,
    lines,
  };
}

function contentOf(order: Order): OrderContent {
  return {
    warehouse: order.warehouse,
    requestedDate: order.requestedDate,
    currency: order.currency,
    remark: order.remark,
    lines: order.lines.map(
      ({ lineNo, productCode, quantity, unitPrice, batchNo, minRemainingShelfLifeDays }) => ({
        lineNo,
        productCode,
        quantity,
        unitPrice,
        batchNo,
        minRemainingShelfLifeDays,
      }),
    ),
  };
}

/** Refuses a message (new content or a cancellation) that is older than one already applied. */
export function requireNotStale(order: Order, sourceVersion: number | null): void {
  if (sourceVersion !== null && order.sourceVersion !== null && sourceVersion < order.sourceVersion) {
    throw refuseOrder('stale_version', '/sourceVersion', `version ${order.sourceVersion} is known`);
  }
}

/** Decides the effect of synchronizing an existing order. */
export function decideSync(order: Order, content: OrderContent, sourceVersion: number | null): SyncResult {
  requireNotStale(order, sourceVersion);
  if (JSON.stringify(contentOf(order)) === JSON.stringify(content)) return 'unchanged';
  if (order.status !== 'pending_approval') {
    throw refuseOrder('order_not_editable', null, `the order is ${order.status}`);
  }
  return 'updated';
}

export const openQuantity = (line: OrderLine): number =>
  line.quantity - line.dispatchedQuantity - line.closedQuantity;
const reservedQuantity = (line: OrderLine): number =>
  line.reserved.reduce((sum, each) => sum + each.quantity, 0);

/** The quantities still to be reserved so that everything open can be shipped. */
export function missingDemand(order: Order, today: string) {
  return order.lines
    .map((line) => ({
      lineNo: line.lineNo,
      productCode: line.productCode,
      quantity: openQuantity(line) - reservedQuantity(line),
      batchNo: line.batchNo,
      usableThrough:
        line.minRemainingShelfLifeDays === null ? null : addDays(today, line.minRemainingShelfLifeDays),
    }))
    .filter((line) => line.quantity > 0);
}

/** Whether an approved order has open quantities without a reservation: a hold, a recall or expiry removed it. */
export function hasShortage(order: Order): boolean {
  const isShipping = order.status === 'approved' || order.status === 'partially_dispatched';
  return isShipping && order.lines.some((line) => openQuantity(line) > reservedQuantity(line));
}
