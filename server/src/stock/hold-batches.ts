import { recordAuditAlike } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { type CoveredBalance, coverWholeBatches, holdWholeBalances } from './balance.store.js';
import { type HoldsAlike, type OwnOfHold, saveWholeHolds } from './hold.store.js';
import { type HoldRequest, newHold } from './hold-stock.js';
import { lockGoods } from './locate-stock.js';
import { appendHolds } from './movement.store.js';
import { dropReservationsOfBatches } from './reservation.store.js';
import { onAvailableDecreased } from './stock-hooks.js';

export interface BatchesToHold extends Pick<HoldRequest, 'warehouse' | 'reason' | 'source' | 'alertId'> {
  productCode: string;
  /** Known batches, each once. */
  batchNos: readonly string[];
}

/** Few enough that creating their rows hardly delays other requests of this process. */
const BATCHES_AT_A_TIME = 250;

export interface HeldBatches {
  /** One for each batch. */
  holds: OwnOfHold[];
  /** The balances that they cover now, by warehouse and batch. */
  goods: CoveredBalance[];
}

/**
 * Puts whole batches of a product on hold, including later arrivals, with one hold for each. Does in a few statements what a
 * person would do one by one, because a recall may name thousands of batches while the product is locked.
 */
export async function holdBatches(tx: Tx, input: BatchesToHold): Promise<HeldBatches> {
  const { productCode, warehouse, batchNos } = input;
  if (batchNos.length === 0) return { holds: [], goods: [] };
  const warehouses: Record<string, string> = warehouse === undefined ? {} : { '/warehouse': warehouse };
  const whole = { extent: 'batch' as const, warehouse: warehouse ?? null, quantity: null, serials: [] };
  const { holdId: _holdId, batchNo: _batchNo, ...like } = newHold(tx, { ...input, batchNo: '' }, whole);
  const holds = batchNos.map((batchNo) => ({ holdId: newId('hld', tx.now), batchNo }));
  // Sent behind the lock, so that it sees what the previous holder committed.
  const [, balances] = await Promise.all([
    lockGoods(tx, { productCode, warehouses }),
    coverWholeBatches(tx, productCode, batchNos, like.warehouse),
  ]);
  const byBatch = new Map<string, CoveredBalance[]>(batchNos.map((batchNo) => [batchNo, []]));
  for (const balance of balances) byBatch.get(balance.batchNo)?.push(balance);
  let before = Promise.resolve();
  for (let at = 0; at < holds.length; at += BATCHES_AT_A_TIME) {
    const written = holdSome(tx, like, holds.slice(at, at + BATCHES_AT_A_TIME), byBatch);
    // An earlier part fails first, with the error that counts.
    written.catch(() => {});
    // The rows of the next part are created while the database writes these.
    await before;
    before = written;
  }
  await before;
  await onAvailableDecreased(tx, [productCode]);
  return { holds, goods: balances.filter(({ quantity }) => quantity > 0) };
}

async function holdSome(
  tx: Tx,
  like: HoldsAlike,
  holds: readonly OwnOfHold[],
  byBatch: ReadonlyMap<string, readonly CoveredBalance[]>,
): Promise<void> {
  const { productCode, warehouse, reason } = like;
  saveWholeHolds(tx, like, holds);
  dropReservationsOfBatches(
    tx,
    productCode,
    holds.map(({ batchNo }) => batchNo),
    warehouse,
  );
  const covered = holds.flatMap(({ holdId, batchNo }) =>
    (byBatch.get(batchNo) ?? []).map((balance) => ({ holdId, ...balance })),
  );
  appendHolds(
    tx,
    { productCode, reason },
    covered.filter(({ quantity }) => quantity > 0),
  );
  recordAuditAlike(tx, {
    ...{ action: 'stock.hold', entityType: 'hold', reason, shared: like, each: holds },
    entityId: ({ holdId }) => holdId,
  });
  await holdWholeBalances(tx, productCode, covered);
}
