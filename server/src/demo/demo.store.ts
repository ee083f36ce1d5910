import {
  insertInstanceValue,
  lockInstanceValue,
  readInstanceValue,
  statement,
  type Tx,
  updateInstanceValue,
} from '../platform/database/index.js';
import { balanceRows, holdRows, movementRows, recallHoldRows } from '../stock/index.js';

const mostShipped = statement(`
  select product_code as "productCode", batch_no as "batchNo" from ${movementRows('$1')} m
  where kind = 'dispatch' and batch_no <> '' and product_code <> $2
    and exists (select from ${balanceRows('$1')} b
      where b.product_code = m.product_code and b.batch_no = m.batch_no and b.quantity > 0)
    and not exists (select from ${holdRows('$1')} h
      where h.product_code = m.product_code and h.batch_no = m.batch_no and h.released_at is null)
  group by product_code, batch_no order by count(distinct counterparty_code) desc, product_code, batch_no limit 1`);
const holdsOfRecall = statement(
  `select hold_id as "holdId" from ${recallHoldRows('$1')} x where recall_id = $2 order by hold_id`,
);

/** The row for the demo as a whole, inserted when loading begins. */
const DEMO = 'demo';
const KEYS = 'demo/keys';

export type DemoState = 'absent' | 'begun' | 'loaded';

export async function readDemoState(tx: Tx): Promise<DemoState> {
  const state = await readInstanceValue<{ loaded: boolean }>(tx, DEMO);
  if (!state) return 'absent';
  return state.loaded ? 'loaded' : 'begun';
}

export async function markDemoBegun(tx: Tx): Promise<void> {
  await insertInstanceValue(tx, DEMO, { loaded: false });
}

export async function markDemoLoaded(tx: Tx): Promise<void> {
  await updateInstanceValue(tx, DEMO, { loaded: true });
}

/**
 * Returns true to the one transaction that performs the step. A concurrent one waits for it and performs the step itself if
 * the first one failed.
 */
export async function claimDemoStep(tx: Tx, step: string): Promise<boolean> {
  return insertInstanceValue(tx, `${DEMO}/${step}`, {});
}

/** The ids of the demo's keys, locked until the transaction ends, or null if there are no keys yet. */
export async function lockDemoKeyIds(tx: Tx): Promise<string[] | null> {
  await insertInstanceValue(tx, KEYS, { keyIds: null });
  const keys = await lockInstanceValue<{ keyIds: string[] | null }>(tx, KEYS);
  return keys?.keyIds ?? null;
}

export async function saveDemoKeyIds(tx: Tx, keyIds: readonly string[]): Promise<void> {
  await updateInstanceValue(tx, KEYS, { keyIds });
}

/** The batch shipped to most customers, not counting batches of one product, that has some stock and no holds. */
export async function readMostShippedBatch(
  tx: Tx,
  exceptProduct: string,
): Promise<{ productCode: string; batchNo: string } | undefined> {
  const [batch] = await tx.query<{ productCode: string; batchNo: string }>(mostShipped, [
    tx.orgId,
    exceptProduct,
  ]);
  return batch;
}

export async function readHoldsOfRecall(tx: Tx, recallId: string): Promise<string[]> {
  const holds = await tx.query<{ holdId: string }>(holdsOfRecall, [tx.orgId, recallId]);
  return holds.map(({ holdId }) => holdId);
}
