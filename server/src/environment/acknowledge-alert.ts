import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { lockAlert, saveAcknowledgement } from './alert.store.js';
import { refuseEnvironment } from './environment.errors.js';

/** Acknowledges an alert, once. */
export async function acknowledgeAlert(tx: Tx, alertId: string, comment: string): Promise<void> {
  const alert = await lockAlert(tx, alertId);
  if (!alert) throw missing('alert', 'alertId');
  if (alert.acknowledgedBy !== null)
    throw refuseEnvironment('already_acknowledged', null, `acknowledged by ${alert.acknowledgedBy}`);
  await saveAcknowledgement(tx, alertId, comment);
  await recordAudit(tx, {
    action: 'alert.acknowledge',
    entityType: 'alert',
    entityId: alertId,
    reason: comment,
    after: { acknowledgedBy: tx.actor, acknowledgement: comment },
  });
}
