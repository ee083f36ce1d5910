import { type Pool, statement, type Tx } from '../platform/database/index.js';
import type { Certificate, StatusChange } from './certificate.js';

const insert = statement(`
  insert into certificate_status_changes
    (org_id, certificate_id, version, previous_state, current_state, changed_at, changed_by, reason)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`);

/** Records a change of a certificate's state, in the transaction of the change. */
export async function insertStatusChange(
  tx: Tx,
  before: Certificate,
  after: Certificate,
  reason: string | null,
): Promise<void> {
  const states = [before.state, after.state];
  tx.send(insert, [tx.orgId, after.certificateId, after.version, ...states, tx.now, tx.actor, reason]);
}

const ofCertificates = statement(`
  select certificate_id as "certificateId", previous_state as "previousState", current_state as "currentState",
    changed_at as "changedAt", changed_by as "changedBy", reason
  from certificate_status_changes where org_id = $1 and certificate_id = any($2) order by certificate_id, version`);

/** By certificate, oldest first. */
export async function readStatusChanges(
  from: Pick<Pool, 'query'>,
  orgId: string,
  certificateIds: readonly string[],
): Promise<Map<string, StatusChange[]>> {
  const rows = await from.query<StatusChange & { certificateId: string }>(ofCertificates, [
    orgId,
    certificateIds,
  ]);
  const changes = new Map<string, StatusChange[]>();
  for (const { certificateId, ...change } of rows)
    changes.set(certificateId, [...(changes.get(certificateId) ?? []), change]);
  return changes;
}
