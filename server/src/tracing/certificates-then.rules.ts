import type { ChainItem, Step } from './trace.js';

/** What is on record of a certificate that tells on which days it counted. */
export interface RecordedCertificate {
  certificateId: string;
  certificateNo: string;
  type: string;
  subjectType: 'product' | 'supplier' | 'customer';
  subjectCode: string;
  issuer: string;
  validFrom: string;
  validTo: string | null;
  state: 'active' | 'suspended' | 'revoked' | 'superseded';
  supersededFrom: string | null;
  updatedAt: Date;
}

const HAND_OVERS: readonly Step[] = ['received', 'dispatched', 'delivered'];

/** What was decided against a certificate later does not undo the days on which it counted. */
function wasInForce(certificate: RecordedCertificate, at: Date, day: string): boolean {
  const { state, validFrom, validTo, supersededFrom, updatedAt } = certificate;
  if (day < validFrom || (validTo !== null && day > validTo)) return false;
  if (state === 'active') return true;
  if (state === 'superseded') return supersededFrom === null || day < supersededFrom;
  return at.getTime() < updatedAt.getTime();
}

/** Numbers of the certificates that a hand-over could rely on: of the product, and of the other side. */
export function certificatesOf(
  item: ChainItem,
  productCode: string,
  certificates: readonly RecordedCertificate[],
  day: string,
): string[] {
  if (!HAND_OVERS.includes(item.step)) return [];
  const other = item.step === 'received' ? item.from : item.to;
  const numbers = certificates
    .filter(
      ({ subjectType, subjectCode }) =>
        (subjectType === 'product' && subjectCode === productCode) ||
        (subjectType === other?.kind && subjectCode === other.code),
    )
    .filter((certificate) => wasInForce(certificate, item.at, day))
    .map((certificate) => certificate.certificateNo);
  return [...new Set(numbers)].sort();
}
