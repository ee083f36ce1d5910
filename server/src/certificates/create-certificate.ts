import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { refuseCertificate } from './certificate.errors.js';
import type { CertificateSubject, NamedCertificate } from './certificate.js';
import { type ContentInput, contentOf, newCertificate, subjectCodeOf } from './certificate.rules.js';
import { insertCertificates } from './certificate.store.js';
import { onCertificatesChanged } from './certificate-hooks.js';
import { loadCertificate } from './load-certificate.js';
import { requireSubjects } from './require-subjects.js';

export async function createCertificate(
  tx: Tx,
  input: CertificateSubject & ContentInput,
): Promise<NamedCertificate> {
  const { subjectType, type } = input;
  const subject = { subjectType, subjectCode: subjectCodeOf(subjectType, input.subjectCode), type };
  const content = contentOf(input);
  await requireSubjects(tx, [subject]);
  const certificateId = newId('crt', tx.now);
  const made = newCertificate(subject, content, { certificateId, at: tx.now, by: tx.actor });
  const written = await insertCertificates(tx, [made]);
  if (written.size === 0) throw refuseCertificate('certificate_exists', '/certificateNo');
  await onCertificatesChanged(tx, [{ certificateId }]);
  const after = await loadCertificate(tx, certificateId);
  await recordAudit(tx, {
    action: 'certificate.create',
    entityType: 'certificate',
    entityId: certificateId,
    after,
  });
  return after;
}
