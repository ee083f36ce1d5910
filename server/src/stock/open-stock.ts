import { canonicalCode } from '@lotward/udi';
import { recordAudit } from '../audit/index.js';
import { unknownProduct, unknownWarehouse, unknownWarehouses } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { type Issue, Refusal } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { batchKey } from './balance.store.js';
import { readBooks, readFirstMovement } from './books.store.js';
import { type Added, addToStock, saveAdded, settleArrivals, toArrived, unitsOf } from './bring-in-stock.js';
import { balanceKey, type IncomingStock, lockIncomingStock } from './incoming-stock.store.js';
import { movementOf, requireInstant } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import { dropExpiredReservations } from './reservation.store.js';
import { refuseStock } from './stock.errors.js';
import type { Balance, Movement } from './stock.js';

/** The first stock of a batch in a warehouse. */
export interface Opening {
  productCode: string;
  warehouse: string;
  batchNo?: string | undefined;
  quantity: number;
  reason: string;
  expiryDate?: string | null | undefined;
  manufactureDate?: string | null | undefined;
  serials?: readonly string[] | undefined;
  occurredAt?: string | undefined;
}

/**
 * Enters opening stock as adjustments, each with its own outcome: null, or the issues for which it is refused. Stock that a
 * batch already has in the warehouse is refused, so that importing a file again adds nothing. Many rows take hardly more
 * statements than one.
 */
export async function openStock(tx: Tx, openings: readonly Opening[]): Promise<(readonly Issue[] | null)[]> {
  const goods = openings.map((opening) => ({
    ...opening,
    productCode: canonicalCode(opening.productCode),
    batchNo: opening.batchNo ?? '',
    serials: opening.serials ?? [],
  }));
  const codes = [...new Set(goods.map((each) => each.productCode))];
  const [stock, unknown] = await Promise.all([
    lockIncomingStock(tx, goods),
    unknownWarehouses(tx, [...new Set(goods.map((each) => each.warehouse))]),
  ]);
  // The stock is about to change, so reservations of expired batches no longer count.
  const [, instants] = await Promise.all([dropExpiredReservations(tx, codes), readInstants(tx, goods)]);
  const entered: Entered[] = [];
  const outcomes = openings.map((opening, i) =>
    issuesOf(() => {
      const named = goods[i] as (typeof goods)[number];
      requireKnown(stock, new Set(unknown), named, opening.productCode);
      entered.push(enter(tx, stock, named, instants));
    }),
  );
  await save(tx, stock, entered);
  return outcomes;
}

type Named = Opening & { batchNo: string; serials: readonly string[] };

interface Entered {
  added: Added;
  before: Balance;
  after: Balance;
  movement: Movement;
}

function issuesOf(work: () => void): readonly Issue[] | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.issues;
    throw error;
  }
}

/** The books, and the first movement of each batch by `batchKey`, as far as a row gives its instant. */
interface Instants {
  books: Awaited<ReturnType<typeof readBooks>> | null;
  first: Map<string, Date>;
}

async function readInstants(tx: Tx, goods: readonly Named[]): Promise<Instants> {
  const batches = new Map(goods.map((each) => [batchKey(each), each]));
  const first = new Map<string, Date>();
  if (goods.every((each) => each.occurredAt === undefined)) return { books: null, first };
  const [books] = await Promise.all([
    readBooks(tx),
    ...[...batches].map(async ([key, { productCode, batchNo }]) => {
      const at = await readFirstMovement(tx, productCode, batchNo);
      if (at) first.set(key, at);
    }),
  ]);
  return { books, first };
}

function requireKnown(
  stock: IncomingStock,
  unknownPlaces: ReadonlySet<string>,
  { productCode, warehouse }: Named,
  given: string,
): void {
  const issues = [
    ...(stock.products.has(productCode) ? [] : [unknownProduct('/productCode', given)]),
    ...(unknownPlaces.has(warehouse) ? [unknownWarehouse('/warehouse', warehouse)] : []),
  ];
  if (issues.length > 0) throw new Refusal(issues);
}

function enter(tx: Tx, stock: IncomingStock, named: Named, { books, first }: Instants): Entered {
  const { productCode, warehouse, quantity, reason } = named;
  const units = unitsOf(stock, named);
  const place = { productCode, warehouse, batchNo: units.batchNo };
  if (stock.stocked.has(balanceKey(place)))
    throw refuseStock('already_stocked', units.batchNo === '' ? '/productCode' : '/batchNo');
  const at = requireInstant(tx, named.occurredAt, books, first.get(batchKey(place)) ?? null);
  const before = stock.balances.get(balanceKey(place)) as Balance;
  const added = addToStock(stock, named, units, tx.today);
  const after = stock.balances.get(balanceKey(place)) as Balance;
  stock.stocked.add(balanceKey(place));
  if (!first.has(batchKey(place))) first.set(batchKey(place), at);
  const movement = movementOf(tx, {
    kind: 'adjustment',
    ...place,
    quantity,
    quantityDelta: quantity,
    serials: [...units.serials],
    document: { type: 'adjustment', id: newId('adj', tx.now), no: null, line: null },
    reason,
    occurredAt: at,
  });
  return { added, before, after, movement };
}

async function save(tx: Tx, stock: IncomingStock, entered: readonly Entered[]): Promise<void> {
  if (entered.length === 0) return;
  saveAdded(
    tx,
    stock,
    entered.map((each) => each.added),
  );
  appendMovements(
    tx,
    entered.map((each) => each.movement),
  );
  await settleArrivals(
    tx,
    entered.map((each) => toArrived(each.added, [])),
  );
  await recordAudit(
    tx,
    ...entered.map(({ before, after, movement }) => ({
      action: 'stock.adjust',
      entityType: 'batch',
      entityId: `${movement.productCode}/${movement.batchNo}`,
      reason: movement.reason,
      before,
      after: { ...after, movement },
    })),
  );
}
