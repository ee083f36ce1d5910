import type { ChainItem, Step } from './trace.js';

/** A certificate with its status changes, enough to decide on which days it was in force. */
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
  /** Status changes, oldest first: when, and the state before. */
  changes: readonly { at: Date; from: State }[];
}

type State = 'active' | 'suspended' | 'revoked' | 'superseded';

const HAND_OVERS: readonly Step[] = ['received', 'dispatched', 'delivered'];

/** The state at an instant is the state before the first later change, or the present state if there was none. */
const stateAt = ({ state, changes }: RecordedCertificate, at: Date): State =>
  changes.find((change) => change.at > at)?.from ?? state;

/** Decided by the state at the time: later changes do not alter past days. */
function wasInForce(certificate: RecordedCertificate, at: Date, day: string): boolean {
  const { validFrom, validTo, supersededFrom } = certificate;
  if (day < validFrom || (validTo !== null && day > validTo)) return false;
  const state = stateAt(certificate, at);
  // A superseded certificate is in force until its renewal begins, unless it was suspended when it was renewed.
  if (state === 'superseded') return supersededFrom !== null && day < supersededFrom;
  return state === 'active';
}

/** Numbers of the certificates in force at a hand-over: those of the product and of the other party. */
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
