import { readPartnerRoles, refuseCatalogue, unknownProducts } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseReference } from '../platform/errors/index.js';
import type { CertificateSubject } from './certificate.js';

/** What a certificate is about exists, and a partner has the role. */
export async function requireSubjects(tx: Tx, subjects: readonly CertificateSubject[]): Promise<void> {
  const products = subjects.filter((subject) => subject.subjectType === 'product');
  const partners = subjects.filter((subject) => subject.subjectType !== 'product');
  if (products.length > 0) {
    const codes = [...new Set(products.map((subject) => subject.subjectCode))];
    const [unknown] = await unknownProducts(tx, codes);
    if (unknown !== undefined) throw refuseReference('/subjectCode', `product ${unknown}`);
  }
  if (partners.length === 0) return;
  const codes = [...new Set(partners.map((subject) => subject.subjectCode))];
  const roles = await readPartnerRoles(tx, codes);
  for (const { subjectType, subjectCode } of partners) {
    const own = roles.get(subjectCode);
    if (!own) throw refuseReference('/subjectCode', `partner ${subjectCode}`);
    if (!own.some((role) => role === subjectType))
      throw refuseCatalogue('wrong_partner_role', '/subjectCode', `${subjectCode} is not a ${subjectType}`);
  }
}
