import { type Database, type Tx, transact } from '../platform/database/index.js';
import { acknowledgeRecall, closeRecall, listRecalls, openRecall } from '../recalls/index.js';
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
  await step('first/close', 4, async (tx) => {
    const [recall] = await listRecalls(tx, { recallNo: CLOSED }, null, 1);
    if (recall) await closeRecall(tx, recall.recallId, 'labels checked: all of them can be read');
  });
  await step('second', 2, (tx) => begin(tx, OPEN, 'II', 'seal of the sterile barrier may be open', except));
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
  const [notified] = recall.consignees;
  if (notified)
    await acknowledgeRecall(tx, recall.recallId, {
      customerCode: notified.customerCode,
      note: 'taken off the shelf',
    });
}
