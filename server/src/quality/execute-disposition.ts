import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { type Disposal, disposeHeld, type HeldPortion, lockStockedProducts } from '../stock/index.js';
import { shiftEntries } from './decide-disposition.js';
import type { Disposition, DispositionKind } from './disposition.js';
import { dispositionMachine } from './disposition.rules.js';
import { saveDecision } from './disposition.store.js';
import { readDisposition, requireDisposition } from './load-disposition.js';
import { refuseQuality } from './quality.errors.js';

export interface Execution {
  witness: string | null;
  carrier: string | null;
  trackingNo: string | null;
}

/** Reworked goods conform again, so their hold ends like that of released goods. */
const FATE: Record<DispositionKind, Disposal['fate']> = {
  release: 'release',
  rework: 'release',
  destroy: 'destruction',
  return_to_supplier: 'supplier_return',
};

/** Carries out an approved disposition. Goods that were never in stock have no movement: the disposition is their record. */
export async function executeDisposition(
  tx: Tx,
  dispositionId: string,
  execution: Execution,
): Promise<Disposition> {
  const named = await readDisposition(tx, dispositionId);
  const portions = named.lines.flatMap(({ holdId, warehouse, quantity, serials, lineNo }): HeldPortion[] =>
    holdId === null ? [] : [{ holdId, warehouse, quantity, serials, line: lineNo }],
  );
  const codes = named.lines.filter(({ holdId }) => holdId !== null).map((line) => line.productCode);
  const products = await lockStockedProducts(tx, [...new Set(codes)].sort());
  const before = await requireDisposition(tx, dispositionId);
  dispositionMachine.require(before.status, 'execute');
  if (before.kind === 'destroy' && execution.witness === null)
    throw refuseQuality('witness_required', '/witness');
  await disposeHeld(tx, products, portions, {
    fate: FATE[before.kind],
    dispositionId,
    reason: before.reason,
    supplierCode: before.supplierCode,
  });
  await shiftEntries(tx, before, (quantity) => ({ approved: -quantity, executed: quantity }));
  const after: Disposition = {
    ...before,
    ...execution,
    status: 'executed',
    executedAt: tx.now,
    executedBy: tx.actor,
    version: before.version + 1,
    updatedAt: tx.now,
  };
  saveDecision(tx, after);
  await recordAudit(tx, {
    action: 'disposition.execute',
    entityType: 'disposition',
    entityId: dispositionId,
    reason: before.reason,
    before,
    after,
  });
  return after;
}
