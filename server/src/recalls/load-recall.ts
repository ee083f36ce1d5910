import { type Tx, usualPage } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { readRecalledBalances } from '../stock/index.js';
import type { AffectedStock, Recall, RecallStanding } from './recall.js';
import { findRecall, listRecalls } from './recall.store.js';
import { type Of, readConsignees, readStoppedDispatches } from './recall-standing.store.js';

/**
 * Adds affected stock, stopped dispatches and consignees, with one statement each for all recalls. `known`: the stock by recall, if it
 * need not be read.
 */
export async function standingOf(
  tx: Tx,
  recalls: readonly Recall[],
  known: ReadonlyMap<string, AffectedStock[]> | null = null,
): Promise<RecallStanding[]> {
  const ids = recalls.map((recall) => recall.recallId);
  if (ids.length === 0) return [];
  const [affectedStock, dispatches, customers] = await Promise.all([
    known ?? readRecalledBalances(tx, ids).then(byRecall),
    readStoppedDispatches(tx, ids),
    readConsignees(tx, recalls),
  ]);
  const openDispatches = byRecall(dispatches);
  const consignees = byRecall(customers);
  return recalls.map((recall) => ({
    ...recall,
    affectedStock: affectedStock.get(recall.recallId) ?? [],
    openDispatches: openDispatches.get(recall.recallId) ?? [],
    consignees: consignees.get(recall.recallId) ?? [],
  }));
}

/**
 * Recalls as one customer sees them: with its own goods and dispatches, and nothing about our stock or other customers.
 * Omits recalls of which it got no goods.
 */
export async function standingFor(
  tx: Tx,
  recalls: readonly Recall[],
  customerCode: string,
): Promise<RecallStanding[]> {
  const ids = recalls.map((recall) => recall.recallId);
  if (ids.length === 0) return [];
  const openDispatches = byRecall(await readStoppedDispatches(tx, ids, customerCode));
  const consignees = byRecall(await readConsignees(tx, recalls, customerCode));
  return recalls.flatMap((recall) => {
    const [own] = consignees.get(recall.recallId) ?? [];
    if (!own) return [];
    return {
      ...recall,
      batchNos: recall.extent === 'batches' ? own.batchNos : [],
      serials: own.serials,
      // We write these texts, and they may mention other customers.
      closeReason: null,
      affectedStock: [],
      openDispatches: openDispatches.get(recall.recallId) ?? [],
      consignees: [{ ...own, unansweredReason: null }],
    };
  });
}

function byRecall<T>(rows: readonly Of<T>[]): Map<string, Omit<Of<T>, 'recallId'>[]> {
  const found = new Map<string, Omit<Of<T>, 'recallId'>[]>();
  for (const { recallId, ...row } of rows) {
    const list = found.get(recallId);
    if (list) list.push(row);
    else found.set(recallId, [row]);
  }
  return found;
}

/** `boundTo` not null: as this customer sees it. A recall that does not concern the customer is treated as nonexistent. */
export async function readRecall(
  tx: Tx,
  recallId: string,
  boundTo: string | null = null,
): Promise<RecallStanding> {
  const recall = await findRecall(tx, recallId);
  const found = recall ? [recall] : [];
  const [standing] = boundTo === null ? await standingOf(tx, found) : await standingFor(tx, found, boundTo);
  if (!standing) throw missing('recall', 'recallId');
  return standing;
}

/** A recall that this transaction opens; `goods`: the stock that its holds block, or null if it is to be read. */
export async function readNewRecall(
  tx: Tx,
  recallId: string,
  goods: AffectedStock[] | null,
): Promise<RecallStanding> {
  const recall = await findRecall(tx, recallId);
  const known = goods && new Map([[recallId, goods]]);
  const [standing] = await standingOf(tx, recall ? [recall] : [], known);
  if (!standing) throw missing('recall', 'recallId');
  return standing;
}

export async function readRecallByNo(tx: Tx, recallNo: string): Promise<RecallStanding | null> {
  const [standing] = await standingOf(tx, await listRecalls(tx, { recallNo }, usualPage(null, 1)));
  return standing ?? null;
}
