import type { Tx } from '../platform/database/index.js';
import { readBalances, readSerialsOfBatch } from './balance.store.js';
import { readHoldsNamed } from './hold.store.js';
import type { Balance, Hold, StockedProduct } from './stock.js';

/** The units that a hold covers in one warehouse. */
export interface HeldPart {
  warehouse: string;
  quantity: number;
  /** The units of a product tracked by serial number, sorted; empty for others. */
  serials: string[];
}

export interface HeldGoods {
  hold: Hold;
  parts: HeldPart[];
}

/** Reads the goods under active holds. The caller has locked their products, so they stay unchanged. */
export async function readHeldGoods(
  tx: Tx,
  products: ReadonlyMap<string, StockedProduct>,
  named: { holdIds: readonly string[]; ncIds: readonly string[] },
): Promise<HeldGoods[]> {
  const goods: HeldGoods[] = [];
  for (const hold of await readHoldsNamed(tx, named)) {
    if (hold.releasedAt) continue;
    const isSerial = products.get(hold.productCode)?.tracking === 'serial';
    const balances = await readBalances(tx, hold.productCode, hold.batchNo);
    goods.push({ hold, parts: isSerial ? await unitParts(tx, hold) : countedParts(hold, balances) });
  }
  return goods;
}

/** Excludes units that a hold of their own covers, so that two holds never count the same unit. */
function countedParts(hold: Hold, balances: readonly Balance[]): HeldPart[] {
  const covered = balances.filter(({ warehouse }) => hold.warehouse === null || warehouse === hold.warehouse);
  return covered
    .map(({ warehouse, quantity, held }) => ({
      warehouse,
      quantity: hold.extent === 'batch' ? quantity - held : (hold.quantity ?? 0),
      serials: [],
    }))
    .filter((part) => part.quantity > 0);
}

async function unitParts(tx: Tx, hold: Hold): Promise<HeldPart[]> {
  const named = hold.extent === 'serials' ? new Set(hold.serials) : null;
  const parts = new Map<string, string[]>();
  for (const { serialNo, warehouse } of await readSerialsOfBatch(tx, hold.productCode, hold.batchNo)) {
    if (named ? !named.has(serialNo) : hold.warehouse !== null && warehouse !== hold.warehouse) continue;
    parts.set(warehouse, [...(parts.get(warehouse) ?? []), serialNo]);
  }
  return [...parts].map(([warehouse, serials]) => ({ warehouse, quantity: serials.length, serials }));
}
