import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Recall, RecallStanding } from './recall.js';
import { findRecall } from './recall.store.js';
import {
  type Of,
  readAffectedStock,
  readConsignees,
  readStoppedDispatches,
} from './recall-standing.store.js';

/** Adds affected stock, stopped dispatches and consignees, with one statement each for all recalls. */
export async function standingOf(tx: Tx, recalls: readonly Recall[]): Promise<RecallStanding[]> {
  const ids = recalls.map((recall) => recall.recallId);
  if (ids.length === 0) return [];
  const affectedStock = byRecall(await readAffectedStock(tx, ids));
  const openDispatches = byRecall(await readStoppedDispatches(tx, ids));
  const consignees = byRecall(await readConsignees(tx, ids));
  return recalls.map((recall) => ({
    ...recall,
    affectedStock: affectedStock.get(recall.recallId) ?? [],
    openDispatches: openDispatches.get(recall.recallId) ?? [],
    consignees: consignees.get(recall.recallId) ?? [],
  }));
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

export async function readRecall(tx: Tx, recallId: string): Promise<RecallStanding> {
  const recall = await findRecall(tx, recallId);
  const [standing] = recall ? await standingOf(tx, [recall]) : [];
  if (!standing) throw missing('recall', 'recallId');
  return standing;
}
