import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import type { Certificate, NamedCertificate } from './certificate.js';
import { certificateMachine, newCertificate, type Renewal, renewedContent } from './certificate.rules.js';
import { saveRenewal } from './certificate.store.js';
import { onCertificatesChanged } from './certificate-hooks.js';
import { loadAndLock } from './load-certificate.js';
import { insertStatusChange } from './status-change.store.js';

/** Enters the certificate that follows on this one, and answers it. */
export async function renewCertificate(
  tx: Tx,
  certificateId: string,
  renewal: Renewal,
): Promise<NamedCertificate> {
  const before = await loadAndLock(tx, certificateId);
  certificateMachine.require(before.state, 'renew');
  const renewed = newCertificate(before, renewedContent(before, renewal, tx.today), {
    certificateId: newId('crt', tx.now),
    at: tx.now,
    by: tx.actor,
  });
  const old: Certificate = {
    ...before,
    state: 'superseded',
    stateReason: null,
    supersededBy: renewed.certificateId,
    // A suspended one counted for nothing, and does not begin to because it is renewed.
    supersededFrom: before.state === 'active' ? renewed.validFrom : null,
    version: before.version + 1,
    updatedAt: tx.now,
  };
  await saveRenewal(tx, old, renewed);
  await insertStatusChange(tx, before, old, null);
  await onCertificatesChanged(tx, [{ certificateId: renewed.certificateId }]);
  await recordAudit(
    tx,
    {
      action: 'certificate.renew',
      entityType: 'certificate',
      entityId: certificateId,
      before,
      after: old,
    },
    {
      action: 'certificate.create',
      entityType: 'certificate',
      entityId: renewed.certificateId,
      after: { ...renewed, subjectName: before.subjectName },
    },
  );
  return { ...renewed, subjectName: before.subjectName };
}
