import { canonicalCode } from '@lotward/udi';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { holdBatches } from '../stock/index.js';
import { type AffectedBatch, type Alert, UNIT } from './alert.js';
import { affectedBatches, lockAlert, saveAlertHolds } from './alert.store.js';
import { refuseEnvironment } from './environment.errors.js';

interface NamedBatch {
  productCode: string;
  batchNo: string;
}

/**
 * Puts the batches that the alert affects on hold in its warehouse: all, or those that are chosen. Batches held because of it
 * before are skipped: if the hold was released, a person decided so.
 */
export async function holdAffected(
  tx: Tx,
  alertId: string,
  reason: string | null,
  chosen?: readonly NamedBatch[],
): Promise<void> {
  const alert = await lockAlert(tx, alertId);
  if (!alert) throw missing('alert', 'alertId');
  const affected = await affectedBatches(tx, alert);
  const fresh = (chosen ? chooseBatches(affected, chosen) : affected).filter((batch) => !batch.wasHeld);
  if (fresh.length === 0) return;
  const why = reason ?? reasonOf(alert);
  const holds: { productCode: string; batchNo: string; holdId: string }[] = [];
  const { warehouse } = alert;
  // Sorted by product code, the order in which every change of stock locks products.
  for (const [productCode, batchNos] of byProduct(fresh)) {
    const held = await holdBatches(tx, { productCode, batchNos, warehouse, reason: why, alertId });
    for (const { batchNo, holdId } of held.holds) holds.push({ productCode, batchNo, holdId });
  }
  await saveAlertHolds(tx, alertId, holds);
  await recordAudit(tx, {
    action: 'alert.hold',
    entityType: 'alert',
    entityId: alertId,
    reason: why,
    after: { holds },
  });
}

function byProduct(batches: readonly NamedBatch[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { productCode, batchNo } of batches) {
    const named = found.get(productCode);
    if (named) named.push(batchNo);
    else found.set(productCode, [batchNo]);
  }
  return found;
}

function chooseBatches(
  affected: readonly AffectedBatch[],
  chosen: readonly NamedBatch[],
): readonly AffectedBatch[] {
  const nameOf = (productCode: string, batchNo: string) => JSON.stringify([productCode, batchNo]);
  const names = chosen.map(({ productCode, batchNo }) => nameOf(canonicalCode(productCode), batchNo));
  const known = new Set(affected.map(({ productCode, batchNo }) => nameOf(productCode, batchNo)));
  const other = names.findIndex((name) => !known.has(name));
  if (other !== -1) throw refuseEnvironment('batch_not_affected', `/batches/${other}`);
  const wanted = new Set(names);
  return affected.filter(({ productCode, batchNo }) => wanted.has(nameOf(productCode, batchNo)));
}

const NAME_MAX = 100;

function reasonOf({ alertId, metric, lowest, highest, pointName }: Alert): string {
  const unit = UNIT[metric];
  const read = lowest === highest ? `${lowest} ${unit}` : `${lowest} to ${highest} ${unit}`;
  return `${metric} of ${read} at ${pointName.slice(0, NAME_MAX)} (alert ${alertId})`;
}
