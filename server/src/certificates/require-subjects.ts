import { partnerIssues, readNamedPartners, unknownProduct, unknownProducts } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseAny } from '../platform/errors/index.js';
import type { CertificateSubject } from './certificate.js';

const PATH = '/subjectCode';

/** Refuses subjects that do not exist, and partners without the role. */
export async function requireSubjects(tx: Tx, subjects: readonly CertificateSubject[]): Promise<void> {
  const codesOf = (type: string) => [
    ...new Set(subjects.filter((each) => each.subjectType === type).map((each) => each.subjectCode)),
  ];
  const products = codesOf('product');
  const unknown = products.length > 0 ? await unknownProducts(tx, products) : [];
  const suppliers = codesOf('supplier');
  const customers = codesOf('customer');
  const partners =
    suppliers.length + customers.length > 0
      ? await readNamedPartners(tx, [...suppliers, ...customers])
      : new Map();
  refuseAny([
    ...unknown.map((code) => unknownProduct(PATH, code)),
    ...suppliers.flatMap((code) => partnerIssues(PATH, code, 'supplier', partners.get(code))),
    ...customers.flatMap((code) => partnerIssues(PATH, code, 'customer', partners.get(code))),
  ]);
}
