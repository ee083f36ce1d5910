import type { Tx } from '../platform/database/index.js';
import { type Demand, FreeStock, type LinePreview, suits } from './reservation.rules.js';
import { readFreeStock } from './reservation.store.js';
import { type HeldSource, readFreeElsewhere, readHeldHere } from './shortage.store.js';

/** The stock a line could be given now and, if that is too little, where else suitable goods are. */
export interface ReservationPreview extends LinePreview {
  holds: HeldSource[];
  warehouses: { warehouse: string; quantity: number }[];
}

/** Allocates free stock to each line without reserving it. Nothing is locked, so another order may take it first. */
export async function previewReservation(tx: Tx, demand: Demand): Promise<ReservationPreview[]> {
  const codes = [...new Set(demand.lines.map((line) => line.productCode))];
  const { warehouse } = demand;
  const { batches } = await readFreeStock(
    tx,
    codes.map((productCode) => ({ productCode, warehouse })),
  );
  const previews = new FreeStock(batches).preview(demand);
  const short = [
    ...new Set(previews.flatMap(({ line, missing }) => (missing > 0 ? [line.productCode] : []))),
  ];
  if (short.length === 0) return previews.map((preview) => ({ ...preview, holds: [], warehouses: [] }));
  const held = await readHeldHere(tx, short, warehouse);
  const elsewhere = await readFreeElsewhere(tx, short, warehouse);
  return previews.map((preview) => {
    const { line, missing } = preview;
    const suitable = <B extends { productCode: string; batchNo: string; expiryDate: string | null }>(
      found: readonly B[],
    ): B[] =>
      missing > 0 ? found.filter((each) => each.productCode === line.productCode && suits(each, line)) : [];
    const sums = new Map<string, number>();
    for (const batch of suitable(elsewhere))
      sums.set(batch.warehouse, (sums.get(batch.warehouse) ?? 0) + batch.free);
    return {
      ...preview,
      holds: suitable(held),
      warehouses: [...sums].map(([code, quantity]) => ({ warehouse: code, quantity })),
    };
  });
}
