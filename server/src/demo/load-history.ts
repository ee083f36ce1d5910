import { syncOrders } from '../orders/index.js';
import { addDays } from '../platform/calendar/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { businessDay } from '../platform/principal.js';
import { acceptReceipt, syncReceipt } from '../receiving/index.js';
import { claimDemoStep } from './demo.store.js';
import {
  batchNoOf,
  type PlannedOrder,
  type PlannedReceipt,
  plannedOrders,
  plannedReceipts,
} from './orders.rules.js';
import type { DemoProduct } from './products.rules.js';
import { REJECTED } from './quality.rules.js';
import { plannedTraces } from './traced.rules.js';
import { type People, workOrder } from './work-order.js';

const DAY_MS = 86_400_000;
const WORKED_OVER_MS = 3_600_000;

/**
 * Loads a month of business with plausible times of day. Steps that were done before, or are being done by another process,
 * are skipped, so the next start completes what a killed process left.
 */
export async function loadHistory(
  database: Database,
  people: People,
  products: readonly DemoProduct[],
  onProgress: (done: number, of: number) => void,
): Promise<void> {
  const now = database.clock.now().getTime();
  const then = (daysAgo: number, hours: number): Database => ({
    ...database,
    clock: { now: () => new Date(now - daysAgo * DAY_MS - (12 - hours) * WORKED_OVER_MS) },
  });
  for (const receipt of plannedReceipts(products)) await receive(then(receipt.daysAgo, 1), people, receipt);
  for (const { receipt, order } of plannedTraces(products)) {
    await receive(then(receipt.daysAgo, 1), people, receipt);
    await place(then(order.daysAgo, 2), then(order.daysAgo, 6), people, order);
  }
  const orders = plannedOrders(products, businessDay(people.sales, new Date(now)));
  for (const [n, order] of orders.entries()) {
    await place(then(order.daysAgo, 2), then(order.daysAgo, 6), people, order);
    if (n % 30 === 29) onProgress(n + 1, orders.length);
  }
}

async function receive(database: Database, people: People, planned: PlannedReceipt): Promise<void> {
  const { product, quantity, receiptNo, warehouse, serials } = planned;
  await transact(database, people.warehouse, async (tx) => {
    const { receipt } = await syncReceipt(tx, receiptNo, {
      supplierCode: product.put.input.supplierCode,
      warehouse,
      lines: [
        {
          lineNo: 1,
          productCode: product.put.productCode,
          batchNo: batchNoOf(planned),
          // Counted from a fixed day, so that a second run on another day writes the same date.
          expiryDate: addDays('2026-01-01', 1_000 + product.place),
          quantity,
          ...(serials ? { serials: [...serials] } : {}),
        },
      ],
    });
    if (receipt.status !== 'pending_acceptance') return;
    const { quantity: rejectedQuantity = 0, reason: rejectReason = null } = REJECTED[receiptNo] ?? {};
    await acceptReceipt(tx, receipt.receiptId, [
      {
        lineNo: 1,
        acceptedQuantity: quantity - rejectedQuantity,
        rejectedQuantity,
        rejectReason: rejectReason === null ? null : people.words.say(rejectReason),
      },
    ]);
  });
}

async function place(early: Database, late: Database, people: People, planned: PlannedOrder): Promise<void> {
  const { orderNo, customerCode, warehouse, lines } = planned;
  const [outcome] = await transact(early, people.sales, (tx) =>
    syncOrders(tx, [
      {
        orderNo,
        customerCode,
        by: tx,
        sourceVersion: null,
        reason: null,
        content: { warehouse, currency: people.words.currency, lines },
      },
    ]),
  );
  if (outcome && 'value' in outcome)
    await workOrder(late, people, outcome.value.order.orderId, planned.goal, claimDemoStep);
}
