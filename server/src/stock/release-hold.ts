import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { forbidden } from '../platform/http/index.js';
import { changeSerialHolds, readBalances, readSerials, saveBatchBalances } from './balance.store.js';
import { endedHold } from './end-hold.js';
import { findHold, markHoldReleased } from './hold.store.js';
import { appendHoldMovements } from './hold-stock.js';
import { lockProductOf } from './locate-stock.js';
import { isHoldOfRecall } from './recall-hold.store.js';
import { refuseStock } from './stock.errors.js';
import type { Balance, Hold, Serial } from './stock.js';
import { isHoldInDisposition, onHoldReduced } from './stock-hooks.js';

export interface ReleaseRequest {
  holdId: string;
  reason: string | null;
  /** The caller has `quality:write`. */
  decidesQuality: boolean;
}

/** Ends one hold; goods under other holds stay blocked. Only a logistics hold is released without a quality decision. */
export async function releaseHold(tx: Tx, request: ReleaseRequest): Promise<Hold> {
  const { holdId, reason, decidesQuality } = request;
  const hold = await lockHold(tx, holdId, ({ category }) => {
    // Nobody releases the hold of a recall, so a scope would not help the caller.
    if (category === 'logistics' || category === 'recall' || decidesQuality) return;
    throw forbidden('scope_missing', `releasing a hold of category ${category} needs quality:write`);
  });
  // The hold of a return belongs to a recall as well if it came back because of it.
  if (hold.category === 'recall' || (await isHoldOfRecall(tx, holdId)))
    throw refuseStock('recall_hold', null);
  if (hold.category !== 'logistics' && reason === null)
    throw refuseStock('release_reason_required', '/reason');
  if (await isHoldInDisposition(tx, holdId)) throw refuseStock('hold_in_disposition', null);
  return release(tx, hold, reason);
}

/** `requireAllowed` checks what never changes in a hold, before anything is locked. */
async function lockHold(tx: Tx, holdId: string, requireAllowed: (hold: Hold) => void): Promise<Hold> {
  const named = await findHold(tx, holdId);
  if (!named) throw missing('hold', 'holdId');
  requireAllowed(named);
  // Read again after the product is locked, because a concurrent release may have come first.
  await lockProductOf(tx, named.productCode);
  const hold = (await findHold(tx, holdId)) ?? named;
  if (hold.releasedAt) throw refuseStock('hold_released', null);
  return hold;
}

async function release(tx: Tx, hold: Hold, reason: string | null): Promise<Hold> {
  const released = endedHold(tx, hold, reason);
  const balances = await readBalances(tx, hold.productCode, hold.batchNo);
  const serials = [...(await readSerials(tx, hold.productCode, hold.serials)).values()];
  const { after, parts } = freed(hold, balances, serials);
  await markHoldReleased(tx, released);
  if (after.length > 0) saveBatchBalances(tx, hold.productCode, hold.batchNo, after);
  changeSerialHolds(tx, hold.productCode, hold.serials, -1);
  appendHoldMovements(tx, 'release', released, parts, reason);
  if (hold.ncId && hold.quantity) {
    const { ncId, quantity } = hold;
    await onHoldReduced(tx, { ncId, quantity, cause: 'released' });
  }
  await recordAudit(tx, {
    action: 'stock.release',
    entityType: 'hold',
    entityId: hold.holdId,
    reason,
    before: hold,
    after: released,
  });
  return released;
}

function freed(hold: Hold, balances: readonly Balance[], serials: readonly Serial[]) {
  const covered = balances.filter(
    (balance) => hold.warehouse === null || balance.warehouse === hold.warehouse,
  );
  if (hold.extent === 'batch') {
    return {
      after: covered.map((balance) => ({ ...balance, wholeHolds: balance.wholeHolds - 1 })),
      parts: covered.map((balance) => ({
        warehouse: balance.warehouse,
        quantity: balance.quantity,
        serials: [],
      })),
    };
  }
  if (hold.extent === 'quantity') {
    const quantity = hold.quantity ?? 0;
    return {
      after: covered.map((balance) => ({ ...balance, held: balance.held - quantity })),
      parts: covered.map((balance) => ({ warehouse: balance.warehouse, quantity, serials: [] })),
    };
  }
  const here = (balance: Balance) => serials.filter((serial) => serial.warehouse === balance.warehouse);
  const touched = balances.filter((balance) => here(balance).length > 0);
  return {
    after: touched.map((balance) => ({
      ...balance,
      held: balance.held - here(balance).filter((serial) => serial.holds === 1).length,
    })),
    parts: touched.map((balance) => ({
      warehouse: balance.warehouse,
      quantity: here(balance).length,
      serials: here(balance).map((serial) => serial.serialNo),
    })),
  };
}
