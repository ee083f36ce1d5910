import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { changeSerialHolds } from './balance.store.js';
import {
  type HeldTransfer,
  type HeldTransferEffect,
  moveHeld,
  requireCovered,
} from './held-transfer.rules.js';
import {
  findHold,
  readHoldsOfSerials,
  readHoldsOfWarehouse,
  saveHoldExtent,
  saveNewHolds,
} from './hold.store.js';
import { copyRecallOfHold } from './recall-hold.store.js';
import { refuseStock } from './stock.errors.js';
import type { Hold } from './stock.js';
import { isHoldInDisposition } from './stock-hooks.js';

/** The goods of a transfer; the product is locked. */
export type MovedGoods = Omit<HeldTransfer, 'hold' | 'holdsOfSource' | 'newHoldId'>;

export interface MovedHold extends HeldTransferEffect {
  /** The named hold before the transfer. */
  before: Hold;
}

/** Moves the hold that covers the goods along with them and saves it; the caller saves the balances. */
export async function moveHold(tx: Tx, holdId: string, goods: MovedGoods): Promise<MovedHold> {
  const before = await findHold(tx, holdId);
  if (!before) throw new Error(`hold ${holdId} not found although it was looked up`);
  requireCovered(before, goods);
  if (await isHoldInDisposition(tx, holdId)) throw refuseStock('hold_in_disposition', '/holdId');
  const { productCode, batchNo, from: warehouse } = goods;
  // A unit may be under several holds, all of which move with it.
  const serials = goods.units.map(({ serialNo }) => serialNo);
  for (const other of await readHoldsOfSerials(tx, productCode, serials))
    if (other !== holdId && (await isHoldInDisposition(tx, other)))
      throw refuseStock('hold_in_disposition', '/serials', `a disposition names units of hold ${other}`);
  const effect = moveHeld({
    ...goods,
    hold: before,
    holdsOfSource: await readHoldsOfWarehouse(tx, { productCode, batchNo, warehouse }),
    newHoldId: newId('hld', tx.now),
  });
  const hold = effect.hold === before ? before : { ...effect.hold, updatedAt: tx.now };
  const split = effect.split && { ...effect.split, updatedAt: tx.now };
  if (hold !== before) await saveHoldExtent(tx, hold);
  if (split !== null) {
    saveNewHolds(tx, [split]);
    await copyRecallOfHold(tx, holdId, split.holdId);
    changeSerialHolds(tx, productCode, split.serials, 1);
  }
  return { ...effect, hold, split, before };
}
