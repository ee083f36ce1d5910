import type { Database, Tx } from '../platform/database/index.js';
import { approveDisposition, executeDisposition, proposeDisposition } from '../quality/index.js';
import {
  type AnswerRequest,
  acknowledgeRecall,
  answerRecall,
  type Consignee,
  closeRecall,
  openRecall,
  readRecallByNo,
} from '../recalls/index.js';
import { readHoldsOfRecall, readMostShippedBatch } from './demo.store.js';
import type { Say } from './language.rules.js';
import { withDisposition } from './load-quality.js';
import { pastSteps } from './past-steps.js';
import type { DemoProduct } from './products.rules.js';
import type { People } from './work-order.js';

const CLOSED = 'RC-2001';
const OPEN = 'RC-2002';

/** Loads one closed and one open recall, of batches that customers hold. */
export async function loadRecalls(
  database: Database,
  people: People,
  [featured]: readonly DemoProduct[],
): Promise<void> {
  const step = pastSteps(database, people);
  const { say } = people.words;
  // The product in the greeting's example call stays available.
  const except = featured?.put.productCode ?? '';
  await step('recalls/first', 'quality', 9, (tx) =>
    begin(tx, CLOSED, 'III', 'expiry date hard to read on some labels', { except, say }),
  );
  await step('recalls/first/propose', 'quality', 7, (tx) => proposeDestruction(tx, say));
  await step('recalls/first/approve', 'qualityManager', 6, (tx) =>
    withDestruction(tx, 'proposed', (id) => approveDisposition(tx, id)),
  );
  await step('recalls/first/destroy', 'quality', 5, (tx) =>
    withDestruction(tx, 'approved', (id) =>
      executeDisposition(tx, id, { witness: people.warehouse.actor, carrier: null, trackingNo: null }),
    ),
  );
  await step('recalls/first/close', 'quality', 4, (tx) => settleAndClose(tx, say));
  await step('recalls/second', 'quality', 2, (tx) =>
    begin(tx, OPEN, 'II', 'seal of the sterile barrier may be open', { except, say }),
  );
}

async function proposeDestruction(tx: Tx, say: Say): Promise<void> {
  const recall = await readRecallByNo(tx, CLOSED);
  if (!recall || recall.affectedStock.length === 0) return;
  await proposeDisposition(tx, {
    kind: 'destroy',
    reason: say(`recall ${CLOSED}`),
    holdIds: await readHoldsOfRecall(tx, recall.recallId),
  });
}

async function withDestruction(
  tx: Tx,
  status: 'proposed' | 'approved',
  work: (dispositionId: string) => Promise<unknown>,
): Promise<void> {
  const recall = await readRecallByNo(tx, CLOSED);
  const [batchNo] = recall?.batchNos ?? [];
  if (recall && batchNo !== undefined)
    await withDisposition(tx, { productCode: recall.productCode, batchNo }, status, work);
}

/** All customers but the last say what became of their goods. */
async function settleAndClose(tx: Tx, say: Say): Promise<void> {
  const recall = await readRecallByNo(tx, CLOSED);
  if (!recall) return;
  const { recallId, consignees } = recall;
  for (const consignee of consignees.slice(0, -1))
    await answerRecall(tx, recallId, answerOf(consignee, 'destroyed'));
  await closeRecall(tx, recallId, {
    reason: say('labels corrected by the manufacturer'),
    unanswered: consignees
      .slice(-1)
      .map(({ customerCode }) => ({ customerCode, reason: say('no answer after three letters') })),
  });
}

async function begin(
  tx: Tx,
  recallNo: string,
  riskClass: 'II' | 'III',
  reason: string,
  { except, say }: { except: string; say: Say },
): Promise<void> {
  const chosen = await readMostShippedBatch(tx, except);
  if (!chosen) return;
  const { productCode, batchNo } = chosen;
  const recall = await openRecall(tx, {
    recallNo,
    productCode,
    batchNos: [batchNo],
    class: riskClass,
    reason: say(reason),
  });
  const [notified, counting] = recall.consignees;
  if (notified)
    await acknowledgeRecall(tx, recall.recallId, {
      customerCode: notified.customerCode,
      note: say('taken off the shelf'),
    });
  if (recallNo === OPEN && counting) await answerRecall(tx, recall.recallId, answerOf(counting, 'onHand'));
}

/** Half of the units were used. */
function answerOf({ customerCode, quantity }: Consignee, rest: 'onHand' | 'destroyed'): AnswerRequest {
  const used = Math.ceil(quantity / 2);
  const counts = { onHand: 0, used, returned: 0, destroyed: 0, notFound: 0 };
  return { customerCode, ...counts, [rest]: quantity - used, note: null };
}
