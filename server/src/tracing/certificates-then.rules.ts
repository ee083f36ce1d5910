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
  state: State;
  supersededFrom: string | null;
  /** What was decided about it, the oldest first: when, and what it was before. */
  changes: readonly { at: Date; from: State }[];
}

type State = 'active' | 'suspended' | 'revoked' | 'superseded';

const HAND_OVERS: readonly Step[] = ['received', 'dispatched', 'delivered'];

/** The state at an instant is what the first decision after it changed, or the present one if none did. */
const stateAt = ({ state, changes }: RecordedCertificate, at: Date): State =>
  changes.find((change) => change.at > at)?.from ?? state;

/** A later decision neither takes back the days on which a certificate counted, nor makes it count on days it did not. */
function wasInForce(certificate: RecordedCertificate, at: Date, day: string): boolean {
  const { validFrom, validTo, supersededFrom } = certificate;
  if (day < validFrom || (validTo !== null && day > validTo)) return false;
  const state = stateAt(certificate, at);
  // A renewed certificate counts until its renewal begins, unless it was suspended when it was renewed.
  if (state === 'superseded') return supersededFrom !== null && day < supersededFrom;
  return state === 'active';
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
