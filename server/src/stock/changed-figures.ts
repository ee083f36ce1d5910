import { type Database, type Tx, transact } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';
import { toRecord } from './inventory.rules.js';
import { numberChanges } from './number-changes.js';
import { type ChangeRange, readChanges, readFeedState, type StockChange } from './stock-change.store.js';

/** A row of the feed of stock changes, as it is returned and pushed. */
export interface ChangedFigures {
  productCode: string;
  warehouse: string;
  totalQuantity: number;
  availableQuantity: number;
  reservedQuantity: number;
  blockedQuantity: number;
  changedAt: string;
}

export function figuresOf(change: StockChange, today: string): ChangedFigures {
  const { productCode, warehouse, totalQuantity, availableQuantity, reservedQuantity, blockedQuantity } =
    toRecord(change, change.warehouse, change.rows, today);
  return {
    ...{ productCode, warehouse, totalQuantity, availableQuantity, reservedQuantity, blockedQuantity },
    changedAt: change.changedAt.toISOString(),
  };
}

/** The next rows of the feed with their positions; everything up to `reached` is included or outside the range. */
export async function readChangedFigures(
  database: Database,
  principal: Principal,
  range: ChangeRange,
): Promise<{ rows: { position: number; figures: ChangedFigures }[]; reached: number }> {
  await numberChanges(database, principal);
  return transact(database, principal, async (tx) => {
    const through = await readStockHead(tx);
    const changes = await readChanges(tx, { ...range, through });
    const rows = changes.map((change) => ({
      position: change.position,
      figures: figuresOf(change, tx.today),
    }));
    const reached = rows.length < range.limit ? through : (rows.at(-1)?.position ?? range.after);
    return { rows, reached: Math.max(reached, range.after) };
  });
}

/** The last position given in the feed of stock changes. */
export const readStockHead = async (tx: Tx): Promise<number> => (await readFeedState(tx)).position ?? 0;
