import { type Database, type Tx, transact } from '../platform/database/index.js';
import {
  type AnswerRequest,
  acknowledgeRecall,
  answerRecall,
  type Consignee,
  closeRecall,
  openRecall,
  readRecallByNo,
} from '../recalls/index.js';
import { adjustStock, readSerialsInStock } from '../stock/index.js';
import { claimDemoStep, readMostShippedBatches } from './demo.store.js';
import type { DemoProduct } from './products.rules.js';
import type { People } from './work-order.js';

const HOUR_MS = 3_600_000;
const CLOSED = 'RC-2001';
const OPEN = 'RC-2002';

/** Loads one closed and one open recall, of batches that customers hold. */
export async function loadRecalls(
  database: Database,
  people: People,
  [featured]: readonly DemoProduct[],
): Promise<void> {
  const now = database.clock.now().getTime();
  const step = (name: string, hoursAgo: number, work: (tx: Tx) => Promise<void>) => {
    const then = { ...database, clock: { now: () => new Date(now - hoursAgo * HOUR_MS) } };
    return transact(then, people.quality, async (tx) => {
      if (await claimDemoStep(tx, `recalls/${name}`)) await work(tx);
    });
  };
  // The product in the greeting's example call stays available.
  const except = featured?.put.productCode ?? '';
  await step('first', 9, (tx) => begin(tx, CLOSED, 'III', 'expiry date hard to read on some labels', except));
  await step('first/close', 4, settleAndClose);
  await step('second', 2, (tx) => begin(tx, OPEN, 'II', 'seal of the sterile barrier may be open', except));
}

/** The stock is written off, and all customers but the last say what became of their goods. */
async function settleAndClose(tx: Tx): Promise<void> {
  const recall = await readRecallByNo(tx, CLOSED);
  if (!recall) return;
  const { recallId, productCode, affectedStock, consignees } = recall;
  for (const { warehouse, batchNo, quantity } of affectedStock) {
    const serials = await readSerialsInStock(tx, productCode, batchNo, warehouse, quantity);
    await adjustStock(tx, {
      ...{ productCode, batchNo, warehouse, quantityDelta: -quantity },
      ...(serials.length > 0 ? { serials } : {}),
      reason: `recall ${CLOSED}: destroyed`,
    });
  }
  for (const consignee of consignees.slice(0, -1))
    await answerRecall(tx, recallId, answerOf(consignee, 'destroyed'));
  await closeRecall(tx, recallId, {
    reason: 'labels corrected by the manufacturer',
    unanswered: consignees
      .slice(-1)
      .map(({ customerCode }) => ({ customerCode, reason: 'no answer after three letters' })),
  });
}

async function begin(
  tx: Tx,
  recallNo: string,
  riskClass: 'II' | 'III',
  reason: string,
  except: string,
): Promise<void> {
  const [first, second] = await readMostShippedBatches(tx, except, 2);
  const chosen = recallNo === CLOSED ? first : second;
  if (!chosen) return;
  const { productCode, batchNo } = chosen;
  const recall = await openRecall(tx, {
    recallNo,
    productCode,
    batchNos: [batchNo],
    class: riskClass,
    reason,
  });
  const [notified, counting] = recall.consignees;
  if (notified)
    await acknowledgeRecall(tx, recall.recallId, {
      customerCode: notified.customerCode,
      note: 'taken off the shelf',
    });
  if (recallNo === OPEN && counting) await answerRecall(tx, recall.recallId, answerOf(counting, 'onHand'));
}

/** Half of the units were used. */
function answerOf({ customerCode, quantity }: Consignee, rest: 'onHand' | 'destroyed'): AnswerRequest {
  const used = Math.ceil(quantity / 2);
  const counts = { onHand: 0, used, returned: 0, destroyed: 0, notFound: 0 };
  return { customerCode, ...counts, [rest]: quantity - used, note: null };
}
