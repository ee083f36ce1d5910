import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { type CoveredBalance, holdWholeBalances } from './balance.store.js';
import { saveNewHolds } from './hold.store.js';
import { type HoldRequest, holdMovements, newHold } from './hold-stock.js';
import { lockGoods } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import { dropReservationsOfBatches } from './reservation.store.js';
import type { Hold } from './stock.js';
import { onAvailableDecreased } from './stock-hooks.js';

export interface BatchesToHold extends Pick<HoldRequest, 'warehouse' | 'reason' | 'source' | 'alertId'> {
  productCode: string;
  /** Known batches, each once. */
  batchNos: readonly string[];
}

/** Few enough that creating their rows hardly delays other requests of this process. */
const BATCHES_AT_A_TIME = 250;

/**
 * Puts whole batches of a product on hold, including later arrivals, with one hold for each. Does in a few statements what a
 * person would do one by one, because a recall may name thousands of batches while the product is locked.
 */
export async function holdBatches(tx: Tx, input: BatchesToHold): Promise<Hold[]> {
  const { productCode, warehouse, batchNos } = input;
  if (batchNos.length === 0) return [];
  const warehouses: Record<string, string> = warehouse === undefined ? {} : { '/warehouse': warehouse };
  await lockGoods(tx, { productCode, warehouses });
  const holds: Hold[] = [];
  for (let at = 0; at < batchNos.length; at += BATCHES_AT_A_TIME)
    holds.push(...(await holdSome(tx, { ...input, batchNos: batchNos.slice(at, at + BATCHES_AT_A_TIME) })));
  await onAvailableDecreased(tx, [productCode]);
  return holds;
}

async function holdSome(tx: Tx, { batchNos, ...input }: BatchesToHold): Promise<Hold[]> {
  const { productCode, warehouse, reason } = input;
  const whole = { extent: 'batch' as const, warehouse: warehouse ?? null, quantity: null, serials: [] };
  const holds = batchNos.map((batchNo) => newHold(tx, { ...input, batchNo }, whole));
  saveNewHolds(tx, holds);
  dropReservationsOfBatches(tx, productCode, batchNos, warehouse ?? null);
  const covered = byBatch(await holdWholeBalances(tx, productCode, batchNos, warehouse ?? null));
  const movements = holds.flatMap((hold) =>
    holdMovements(tx, 'hold', hold, covered.get(hold.batchNo) ?? [], reason),
  );
  if (movements.length > 0) appendMovements(tx, movements);
  await recordAudit(
    tx,
    ...holds.map((hold) => ({
      action: 'stock.hold',
      entityType: 'hold',
      entityId: hold.holdId,
      reason,
      after: hold,
    })),
  );
  return holds;
}

function byBatch(balances: readonly CoveredBalance[]) {
  const parts = new Map<string, { warehouse: string; quantity: number; serials: string[] }[]>();
  for (const { batchNo, warehouse, quantity } of balances)
    parts.set(batchNo, [...(parts.get(batchNo) ?? []), { warehouse, quantity, serials: [] }]);
  return parts;
}
