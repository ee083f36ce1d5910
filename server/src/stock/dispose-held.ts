import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import {
  changeSerialHolds,
  readBalances,
  readSerials,
  readSerialsOfBatch,
  saveBatchBalances,
  takeSerialsOut,
} from './balance.store.js';
import {
  type DisposedPart,
  freeHeld,
  type Rest,
  requireCovered,
  restOf,
  takeHeld,
} from './disposal.rules.js';
import { endEmptiedHold, endHold, type HoldEnd } from './end-hold.js';
import {
  dropSerialsFromHolds,
  findHold,
  lessenHold,
  removeSerialsFromHold,
  type ShrunkHold,
  saveNewHolds,
} from './hold.store.js';
import { appendHoldMovements } from './hold-stock.js';
import { movementOf } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import { copyRecallOfHold } from './recall-hold.store.js';
import { refuseStock } from './stock.errors.js';
import type { Balance, Hold, Movement, Serial, StockedProduct } from './stock.js';
import { isHoldInDisposition, onHoldReduced } from './stock-hooks.js';

/** Parts of one hold that a disposition decides, each with the line of the disposition. */
export interface HeldPortion extends DisposedPart {
  holdId: string;
  line: number;
}

export interface Disposal {
  /** `release`: the units can be sold again, unless another hold covers them. The others leave the stock. */
  fate: 'release' | 'destruction' | 'supplier_return';
  dispositionId: string;
  reason: string;
  supplierCode: string | null;
}

/** Carries out a decision about held goods. Their products are locked. */
export async function disposeHeld(
  tx: Tx,
  products: ReadonlyMap<string, StockedProduct>,
  portions: readonly HeldPortion[],
  disposal: Disposal,
): Promise<void> {
  const byHold = new Map<string, HeldPortion[]>();
  for (const portion of portions)
    byHold.set(portion.holdId, [...(byHold.get(portion.holdId) ?? []), portion]);
  for (const [holdId, parts] of byHold) {
    const hold = await findHold(tx, holdId);
    if (!hold) throw refuseStock('hold_changed', null, `hold ${holdId} is gone`);
    const balances = await readBalances(tx, hold.productCode, hold.batchNo);
    const units = await readSerials(
      tx,
      hold.productCode,
      parts.flatMap((part) => part.serials),
    );
    for (const part of byWarehouse(parts)) {
      const balance = balances.find(({ warehouse }) => warehouse === part.warehouse);
      requireCovered(hold, part, balance, units);
    }
    const goods: Goods = { hold, parts, balances, units };
    if (disposal.fate !== 'release') await takeOut(tx, goods, disposal);
    else if (hold.extent === 'batch') {
      const isSerial = products.get(hold.productCode)?.tracking === 'serial';
      await releaseOfBatch(tx, goods, disposal, isSerial);
    } else await releasePart(tx, goods, disposal);
  }
}

/** Combines lines of the same hold and warehouse, because the hold must cover them together. */
function byWarehouse(parts: readonly HeldPortion[]): DisposedPart[] {
  const merged = new Map<string, DisposedPart>();
  for (const { warehouse, quantity, serials } of parts) {
    const known = merged.get(warehouse);
    merged.set(warehouse, {
      warehouse,
      quantity: quantity + (known?.quantity ?? 0),
      serials: [...(known?.serials ?? []), ...serials],
    });
  }
  return [...merged.values()];
}

interface Goods {
  hold: Hold;
  parts: readonly HeldPortion[];
  balances: readonly Balance[];
  units: ReadonlyMap<string, Serial>;
}

async function takeOut(tx: Tx, { hold, parts, balances, units }: Goods, disposal: Disposal): Promise<void> {
  const { productCode } = hold;
  await saveChanged(tx, hold, balances, parts, (part, balance) => takeHeld(hold, part, balance, units));
  const serials = parts.flatMap((part) => part.serials);
  if (serials.length > 0) {
    // A unit that leaves the stock leaves every hold that names it.
    const shrunk = await dropSerialsFromHolds(tx, productCode, serials);
    await leaveOtherHolds(
      tx,
      shrunk.filter(({ holdId }) => holdId !== hold.holdId),
      disposal,
    );
    takeSerialsOut(tx, productCode, serials);
  } else if (hold.extent === 'quantity') lessenHold(tx, hold.holdId, total(parts));
  await endIfEmpty(tx, hold, parts, disposal);
  const counterparty =
    disposal.supplierCode === null ? null : { type: 'supplier' as const, code: disposal.supplierCode };
  appendMovements(
    tx,
    parts.map((part) => ({
      ...ledgerRow(tx, hold, part, disposal),
      kind: disposal.fate,
      quantityDelta: -part.quantity,
      counterparty,
    })),
  );
}

/** Other holds may name units that are gone now: the register counts those of its entries, and a hold without units ends. */
async function leaveOtherHolds(tx: Tx, shrunk: readonly ShrunkHold[], disposal: Disposal): Promise<void> {
  for (const { holdId, before, after, ncId } of shrunk) {
    if (await isHoldInDisposition(tx, holdId, disposal.dispositionId))
      throw refuseStock('hold_in_disposition', null, `another disposition names units of hold ${holdId}`);
    if (ncId) await onHoldReduced(tx, { ncId, quantity: before - after, cause: 'disposed' });
    await endEmptiedHold(tx, { holdId, after }, endBy(disposal));
  }
}

/** Releases units from a hold of a quantity or of serial numbers. */
async function releasePart(tx: Tx, goods: Goods, disposal: Disposal): Promise<void> {
  const { hold, parts, balances, units } = goods;
  await saveChanged(tx, hold, balances, parts, (part, balance) => freeHeld(part, balance, units));
  const serials = parts.flatMap((part) => part.serials);
  changeSerialHolds(tx, hold.productCode, serials, -1);
  if (serials.length > 0) removeSerialsFromHold(tx, hold.holdId, serials);
  lessenHold(tx, hold.holdId, total(parts));
  await endIfEmpty(tx, hold, parts, disposal);
  appendMovements(
    tx,
    parts.map((part) => ({ ...ledgerRow(tx, hold, part, disposal), kind: 'release' as const })),
  );
}

/** Ends a hold of a whole batch. Units that are not released get holds of their own in each warehouse. */
async function releaseOfBatch(tx: Tx, goods: Goods, disposal: Disposal, isSerial: boolean): Promise<void> {
  const { hold, parts, balances } = goods;
  const covered = balances.filter(({ warehouse }) => hold.warehouse === null || warehouse === hold.warehouse);
  const unitsIn = isSerial ? await unitsByWarehouse(tx, hold) : null;
  const rests = restOf(hold, covered, parts, unitsIn);
  await endHold(tx, hold, endBy(disposal));
  const restUnits = rests.flatMap((rest) => rest.serials);
  const known = await readSerials(tx, hold.productCode, restUnits);
  const after = covered.map((balance) => {
    const rest = rests.find(({ warehouse }) => warehouse === balance.warehouse);
    // A unit that another hold names is already counted.
    const newlyHeld = isSerial
      ? (rest?.serials ?? []).filter((serialNo) => known.get(serialNo)?.holds === 0).length
      : (rest?.quantity ?? 0);
    return { ...balance, wholeHolds: balance.wholeHolds - 1, held: balance.held + newlyHeld };
  });
  if (after.length > 0) saveBatchBalances(tx, hold.productCode, hold.batchNo, after);
  appendMovements(
    tx,
    parts.map((part) => ({ ...ledgerRow(tx, hold, part, disposal), kind: 'release' as const })),
  );
  for (const rest of rests) await holdRest(tx, hold, rest);
}

async function holdRest(tx: Tx, hold: Hold, rest: Rest): Promise<void> {
  const { warehouse, quantity, serials } = rest;
  const own: Hold = {
    ...hold,
    holdId: newId('hld', tx.now),
    extent: serials.length > 0 ? 'serials' : 'quantity',
    splitFrom: hold.holdId,
    warehouse,
    quantity,
    serials,
    createdAt: tx.now,
    createdBy: tx.actor,
  };
  saveNewHolds(tx, [own]);
  changeSerialHolds(tx, hold.productCode, serials, 1);
  if (hold.source === 'recall') await copyRecallOfHold(tx, hold.holdId, own.holdId);
  appendHoldMovements(tx, 'hold', own, [rest], hold.reason);
}

async function unitsByWarehouse(tx: Tx, hold: Hold): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { serialNo, warehouse } of await readSerialsOfBatch(tx, hold.productCode, hold.batchNo))
    found.set(warehouse, [...(found.get(warehouse) ?? []), serialNo]);
  return found;
}

async function saveChanged(
  tx: Tx,
  { productCode, batchNo }: Hold,
  balances: readonly Balance[],
  parts: readonly HeldPortion[],
  change: (part: HeldPortion, balance: Balance) => Balance,
): Promise<void> {
  const after = new Map(balances.map((balance) => [balance.warehouse, balance]));
  for (const part of parts) {
    const balance = after.get(part.warehouse);
    if (balance) after.set(part.warehouse, change(part, balance));
  }
  saveBatchBalances(tx, productCode, batchNo, [...after.values()]);
}

/** A hold of a quantity or of serial numbers ends with its last unit; one of a whole batch waits for later arrivals. */
async function endIfEmpty(
  tx: Tx,
  hold: Hold,
  parts: readonly HeldPortion[],
  disposal: Disposal,
): Promise<void> {
  if (hold.extent !== 'batch' && total(parts) === hold.quantity) await endHold(tx, hold, endBy(disposal));
}

const endBy = ({ reason, dispositionId }: Disposal): HoldEnd => ({ reason, decidedBy: { dispositionId } });

const total = (parts: readonly DisposedPart[]): number => parts.reduce((sum, part) => sum + part.quantity, 0);

function ledgerRow(tx: Tx, hold: Hold, part: HeldPortion, { dispositionId, reason }: Disposal): Movement {
  return movementOf(tx, {
    kind: 'release',
    productCode: hold.productCode,
    batchNo: hold.batchNo,
    warehouse: part.warehouse,
    quantity: part.quantity,
    quantityDelta: 0,
    serials: [...part.serials],
    document: { type: 'disposition', id: dispositionId, no: null, line: part.line },
    holdId: hold.holdId,
    reason,
  });
}
