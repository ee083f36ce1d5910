import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { findHold, markHoldReleased } from './hold.store.js';
import type { Hold } from './stock.js';

/** Why a hold ends without being released: the change that removed its last unit, and its reason. */
export interface HoldEnd {
  reason: string;
  /** The decision about its goods, for the audit. */
  decidedBy?: { dispositionId: string };
}

/** The hold after it has ended. */
export const endedHold = (tx: Tx, hold: Hold, reason: string | null): Hold => ({
  ...hold,
  releasedAt: tx.now,
  releasedBy: tx.actor,
  releaseReason: reason,
  updatedAt: tx.now,
});

/** Ends a hold whose goods are free or gone. Its serial numbers and balances are the caller's to change. */
export async function endHold(tx: Tx, hold: Hold, { reason, decidedBy }: HoldEnd): Promise<void> {
  const ended = endedHold(tx, hold, reason);
  await markHoldReleased(tx, ended);
  await recordAudit(tx, {
    action: 'stock.release',
    entityType: 'hold',
    entityId: hold.holdId,
    reason,
    before: hold,
    after: { ...ended, ...decidedBy },
  });
}

/** Ends a hold of a quantity or of serial numbers that has just lost its last unit. */
export async function endEmptiedHold(
  tx: Tx,
  { holdId, after }: { holdId: string; after: number },
  end: HoldEnd,
): Promise<void> {
  const emptied = after === 0 ? await findHold(tx, holdId) : null;
  if (emptied && !emptied.releasedAt) await endHold(tx, emptied, end);
}
