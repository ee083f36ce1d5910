import { recordAudit } from '../audit/index.js';
import { hasSameContent, type Tx } from '../platform/database/index.js';
import type { CertificateSubject, NamedCertificate } from './certificate.js';
import { type ContentInput, contentOf, requireOpen, requireSameSubject } from './certificate.rules.js';
import { replaceCertificates } from './certificate.store.js';
import { onCertificatesChanged } from './certificate-hooks.js';
import { loadAndLock } from './load-certificate.js';

type OptionalSubject = { [K in keyof CertificateSubject]?: CertificateSubject[K] | undefined };

/** Replaces the whole content of a certificate, unless it is unchanged; its subject and type stay. */
export async function replaceCertificate(
  tx: Tx,
  certificateId: string,
  input: ContentInput & OptionalSubject,
): Promise<NamedCertificate> {
  const before = await loadAndLock(tx, certificateId);
  requireSameSubject(before, input);
  requireOpen(before.state);
  const content = contentOf(input);
  const after = { ...before, ...content, version: before.version + 1, updatedAt: tx.now };
  if (hasSameContent(before, after)) return before;
  await replaceCertificates(tx, [after]);
  await onCertificatesChanged(tx, [
    { certificateId, corrected: { from: before.validTo, to: after.validTo } },
  ]);
  await recordAudit(tx, {
    action: 'certificate.update',
    entityType: 'certificate',
    entityId: certificateId,
    before,
    after,
  });
  return after;
}
