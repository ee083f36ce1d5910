import { type Database, type Tx, usualPage } from '../platform/database/index.js';
import {
  approveDisposition,
  createNonconformity,
  type DispositionStatus,
  executeDisposition,
  listDispositions,
  listNonconformities,
  proposeDisposition,
  rejectDisposition,
} from '../quality/index.js';
import { acceptReceipt, syncReceipt } from '../receiving/index.js';
import type { Say } from './language.rules.js';
import { batchNoOf, type PlannedReceipt, plannedReceipts } from './orders.rules.js';
import { type PastStep, pastSteps } from './past-steps.js';
import type { DemoProduct } from './products.rules.js';
import {
  DECISIONS,
  type Decider,
  FOUND_LATER,
  type PlannedDecision,
  UNMATCHED_RETURN,
} from './quality.rules.js';
import type { People } from './work-order.js';

const HOURS_A_DAY = 24;
/** A day's decisions are made in this order. */
const PROPOSED_HOURS = 5;
const DECIDED_HOURS = 3;
const EXECUTED_HOURS = 1;

const OTHER: Readonly<Record<Decider, Decider>> = { quality: 'qualityManager', qualityManager: 'quality' };

interface Batch {
  productCode: string;
  batchNo: string;
}

/**
 * Loads what happened to goods that do not conform. Those rejected at acceptance are in the register already: history has
 * entered them.
 */
export async function loadQuality(
  database: Database,
  people: People,
  products: readonly DemoProduct[],
): Promise<void> {
  const step = pastSteps(database, people);
  const receipts = new Map(plannedReceipts(products).map((receipt) => [receipt.receiptNo, receipt]));
  const { say } = people.words;
  for (const { receiptNo, daysAgo, quantity, reason } of FOUND_LATER) {
    const receipt = receipts.get(receiptNo);
    if (!receipt) continue;
    await step(`quality/${receiptNo}`, 'quality', daysAgo * HOURS_A_DAY, async (tx) => {
      const { warehouse } = receipt;
      await createNonconformity(tx, { ...batchOf(receipt), warehouse, quantity, reason: say(reason) });
    });
  }
  for (const decision of DECISIONS) {
    const receipt = receipts.get(decision.receiptNo);
    if (receipt) await decide(step, batchOf(receipt), decision, say);
  }
  const delivered = receipts.get(UNMATCHED_RETURN.sameProductAs);
  if (delivered)
    await step(
      `quality/${UNMATCHED_RETURN.returnNo}`,
      'quality',
      UNMATCHED_RETURN.daysAgo * HOURS_A_DAY,
      (tx) => takeUnmatched(tx, delivered, say),
    );
}

const NEWEST = usualPage(null, 1);

const batchOf = (receipt: PlannedReceipt): Batch => ({
  productCode: receipt.product.put.productCode,
  batchNo: batchNoOf(receipt),
});

async function decide(step: PastStep, batch: Batch, decision: PlannedDecision, say: Say): Promise<void> {
  const { receiptNo, by, kind, reason, daysAgo, approved, rejected, executed } = decision;
  const name = (action: string) => `quality/${receiptNo}/${kind}/${action}`;
  await step(name('propose'), by, daysAgo * HOURS_A_DAY + PROPOSED_HOURS, async (tx) => {
    const [entry] = await listNonconformities(tx, batch, NEWEST);
    if (entry) await proposeDisposition(tx, { kind, reason: say(reason), ncIds: [entry.ncId] });
  });
  if (rejected)
    await step(name('reject'), OTHER[by], rejected.daysAgo * HOURS_A_DAY + DECIDED_HOURS, (tx) =>
      withDisposition(tx, batch, 'proposed', (id) => rejectDisposition(tx, id, say(rejected.reason))),
    );
  if (approved)
    await step(name('approve'), OTHER[by], approved.daysAgo * HOURS_A_DAY + DECIDED_HOURS, (tx) =>
      withDisposition(tx, batch, 'proposed', (id) => approveDisposition(tx, id)),
    );
  if (executed) {
    const { daysAgo: executedDaysAgo, witness = null, carrier = null, trackingNo = null } = executed;
    await step(name('execute'), by, executedDaysAgo * HOURS_A_DAY + EXECUTED_HOURS, (tx) =>
      withDisposition(tx, batch, 'approved', (id) =>
        executeDisposition(tx, id, { witness, carrier: carrier && say(carrier), trackingNo }),
      ),
    );
  }
}

/** Acts on the newest disposition of a batch in this state, if there is one: another user may have acted first. */
export async function withDisposition(
  tx: Tx,
  { productCode, batchNo }: Batch,
  status: DispositionStatus,
  work: (dispositionId: string) => Promise<unknown>,
): Promise<void> {
  const [found] = await listDispositions(tx, { productCode, batchNo, status: [status] }, NEWEST);
  if (found) await work(found.dispositionId);
}

/** Receives goods that the customer did not get from us. They go on hold and into the register. */
async function takeUnmatched(tx: Tx, { product, warehouse }: PlannedReceipt, say: Say): Promise<void> {
  const { returnNo, customerCode, batchNo, expiryDate, quantity, reason } = UNMATCHED_RETURN;
  const { productCode } = product.put;
  const { receipt } = await syncReceipt(tx, returnNo, {
    kind: 'return',
    customerCode,
    warehouse,
    unmatched: { reason: say(reason) },
    lines: [{ lineNo: 1, productCode, batchNo, expiryDate, quantity }],
  });
  await acceptReceipt(tx, receipt.receiptId, [
    { lineNo: 1, acceptedQuantity: quantity, rejectedQuantity: 0 },
  ]);
}
