import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { holdStock } from '../stock/index.js';
import { type Alert, UNIT } from './alert.js';
import { affectedBatches, lockAlert, saveAlertHolds } from './alert.store.js';

/**
 * Puts every batch that the alert affects on hold in its warehouse. Batches held because of it before are skipped: if the
 * hold was released, a person decided so.
 */
export async function holdAffected(tx: Tx, alertId: string, reason: string | null): Promise<void> {
  const alert = await lockAlert(tx, alertId);
  if (!alert) throw missing('alert', 'alertId');
  const fresh = (await affectedBatches(tx, alert)).filter((batch) => !batch.wasHeld);
  if (fresh.length === 0) return;
  const why = reason ?? reasonOf(alert);
  const holds: { productCode: string; batchNo: string; holdId: string }[] = [];
  // Sorted by product code, the order in which every change of stock locks products.
  for (const { productCode, batchNo } of fresh) {
    const { warehouse } = alert;
    const { holdId } = await holdStock(tx, { productCode, batchNo, warehouse, reason: why, alertId });
    holds.push({ productCode, batchNo, holdId });
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

const NAME_MAX = 100;

function reasonOf({ alertId, metric, lowest, highest, pointName }: Alert): string {
  const unit = UNIT[metric];
  const read = lowest === highest ? `${lowest} ${unit}` : `${lowest} to ${highest} ${unit}`;
  return `${metric} of ${read} at ${pointName.slice(0, NAME_MAX)} (alert ${alertId})`;
}
