import { systemPrincipal } from '../principal.js';
import { type Database, type Tx, transact } from './transact.js';

export interface SweepOptions {
  /** Rows per batch. */
  rowsMax?: number;
  /** Batches per sweep: the next sweep continues where this one stopped. */
  batchesMax?: number;
  /** Ends the sweep after the current batch. */
  signal?: AbortSignal;
}

const ROWS_MAX = 1_000;
const BATCHES_MAX = 10_000;
const SWEEPER = 'worker@lotward.invalid';

/** Removes rows batch by batch until none is left, so that no writer waits long for a lock. Returns their number. */
export async function removeInBatches(
  removeBatch: (rowsMax: number) => Promise<number>,
  { rowsMax = ROWS_MAX, batchesMax = BATCHES_MAX, signal }: SweepOptions = {},
): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < batchesMax && !signal?.aborted; batch++) {
    const count = await removeBatch(rowsMax);
    if (count === 0) break;
    removed += count;
  }
  return removed;
}

/** Removes rows of each organization, one transaction per batch, as the worker role. Returns their number. */
export async function sweepOrganizations(
  database: Database,
  orgIds: readonly string[],
  removeBatch: (tx: Tx, rowsMax: number) => Promise<number>,
  options: SweepOptions = {},
): Promise<number> {
  let removed = 0;
  for (const orgId of orgIds) {
    const sweeper = systemPrincipal(orgId, SWEEPER);
    removed += await removeInBatches(
      (rowsMax) => transact(database, sweeper, (tx) => removeBatch(tx, rowsMax), { as: 'worker' }),
      options,
    );
  }
  return removed;
}
