import { canonicalCode } from '@lotward/udi';
import { recordAudit } from '../audit/index.js';
import { lockProductsInOrder } from '../catalogue/index.js';
import { type Caller, type Outcome, outcomeOf, runInConflictFreeRounds } from '../platform/batched-calls.js';
import type { Tx } from '../platform/database/index.js';
import { missing, refuseAny } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { cancelOrder } from './cancel-order.js';
import { toCreatedOrder } from './created-order.js';
import type { Order, OrderContent, SyncResult } from './order.js';
import { decideSync, normalizeContent, type OrderInput, requireNotStale } from './order.rules.js';
import {
  insertNewOrders,
  keyText,
  lockOrdersByNo,
  type NewOrder,
  noteSourceVersion,
  type OrderKey,
  type OrderWords,
  readOrders,
  replaceOrderContent,
} from './order.store.js';
import { References } from './reference.store.js';

export interface OrderSync extends OrderKey {
  by: Caller;
  sourceVersion: number | null;
  /** Null: cancel the order. */
  content: OrderInput | null;
  reason: string | null;
}

interface Prepared extends OrderSync {
  normal: OrderContent | null;
}

/** `order` is set if it need not be read again. */
type Synced = { orderId: string; result: SyncResult; order?: Order };

/** Creates or synchronizes orders by customer and number. Concurrent callers with one number create one order. */
export async function syncOrders(
  tx: Tx,
  syncs: readonly OrderSync[],
): Promise<Outcome<{ order: Order; result: SyncResult }>[]> {
  const references = await readReferences(tx, syncs);
  return runInConflictFreeRounds(syncs, keyText, async (round) => {
    const prepared = round.map((sync) => outcomeOf(() => prepare(sync, references)));
    const good = prepared.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []));
    const done = await syncRound(tx, good, references);
    const ids = [...done.values()].flatMap((each) =>
      'value' in each && !each.value.order ? [each.value.orderId] : [],
    );
    // Read in each round, so that the creator of an order sees it before a later round changes it.
    const orders = ids.length > 0 ? await readOrders(tx, ids) : new Map<string, Order>();
    return prepared.map((outcome) => {
      const each = 'value' in outcome ? done.get(keyText(outcome.value)) : outcome;
      if (!each) throw new Error('a synchronized order is missing');
      if ('failure' in each) return each;
      const order = each.value.order ?? orders.get(each.value.orderId);
      if (!order) throw new Error('a synchronized order is missing');
      return { value: { order, result: each.value.result } };
    });
  });
}

function readReferences(tx: Tx, syncs: readonly OrderSync[]): Promise<References> {
  const contents = syncs.flatMap((sync) => (sync.content ? [normalOrNull(sync.content)] : []));
  return References.read(tx, {
    customers: syncs.map((sync) => sync.customerCode),
    warehouses: contents.flatMap((content) => (content ? [content.warehouse] : [])),
    products: contents.flatMap((content) => content?.lines.map((line) => line.productCode) ?? []),
  });
}

function normalOrNull(input: OrderInput): OrderContent | null {
  const outcome = outcomeOf(() => normalizeContent(input));
  return 'value' in outcome ? outcome.value : null;
}

function prepare(sync: OrderSync, references: References): Prepared {
  if (!sync.content) return { ...sync, normal: null };
  const normal = normalizeContent(sync.content);
  refuseAny([
    ...references.customerIssues('/customerCode', sync.customerCode),
    ...references.warehouseIssues('/warehouse', normal.warehouse),
    ...sync.content.lines.flatMap(({ productCode: given }, i) =>
      references.productIssues(`/lines/${i}/productCode`, canonicalCode(given), given),
    ),
  ]);
  return { ...sync, normal };
}

/** Handles at most one call per order number. */
async function syncRound(
  tx: Tx,
  syncs: readonly Prepared[],
  references: References,
): Promise<Map<string, Outcome<Synced>>> {
  const outcomes = new Map<string, Outcome<Synced>>();
  const withContent = syncs.filter((sync) => sync.normal !== null);
  // Sorted so that two batches insert the same new numbers in the same sequence and cannot deadlock.
  const created = await create(
    tx,
    withContent.sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1)),
    references,
  );
  for (const order of created)
    outcomes.set(keyText(order), { value: { orderId: order.orderId, result: 'created', order } });
  // The insert skipped existing orders; all of them are visible by now.
  const rest = syncs.filter((sync) => !outcomes.has(keyText(sync)));
  const known = rest.length > 0 ? await lockOrdersByNo(tx, rest) : new Map<string, Order>();
  await lockStockToFree(
    tx,
    rest.flatMap((sync) => (sync.normal === null ? (known.get(keyText(sync)) ?? []) : [])),
  );
  for (const sync of rest)
    outcomes.set(keyText(sync), await syncKnown(tx, sync, known.get(keyText(sync)), references));
  return outcomes;
}

/**
 * Locks the products that several cancellations will release, all in one sequence. Each cancellation locks the products of
 * its own order, and two transactions that cancel in different sequences would deadlock.
 */
async function lockStockToFree(tx: Tx, orders: readonly Order[]): Promise<void> {
  const reserving = orders.filter((order) => order.status === 'approved');
  if (reserving.length < 2) return;
  const codes = reserving.flatMap((order) => order.lines.map((line) => line.productCode));
  await lockProductsInOrder(tx, [...new Set(codes)]);
}

async function create(tx: Tx, syncs: readonly Prepared[], references: References): Promise<Order[]> {
  if (syncs.length === 0) return [];
  const orders = syncs.map(
    (sync): NewOrder => ({
      orderId: newId('ord', tx.now),
      customerCode: sync.customerCode,
      orderNo: sync.orderNo,
      content: sync.normal as OrderContent,
      words: wordsOf(sync, references),
      sourceVersion: sync.sourceVersion,
      createdBy: sync.by.actor,
    }),
  );
  const made = await insertNewOrders(tx, orders);
  const mine = orders.flatMap((order, i) => (made.has(order.orderId) ? [{ order, by: syncs[i]?.by }] : []));
  await recordAudit(
    tx,
    ...mine.map(({ order: { words: _words, ...order }, by }) => ({
      action: 'order.create',
      entityType: 'order',
      entityId: order.orderId,
      after: order,
      by,
    })),
  );
  return mine.map(({ order }) => toCreatedOrder(order, tx.now));
}

/** The current names of the customer and products, which the order keeps. */
const wordsOf = ({ customerCode }: OrderSync, references: References): OrderWords => ({
  customerName: references.customerName(customerCode),
  ofProduct: (productCode) => references.wordsOf(productCode),
});

async function syncKnown(
  tx: Tx,
  sync: Prepared,
  order: Order | undefined,
  references: References,
): Promise<Outcome<Synced>> {
  if (!order) return { failure: missing('order', '/orderNo') };
  if (sync.normal === null) return cancelKnown(tx, sync, order);
  const content = sync.normal;
  const decided = outcomeOf(() => decideSync(order, content, sync.sourceVersion));
  if ('failure' in decided) return decided;
  if (decided.value === 'updated') {
    await replaceOrderContent(tx, order, content, wordsOf(sync, references), sync.sourceVersion);
    const audited = { action: 'order.update', entityType: 'order', entityId: order.orderId };
    await recordAudit(tx, { ...audited, before: order, after: content, by: sync.by });
  } else {
    await saveVersion(tx, sync, order);
  }
  return { value: { orderId: order.orderId, result: decided.value } };
}

/** Saves the sender's version if nothing else changed. */
async function saveVersion(tx: Tx, { sourceVersion, by }: Prepared, order: Order): Promise<void> {
  if (sourceVersion === null || sourceVersion === order.sourceVersion) return;
  await noteSourceVersion(tx, order.orderId, sourceVersion);
  const audited = { action: 'order.note_version', entityType: 'order', entityId: order.orderId, by };
  await recordAudit(tx, {
    ...audited,
    before: { sourceVersion: order.sourceVersion },
    after: { sourceVersion },
  });
}

async function cancelKnown(tx: Tx, sync: Prepared, order: Order): Promise<Outcome<Synced>> {
  const stale = outcomeOf(() => requireNotStale(order, sync.sourceVersion));
  if ('failure' in stale) return stale;
  if (order.status === 'cancelled') return { value: { orderId: order.orderId, result: 'unchanged' } };
  // Under a savepoint, so that a refused cancellation leaves nothing behind in the shared transaction.
  const outcome = await tx
    .savepoint(async () => {
      await cancelOrder(tx.as(sync.by), order.orderId, sync.reason);
      await saveVersion(tx, sync, order);
    })
    .then(
      () => ({ value: { orderId: order.orderId, result: 'cancelled' as const } }),
      (error: unknown) =>
        outcomeOf<Synced>(() => {
          throw error;
        }),
    );
  return outcome;
}
