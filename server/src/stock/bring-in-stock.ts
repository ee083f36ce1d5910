import { noteSearchable, pairKey } from '../indexing/index.js';
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
import { matchReturn, type Portion } from './match-return.js';
import { appendMovements } from './movement.store.js';
import type { Movement, StockedProduct } from './stock.js';
import { addTo, batchNoFor, openBatch, requireSerials, requireSerialsAbsent } from './stock.rules.js';
import { onArrival, onStockAdded, onUnmatchedHeld } from './stock-hooks.js';

/** Goods that enter stock by a document other than an adjustment. */
export interface Inbound {
  /** The path in the caller's body that a refusal names. */
  path: string;
  productCode: string;
  warehouse: string;
  batchNo: string;
  /** Omitted: the dates of the batch, which must exist. */
  expiryDate?: string | null | undefined;
  manufactureDate?: string | null | undefined;
  quantity: number;
  serials: readonly string[];
  document: Movement['document'];
  counterparty: NonNullable<Movement['counterparty']>;
  /** Set for a return: the customer must hold the goods, and they go on hold at once. */
  returned: { dispatchId: string | null; unmatchedReason: string | null } | null;
}

/** Brings goods into stock. Products are locked together, in code order, before the first line. */
export async function bringInStock(tx: Tx, goods: readonly Inbound[]): Promise<void> {
  const products = await lockStockedProducts(tx, [...new Set(goods.map((item) => item.productCode))].sort());
  for (const item of goods) {
    const product = products.get(item.productCode);
    if (!product) throw new Error(`product ${item.productCode} not found although it is locked`);
    await withPath(item.path, () => bringIn(tx, product, item));
  }
  await onStockAdded(
    tx,
    goods.map((item) => item.productCode),
  );
}

async function bringIn(tx: Tx, product: StockedProduct, item: Inbound): Promise<void> {
  const { productCode, warehouse } = item;
  const batchNo = batchNoFor(product, item.batchNo);
  const serials = requireSerials(product, item.serials, item.quantity);
  requireSerialsAbsent(serials, await readSerials(tx, productCode, serials), batchNo);
  const portions = await portionsOf(tx, { ...item, batchNo, serials });
  const known = await findBatch(tx, productCode, batchNo);
  const batch = openBatch(product, batchNo, known, item, tx.today);
  if (!known) await saveNewBatch(tx, batch);
  const balance = await readBalance(tx, productCode, batchNo, warehouse);
  await saveBatchBalances(tx, productCode, batchNo, [addTo(balance, item.quantity, '/quantity')]);
  await putSerialsInStock(tx, productCode, serials, batchNo, warehouse);
  noteSearchable(
    tx,
    'serial',
    serials.map((serialNo) => pairKey(productCode, serialNo)),
  );
  await appendMovements(
    tx,
    portions.map((portion) =>
      movementOf(tx, {
        kind: item.returned ? 'return' : 'receipt',
        productCode,
        warehouse,
        batchNo,
        quantity: portion.quantity,
        quantityDelta: portion.quantity,
        serials: [...portion.serials],
        document: item.document,
        counterparty: item.counterparty,
        unmatched: portion.unmatched,
        dispatchId: item.returned?.dispatchId ?? null,
      }),
    ),
  );
  const holdIds: string[] = [];
  if (item.returned) {
    // Returned goods are inspected before they are sold again. The hold covers exactly them.
    for (const portion of portions) {
      const extent =
        portion.serials.length > 0 ? { serials: portion.serials } : { quantity: portion.quantity };
      const hold = await holdStock(tx, {
        ...{ productCode, batchNo, warehouse },
        ...extent,
        ...holdFor(item, portion),
      });
      holdIds.push(hold.holdId);
      const { document, counterparty } = item;
      if (portion.unmatched)
        await onUnmatchedHeld(tx, { hold, warehouse, document, customerCode: counterparty.code });
    }
  }
  await onArrival(tx, { productCode, batchNo, warehouse, quantity: item.quantity, serials, holdIds });
}

type InboundPortion = Portion & { unmatched: boolean };

/** One movement per portion: a return is split into what the customer holds and what it does not. */
async function portionsOf(tx: Tx, item: Inbound): Promise<InboundPortion[]> {
  const { productCode, batchNo, quantity, serials, returned } = item;
  if (!returned) return [{ quantity, serials, unmatched: false }];
  const customerCode = item.counterparty.code;
  const { matched, unmatched } = await matchReturn(tx, {
    ...{ customerCode, productCode, batchNo, quantity, serials },
    ...returned,
  });
  return [
    { ...matched, unmatched: false },
    { ...unmatched, unmatched: true },
  ].filter((portion) => portion.quantity > 0);
}

function holdFor({ document, returned }: Inbound, { unmatched }: InboundPortion) {
  const name = `return ${document.no}`;
  return unmatched
    ? {
        reason: `unmatched ${name}: ${returned?.unmatchedReason}`.slice(0, HOLD_REASON_MAX),
        source: 'unmatched_return' as const,
        uponArrival: true,
      }
    : { reason: name, source: 'return' as const, uponArrival: true };
}

const HOLD_REASON_MAX = 500;

/** Prefixes the paths of a refusal with the path of the line. */
async function withPath(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.issues.map((issue) => ({ ...issue, path: `${path}${issue.path ?? ''}` })));
  }
}
