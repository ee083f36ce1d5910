import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { NamedCertificate } from './certificate.js';
import { requireOpen } from './certificate.rules.js';
import { saveCertificateState } from './certificate.store.js';
import type { CertificateFile } from './certificate-file.js';
import { putFile, readFileOf, removeFile } from './certificate-file.store.js';
import { loadAndLock } from './load-certificate.js';

export interface FileToPut extends Pick<CertificateFile, 'fileName' | 'contentType' | 'sha256'> {
  content: Buffer;
}

/** Stores the file of a certificate and replaces a previous one, unless it is the same. */
export async function putCertificateFile(
  tx: Tx,
  certificateId: string,
  { content, ...given }: FileToPut,
): Promise<CertificateFile> {
  const { certificate, before } = await lockWithFile(tx, certificateId);
  if (before && before.sha256 === given.sha256 && before.fileName === given.fileName) return before;
  const after = { ...given, size: content.length, storedAt: tx.now, storedBy: tx.actor };
  putFile(tx, certificateId, after, content);
  await noteFileChange(tx, certificate, 'certificate.put_file', before, after);
  return after;
}

export async function removeCertificateFile(tx: Tx, certificateId: string): Promise<void> {
  const { certificate, before } = await lockWithFile(tx, certificateId);
  if (!before) throw missing('file', 'certificateId');
  removeFile(tx, certificateId);
  await noteFileChange(tx, certificate, 'certificate.remove_file', before, null);
}

async function lockWithFile(tx: Tx, certificateId: string) {
  const certificate = await loadAndLock(tx, certificateId);
  requireOpen(certificate.state);
  return { certificate, before: await readFileOf(tx, tx.orgId, certificateId) };
}

/** The file is part of what a certificate shows, so its version increases. */
async function noteFileChange(
  tx: Tx,
  certificate: NamedCertificate,
  action: string,
  before: CertificateFile | null,
  after: CertificateFile | null,
): Promise<void> {
  const { certificateId, version } = certificate;
  await saveCertificateState(tx, { ...certificate, version: version + 1, updatedAt: tx.now });
  await recordAudit(tx, { action, entityType: 'certificate', entityId: certificateId, before, after });
}
