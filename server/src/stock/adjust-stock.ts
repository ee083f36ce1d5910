import { recordAudit } from '../audit/index.js';
import { noteSearchable, pairKey } from '../indexing/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import {
  findBatch,
  putSerialsInStock,
  readBalance,
  readSerials,
  saveBatchBalances,
  saveNewBatches,
  takeSerialsOut,
} from './balance.store.js';
import { settleArrivals } from './bring-in-stock.js';
import { endEmptiedHold } from './end-hold.js';
import { dropSerialsFromHolds, type ShrunkHold, shrinkQuantityHolds } from './hold.store.js';
import { lockGoods, movementOf, occurredAt } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import { refuseStock } from './stock.errors.js';
import type { Balance, Batch, Movement, Serial } from './stock.js';
import {
  addTo,
  batchNoFor,
  openBatch,
  requireSerials,
  requireSerialsAbsent,
  requireSerialsPresent,
  takeByAdjustment,
} from './stock.rules.js';
import { isHoldInDisposition, onAvailableDecreased, onHoldReduced } from './stock-hooks.js';

export interface Adjustment {
  productCode: string;
  warehouse: string;
  batchNo?: string | undefined;
  quantityDelta: number;
  reason: string;
  expiryDate?: string | null | undefined;
  manufactureDate?: string | null | undefined;
  serials?: readonly string[] | undefined;
  occurredAt?: string | undefined;
}

/** Corrects a balance after a count or breakage, or enters opening stock. Reserved stock is never taken. */
export async function adjustStock(tx: Tx, input: Adjustment): Promise<Movement> {
  const warehouses = { '/warehouse': input.warehouse };
  const product = await lockGoods(tx, { productCode: input.productCode, warehouses });
  const batchNo = batchNoFor(product, input.batchNo);
  const quantity = Math.abs(input.quantityDelta);
  const serials = requireSerials(product, input.serials, quantity);
  const [known, before, units] = await Promise.all([
    findBatch(tx, product.productCode, batchNo),
    readBalance(tx, product.productCode, batchNo, input.warehouse),
    readSerials(tx, product.productCode, serials),
  ]);
  if (!known && input.quantityDelta < 0)
    throw refuseStock('insufficient_stock', '/quantityDelta', 'only 0 in stock');
  const batch = openBatch(product, batchNo, known, input, tx.today);
  const at = await occurredAt(tx, batch, input.occurredAt);
  if (!known) saveNewBatches(tx, [batch]);
  const { after, shrunk } =
    input.quantityDelta > 0
      ? bringIn(tx, batch, before, { quantity, serials, units })
      : await takeOut(tx, batch, before, { quantity, serials, units });
  await noteShrunkHolds(tx, shrunk);
  saveBatchBalances(tx, product.productCode, batchNo, [after]);
  const movement = movementOf(tx, {
    kind: 'adjustment',
    productCode: product.productCode,
    warehouse: input.warehouse,
    batchNo,
    quantity,
    quantityDelta: input.quantityDelta,
    serials: [...serials],
    document: { type: 'adjustment', id: newId('adj', tx.now), no: null, line: null },
    reason: input.reason,
    occurredAt: at,
  });
  appendMovements(tx, [movement]);
  if (input.quantityDelta < 0) await onAvailableDecreased(tx, [product.productCode]);
  else
    await settleArrivals(tx, [
      {
        productCode: product.productCode,
        ...{ batchNo, warehouse: input.warehouse, quantity, serials, holdIds: [] },
      },
    ]);
  await recordAudit(
    tx,
    {
      action: 'stock.adjust',
      entityType: 'batch',
      entityId: `${product.productCode}/${batchNo}`,
      reason: input.reason,
      before,
      after: { ...after, movement },
    },
    ...shrunk.map((hold) => ({
      action: 'stock.shrink_hold',
      entityType: 'hold',
      entityId: hold.holdId,
      reason: input.reason,
      before: { quantity: hold.before },
      after: { quantity: hold.after },
    })),
  );
  for (const hold of shrunk) await endEmptiedHold(tx, hold, { reason: input.reason });
  return movement;
}

/** Units that a disposition names stay with it; the register notes those of its entries that are gone. */
async function noteShrunkHolds(tx: Tx, shrunk: readonly ShrunkHold[]): Promise<void> {
  for (const { holdId, before, after, ncId } of shrunk) {
    if (await isHoldInDisposition(tx, holdId)) throw refuseStock('hold_in_disposition', '/quantityDelta');
    if (ncId) await onHoldReduced(tx, { ncId, quantity: before - after, cause: 'adjusted' });
  }
}

interface Effect {
  after: Balance;
  shrunk: ShrunkHold[];
}

/** The goods that an adjustment adds or removes, with the stored facts of serialized units. */
interface AdjustedGoods {
  quantity: number;
  serials: readonly string[];
  units: ReadonlyMap<string, Serial>;
}

function bringIn(
  tx: Tx,
  batch: Batch,
  balance: Balance,
  { quantity, serials, units }: AdjustedGoods,
): Effect {
  requireSerialsAbsent(serials, units, batch.batchNo);
  putSerialsInStock(tx, batch.productCode, serials, batch.batchNo, balance.warehouse);
  noteSearchable(
    tx,
    'serial',
    serials.map((serialNo) => pairKey(batch.productCode, serialNo)),
  );
  return { after: addTo(balance, quantity, '/quantityDelta'), shrunk: [] };
}

async function takeOut(
  tx: Tx,
  batch: Batch,
  balance: Balance,
  { quantity, serials, units: known }: AdjustedGoods,
): Promise<Effect> {
  if (serials.length === 0) {
    const { balance: after, fromHeld } = takeByAdjustment(balance, quantity);
    const { productCode, batchNo } = batch;
    return {
      after,
      shrunk: await shrinkQuantityHolds(tx, productCode, batchNo, balance.warehouse, fromHeld),
    };
  }
  const units = requireSerialsPresent(serials, known, batch.batchNo, balance.warehouse);
  const held = units.filter((unit) => unit.holds > 0).length;
  // Named units leave whether held or not; only those not held can be reserved.
  const free = balance.quantity - balance.reserved - balance.held;
  if (quantity - held > free)
    throw refuseStock('stock_reserved', '/serials', `${balance.reserved} are reserved`);
  const shrunk = held > 0 ? await dropSerialsFromHolds(tx, batch.productCode, serials) : [];
  takeSerialsOut(tx, batch.productCode, serials);
  return {
    after: { ...balance, quantity: balance.quantity - quantity, held: balance.held - held },
    shrunk,
  };
}
