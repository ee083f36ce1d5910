import { noteSearchable, pairKey } from '../indexing/index.js';
import type { Tx } from '../platform/database/index.js';
import { Refusal } from '../platform/errors/index.js';
import { batchKey, putSerialsInStock, saveBatchBalances, saveNewBatches } from './balance.store.js';
import { holdStock } from './hold-stock.js';
import { balanceKey, type IncomingStock, lockIncomingStock } from './incoming-stock.store.js';
import { movementOf } from './locate-stock.js';
import { matchReturn, type Portion } from './match-return.js';
import { appendMovements } from './movement.store.js';
import type { Batch, Movement, Serial, StockedProduct } from './stock.js';
import { addTo, batchNoFor, openBatch, requireSerials, requireSerialsAbsent } from './stock.rules.js';
import { type ArrivedGoods, onArrivals, onStockAdded, onUnmatchedHeld } from './stock-hooks.js';

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
  /** Set for a return: the customer must hold the goods, and they go on hold immediately. */
  returned: { dispatchId: string | null; unmatchedReason: string | null } | null;
}

/**
 * Brings goods into stock that was read after its products were locked, and returns what arrived. The caller passes that to
 * `settleArrivals`, together with reads of its own.
 */
export async function bringInStock(
  tx: Tx,
  goods: readonly Inbound[],
  stock: IncomingStock,
): Promise<ArrivedGoods[]> {
  const purchased = goods.filter((item) => !item.returned);
  const added = purchased.map((item) =>
    withPath(item.path, () => addToStock(stock, item, unitsOf(stock, item), tx.today)),
  );
  saveAdded(tx, stock, added);
  appendMovements(
    tx,
    added.map(({ item, ...goodsOf }) => arrivalOf(tx, item, { ...goodsOf, unmatched: false })),
  );
  const arrived = added.map((each) => toArrived(each, []));
  for (const item of goods)
    if (item.returned) arrived.push(await withPathOf(item.path, () => bringBack(tx, item)));
  return arrived;
}

/**
 * Lets the slices above react to goods that have come into stock: recalls hold them, notifications report what is near
 * expiry.
 */
export async function settleArrivals(tx: Tx, arrived: readonly ArrivedGoods[]): Promise<void> {
  if (arrived.length === 0) return;
  await Promise.all([
    onArrivals(tx, arrived),
    onStockAdded(
      tx,
      arrived.map((goods) => goods.productCode),
    ),
  ]);
}

/** Goods of one batch that enter one warehouse. */
interface Incoming {
  productCode: string;
  warehouse: string;
  batchNo: string;
  quantity: number;
  serials: readonly string[];
  expiryDate?: string | null | undefined;
  manufactureDate?: string | null | undefined;
}

/** Goods that were added to the stock in memory, not yet in the database. */
export interface Added<I extends Incoming = Incoming> extends Units {
  item: I;
  quantity: number;
  newBatch: Batch | null;
}

interface Units {
  product: StockedProduct;
  batchNo: string;
  serials: readonly string[];
}

export function unitsOf(stock: IncomingStock, item: Incoming): Units {
  const product = stock.products.get(item.productCode);
  if (!product) throw new Error(`product ${item.productCode} not found although it is locked`);
  const batchNo = batchNoFor(product, item.batchNo);
  const serials = requireSerials(product, item.serials, item.quantity);
  requireSerialsAbsent(serials, stock.serials.get(item.productCode) ?? new Map(), batchNo);
  return { product, batchNo, serials };
}

export function addToStock<I extends Incoming>(
  stock: IncomingStock,
  item: I,
  units: Units,
  today: string,
): Added<I> {
  const { productCode, warehouse, quantity } = item;
  const { product, batchNo, serials } = units;
  const place = { productCode, batchNo, warehouse };
  const known = stock.batches.get(batchKey(place)) ?? null;
  const batch = openBatch(product, batchNo, known, item, today);
  const balance = stock.balances.get(balanceKey(place));
  if (!balance) throw new Error(`the balance of ${productCode} ${batchNo} in ${warehouse} was not read`);
  stock.balances.set(balanceKey(place), addTo(balance, quantity, '/quantity'));
  stock.batches.set(batchKey(place), batch);
  const ofProduct = stock.serials.get(productCode) ?? new Map<string, Serial>();
  for (const serialNo of serials) ofProduct.set(serialNo, { serialNo, batchNo, warehouse, holds: 0 });
  stock.serials.set(productCode, ofProduct);
  return { item, quantity, newBatch: known ? null : batch, ...units };
}

/** Writes each balance once, in its final state. */
export function saveAdded(tx: Tx, stock: IncomingStock, added: readonly Added[]): void {
  saveNewBatches(
    tx,
    added.flatMap(({ newBatch }) => newBatch ?? []),
  );
  const places = added.map(({ item: { productCode, warehouse }, batchNo }) => ({
    ...{ productCode, batchNo, warehouse },
  }));
  for (const place of new Map(places.map((each) => [balanceKey(each), each])).values()) {
    const balance = stock.balances.get(balanceKey(place));
    if (balance) saveBatchBalances(tx, place.productCode, place.batchNo, [balance]);
  }
  for (const { item, batchNo, serials } of added)
    putSerialsInStock(tx, item.productCode, serials, batchNo, item.warehouse);
  noteSearchable(
    tx,
    'serial',
    added.flatMap(({ item, serials }) => serials.map((serialNo) => pairKey(item.productCode, serialNo))),
  );
}

function arrivalOf(tx: Tx, item: Inbound, goods: InboundPortion & { batchNo: string }): Movement {
  return movementOf(tx, {
    kind: item.returned ? 'return' : 'receipt',
    productCode: item.productCode,
    warehouse: item.warehouse,
    batchNo: goods.batchNo,
    quantity: goods.quantity,
    quantityDelta: goods.quantity,
    serials: [...goods.serials],
    document: item.document,
    counterparty: item.counterparty,
    unmatched: goods.unmatched,
    dispatchId: item.returned?.dispatchId ?? null,
  });
}

export const toArrived = (
  { item: { productCode, warehouse, quantity }, batchNo, serials }: Added,
  holdIds: string[],
): ArrivedGoods => ({ productCode, batchNo, warehouse, quantity, serials, holdIds });

/**
 * Takes one line of a return into stock. Reads the stock itself, because a return is matched against the ledger, which must
 * contain the previous lines, and their holds have changed the balances. Returned goods are inspected before they are sold
 * again, so the hold covers exactly them.
 */
async function bringBack(tx: Tx, item: Inbound): Promise<ArrivedGoods> {
  const { productCode, warehouse } = item;
  const stock = await lockIncomingStock(tx, [item]);
  const units = unitsOf(stock, item);
  const { batchNo } = units;
  const portions = await portionsOf(tx, { ...item, ...units });
  const added = addToStock(stock, item, units, tx.today);
  saveAdded(tx, stock, [added]);
  appendMovements(
    tx,
    portions.map((portion) => arrivalOf(tx, item, { ...portion, batchNo })),
  );
  const holdIds: string[] = [];
  for (const portion of portions) {
    const extent = portion.serials.length > 0 ? { serials: portion.serials } : { quantity: portion.quantity };
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
  return toArrived(added, holdIds);
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
function withPath<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw atPath(path, error);
  }
}

async function withPathOf<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw atPath(path, error);
  }
}

const atPath = (path: string, error: unknown): unknown =>
  error instanceof Refusal
    ? new Refusal(error.issues.map((issue) => ({ ...issue, path: `${path}${issue.path ?? ''}` })))
    : error;
