import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import type { NamedCertificate } from './certificate.js';
import { certificateMachine } from './certificate.rules.js';
import { saveCertificateState } from './certificate.store.js';
import { onCertificatesChanged } from './certificate-hooks.js';
import { loadAndLock } from './load-certificate.js';
import { insertStatusChange } from './status-change.store.js';

export type Decision = 'suspend' | 'reinstate' | 'revoke';

const RESULT = { suspend: 'suspended', reinstate: 'active', revoke: 'revoked' } as const;

/** Suspends, reinstates or revokes a certificate. */
export async function decideCertificate(
  tx: Tx,
  certificateId: string,
  decision: Decision,
  reason: string | null,
): Promise<NamedCertificate> {
  const before = await loadAndLock(tx, certificateId);
  certificateMachine.require(before.state, decision);
  const after: NamedCertificate = {
    ...before,
    state: RESULT[decision],
    // An active certificate has no reason; the audit entry says why it was reinstated.
    stateReason: decision === 'reinstate' ? null : reason,
    version: before.version + 1,
    updatedAt: tx.now,
  };
  await saveCertificateState(tx, after);
  await insertStatusChange(tx, before, after, reason);
  if (decision === 'reinstate') await onCertificatesChanged(tx, [{ certificateId }]);
  await recordAudit(tx, {
    action: `certificate.${decision}`,
    entityType: 'certificate',
    entityId: certificateId,
    reason,
    before,
    after,
  });
  return after;
}
