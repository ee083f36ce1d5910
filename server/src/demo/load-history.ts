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
import { type Goal, type People, workOrder } from './work-order.js';

const HOURS_A_DAY = 24;
const HOUR_MS = 3_600_000;
/** The working day ends now; hours are counted from its start. */
const WORKING_HOURS = 12;
const RECEIVED_HOUR = 1;
const ORDERED_HOUR = 2;
const SHIPPED_HOUR = 6;
const DELIVERED_HOUR = 11;

/** Something that happened, and how long ago. */
interface Happening {
  hoursAgo: number;
  load: (then: Database) => Promise<void>;
}

/**
 * Loads a month of business with plausible times of day, in chronological order, because the ledger numbers movements in the
 * order they are recorded. Skips steps that were done before or are being done by another process, so the next start
 * completes what a killed process left unfinished.
 */
export async function loadHistory(
  database: Database,
  people: People,
  products: readonly DemoProduct[],
  onProgress: (done: number, of: number) => void,
): Promise<void> {
  const now = database.clock.now().getTime();
  const traces = plannedTraces(products);
  const orders = plannedOrders(products, businessDay(people.sales, new Date(now)));
  const receipts = [...plannedReceipts(products), ...traces.map(({ receipt }) => receipt)];
  let done = 0;
  const report = () => {
    done += 1;
    if (done % 30 === 0) onProgress(done, orders.length);
  };
  const happenings = [
    ...receipts.map((receipt) => ({
      hoursAgo: hoursAgo(receipt.daysAgo, RECEIVED_HOUR),
      load: (then: Database) => receive(then, people, receipt),
    })),
    ...[...traces.map(({ order }) => order), ...orders].flatMap((order) => stagesOf(order, people)),
    ...orders.map(({ daysAgo }) => ({
      hoursAgo: hoursAgo(daysAgo, DELIVERED_HOUR),
      load: async () => report(),
    })),
  ];
  for (const { hoursAgo: hours, load } of happenings.sort((a, b) => b.hoursAgo - a.hoursAgo))
    await load({ ...database, clock: { now: () => new Date(now - hours * HOUR_MS) } });
}

const hoursAgo = (daysAgo: number, hour: number): number => daysAgo * HOURS_A_DAY + WORKING_HOURS - hour;

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
          // Counted from a fixed day, so that a second run on another day computes the same date.
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

/** An order comes in, is worked upon some hours later, and reaches its customer before the evening. */
function stagesOf(order: PlannedOrder, people: People): Happening[] {
  let orderId: string | null = null;
  const work = async (then: Database, goal: Goal) => {
    if (orderId !== null) await workOrder(then, people, orderId, goal, claimDemoStep);
  };
  const { daysAgo, goal } = order;
  return [
    {
      hoursAgo: hoursAgo(daysAgo, ORDERED_HOUR),
      load: async (then) => {
        orderId = await place(then, people, order);
      },
    },
    {
      hoursAgo: hoursAgo(daysAgo, SHIPPED_HOUR),
      load: (then) => work(then, goal === 'delivered' ? 'dispatched' : goal),
    },
    { hoursAgo: hoursAgo(daysAgo, DELIVERED_HOUR), load: (then) => work(then, goal) },
  ];
}

async function place(then: Database, people: People, planned: PlannedOrder): Promise<string | null> {
  const { orderNo, customerCode, warehouse, lines } = planned;
  const [outcome] = await transact(then, people.sales, (tx) =>
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
  return outcome && 'value' in outcome ? outcome.value.order.orderId : null;
}
