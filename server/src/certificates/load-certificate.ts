import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Principal } from '../platform/principal.js';
import type { Certificate, NamedCertificate } from './certificate.js';
import { findCertificate, lockCertificate } from './certificate.store.js';

export async function loadCertificate(tx: Tx, certificateId: string): Promise<NamedCertificate> {
  const certificate = await findCertificate(tx, certificateId);
  if (!certificate) throw missing('certificate', 'certificateId');
  return certificate;
}

/** Locked so that the second of two concurrent changes sees the result of the first. */
export async function loadAndLock(tx: Tx, certificateId: string): Promise<NamedCertificate> {
  const certificate = await lockCertificate(tx, certificateId);
  if (!certificate) throw missing('certificate', 'certificateId');
  return certificate;
}

/** A credential bound to a customer does not see the certificates of customers. */
export const seesCustomers = (principal: Principal): boolean => principal.boundTo === null;

export const isHiddenFrom = (principal: Principal, { subjectType }: Certificate): boolean =>
  subjectType === 'customer' && !seesCustomers(principal);
