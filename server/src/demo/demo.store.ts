import {
  insertInstanceValue,
  lockInstanceValue,
  readInstanceValue,
  statement,
  type Tx,
  updateInstanceValue,
} from '../platform/database/index.js';
import { movementRows } from '../stock/index.js';

const mostShipped = statement(`
  select product_code as "productCode", batch_no as "batchNo" from ${movementRows('$1')} m
  where kind = 'dispatch' and batch_no <> '' and product_code <> $2
  group by product_code, batch_no order by count(distinct counterparty_code) desc, product_code, batch_no limit $3`);

/** The row of the demo as a whole, inserted when loading begins. */
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
 * Returns true to the one transaction that performs the step. A concurrent one waits for it, and performs the step itself
 * if the first one failed.
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

/** The batches shipped to most customers, except those of one product. */
export async function readMostShippedBatches(
  tx: Tx,
  exceptProduct: string,
  limit: number,
): Promise<{ productCode: string; batchNo: string }[]> {
  return tx.query(mostShipped, [tx.orgId, exceptProduct, limit]);
}
