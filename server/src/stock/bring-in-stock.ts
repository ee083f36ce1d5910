import { noticeNearExpiry } from '../expiry/index.js';
import type { Tx } from '../platform/database/index.js';
import { Refusal } from '../platform/errors/index.js';
import {
  findBatch,
  lockStockedProducts,
  putSerialsInStock,
  readBalance,
  readSerials,
  saveBatchBalances,
  saveNewBatch,
} from './balance.store.js';
import { holdStock } from './hold-stock.js';
import { movementOf } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import { holdRecalledArrival } from './recalled-stock.js';
import type { Movement } from './stock.js';
import { addTo, batchNoFor, openBatch, requireSerials, requireSerialsAbsent } from './stock.rules.js';

/** Goods that enter stock by a document other than an adjustment. */
export interface Inbound {
  kind: 'receipt' | 'return';
  /** Where in the caller's body a refusal belongs. */
  path: string;
  productCode: string;
  warehouse: string;
  batchNo: string;
  expiryDate: string | null;
  manufactureDate: string | null;
  quantity: number;
  serials: readonly string[];
  document: Movement['document'];
  counterparty: NonNullable<Movement['counterparty']>;
  /** Set: exactly these pieces go on hold at once. */
  holdReason: string | null;
}

/** Brings goods into stock. Products are locked together, in code order, before the first line. */
export async function bringInStock(tx: Tx, goods: readonly Inbound[]): Promise<void> {
  const products = await lockStockedProducts(tx, [...new Set(goods.map((item) => item.productCode))].sort());
  for (const item of goods) {
    const product = products.get(item.productCode);
    if (!product) throw new Error(`product ${item.productCode} is gone`);
    await at(item.path, async () => {
      const batchNo = batchNoFor(product, item.batchNo);
      const serials = requireSerials(product, item.serials, item.quantity);
      const known = await findBatch(tx, item.productCode, batchNo);
      if (!known) await saveNewBatch(tx, openBatch(product, batchNo, null, item));
      else openBatch(product, batchNo, known, item);
      requireSerialsAbsent(serials, await readSerials(tx, item.productCode, serials), batchNo);
      const balance = await readBalance(tx, item.productCode, batchNo, item.warehouse);
      await saveBatchBalances(tx, item.productCode, batchNo, [addTo(balance, item.quantity, '/quantity')]);
      await putSerialsInStock(tx, item.productCode, serials, batchNo, item.warehouse);
      const { kind, productCode, warehouse, quantity, document, counterparty } = item;
      await appendMovements(tx, [
        movementOf(tx, {
          kind,
          productCode,
          warehouse,
          batchNo,
          quantity,
          quantityDelta: quantity,
          serials: [...serials],
          document,
          counterparty,
        }),
      ]);
      if (item.holdReason !== null) {
        const extent = serials.length > 0 ? { serials } : { quantity };
        const hold = { reason: item.holdReason, source: 'return' as const, uponArrival: true };
        await holdStock(tx, { productCode, batchNo, warehouse, ...extent, ...hold });
      }
      await holdRecalledArrival(tx, { productCode, batchNo, serials });
    });
  }
  await noticeNearExpiry(
    tx,
    goods.map((item) => item.productCode),
  );
}

/** A refusal inside a line says which line. */
async function at(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.issues.map((issue) => ({ ...issue, path: `${path}${issue.path ?? ''}` })));
  }
}
