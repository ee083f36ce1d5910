import { statement, type Tx } from '../platform/database/index.js';

const insertRow = statement(
  'insert into instance_state (key, value) values ($1, $2) on conflict do nothing returning key',
);
const readRow = statement('select value from instance_state where key = $1');
const lockRow = statement('select value from instance_state where key = $1 for update');
const updateRow = statement('update instance_state set value = $2 where key = $1');

const mostShipped = statement(`
  select product_code as "productCode", batch_no as "batchNo" from movements
  where org_id = $1 and kind = 'dispatch' and batch_no <> '' and product_code <> $2
  group by product_code, batch_no order by count(distinct counterparty_code) desc, product_code, batch_no limit $3`);

/** Of the demo as a whole: the row exists once it was begun. */
const DEMO = 'demo';
const KEYS = 'demo/keys';

export type DemoState = 'absent' | 'begun' | 'loaded';

export async function readDemoState(tx: Tx): Promise<DemoState> {
  const [row] = await tx.query<{ value: { loaded: boolean } }>(readRow, [DEMO]);
  if (!row) return 'absent';
  return row.value.loaded ? 'loaded' : 'begun';
}

export async function markDemoBegun(tx: Tx): Promise<void> {
  await tx.query(insertRow, [DEMO, { loaded: false }]);
}

export async function markDemoLoaded(tx: Tx): Promise<void> {
  await tx.query(updateRow, [DEMO, { loaded: true }]);
}

/**
 * True for the one transaction that is to do the step. Another that tries meanwhile waits for its end, and does
 * the step itself if that one failed.
 */
export async function claimDemoStep(tx: Tx, step: string): Promise<boolean> {
  return (await tx.query(insertRow, [`${DEMO}/${step}`, {}])).length > 0;
}

/** The ids of the demo's keys, locked until the transaction ends; null when they are still to be made. */
export async function lockDemoKeyIds(tx: Tx): Promise<string[] | null> {
  await tx.query(insertRow, [KEYS, { keyIds: null }]);
  const [row] = await tx.query<{ value: { keyIds: string[] | null } }>(lockRow, [KEYS]);
  return row?.value.keyIds ?? null;
}

export async function saveDemoKeyIds(tx: Tx, keyIds: readonly string[]): Promise<void> {
  await tx.query(updateRow, [KEYS, { keyIds }]);
}

/** The batches that went to most customers, but for one product. */
export async function readMostShippedBatches(
  tx: Tx,
  exceptProduct: string,
  limit: number,
): Promise<{ productCode: string; batchNo: string }[]> {
  return tx.query(mostShipped, [tx.orgId, exceptProduct, limit]);
}
