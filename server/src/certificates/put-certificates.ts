import { recordAudit } from '../audit/index.js';
import { hasSameContent, type Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import type { Certificate, CertificateSubject } from './certificate.js';
import { type ContentInput, contentOf, newCertificate, subjectCodeOf } from './certificate.rules.js';
import {
  type CurrentKey,
  insertCertificates,
  keyText,
  lockCurrent,
  replaceCertificates,
} from './certificate.store.js';
import { onCertificatesChanged } from './certificate-hooks.js';
import { requireSubjects } from './require-subjects.js';

export type CertificateToPut = CertificateSubject & ContentInput;

/** Identifies a current certificate without its id. */
export const currentKeyOf = (
  put: CertificateSubject & Pick<CertificateToPut, 'certificateNo'>,
): CurrentKey => ({
  subjectType: put.subjectType,
  subjectCode: subjectCodeOf(put.subjectType, put.subjectCode),
  type: put.type,
  certificateNo: put.certificateNo,
});

/**
 * Creates or replaces certificates by subject, type and number, many at a time. Those with unchanged content are left alone.
 */
export async function putCertificates(tx: Tx, puts: readonly CertificateToPut[]): Promise<void> {
  const wanted = puts.map((put) => ({ key: currentKeyOf(put), content: contentOf(put) }));
  const keys = wanted.map(({ key }) => key);
  await requireSubjects(tx, keys);
  const known = await lockCurrent(tx, keys);
  // Lists sort certificates with the same end by id, so those of one request stay in the given order.
  const ids = wanted.map(() => newId('crt', tx.now)).sort();
  const made: Certificate[] = [];
  const replaced: Certificate[] = [];
  for (const [at, { key, content }] of wanted.entries()) {
    const before = known.get(keyText(key));
    if (before) {
      const after = { ...before, ...content, version: before.version + 1, updatedAt: tx.now };
      if (!hasSameContent(before, after)) replaced.push(after);
    } else
      made.push(newCertificate(key, content, { certificateId: ids[at] as string, at: tx.now, by: tx.actor }));
  }
  const inserted = await insertCertificates(tx, made);
  await replaceCertificates(tx, replaced);
  const written = [...made.filter(({ certificateId }) => inserted.has(certificateId)), ...replaced];
  await onCertificatesChanged(
    tx,
    written.map((after) => {
      const { certificateId, validTo } = after;
      const before = known.get(keyText(after));
      return before ? { certificateId, corrected: { from: before.validTo, to: validTo } } : { certificateId };
    }),
  );
  await recordAudit(
    tx,
    ...written.map((after) => {
      const before = known.get(keyText(after));
      const action = before ? 'certificate.update' : 'certificate.create';
      return { action, entityType: 'certificate', entityId: after.certificateId, before, after };
    }),
  );
  // A concurrent writer inserted it first, so it is now replaced.
  const late = made.filter(({ certificateId }) => !inserted.has(certificateId));
  if (late.length > 0) await putCertificates(tx, late);
}
