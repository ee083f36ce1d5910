import type { Coverage } from '../certificates/index.js';
import type { ChainItem, Step } from './trace.js';

/** A certificate with its changes, enough to determine on which days it was in force and what it covered then. */
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
  coverage: Coverage | null;
  /** Changes of the coverage, oldest first: when, and what it was before. */
  coverageChanges: readonly { at: Date; from: Coverage | null }[];
}

type State = 'active' | 'suspended' | 'revoked' | 'superseded';

const HAND_OVERS: readonly Step[] = ['received', 'dispatched', 'delivered'];

/** The state at an instant is the state before the first later change, or the present state if there was none. */
const stateAt = ({ state, changes }: RecordedCertificate, at: Date): State =>
  changes.find((change) => change.at > at)?.from ?? state;

/** Decided by the state at the time: later changes do not affect past days. */
function wasInForce(certificate: RecordedCertificate, at: Date, day: string): boolean {
  const { validFrom, validTo, supersededFrom } = certificate;
  if (day < validFrom || (validTo !== null && day > validTo)) return false;
  const state = stateAt(certificate, at);
  // A superseded certificate is in force until its renewal begins, unless it was suspended when it was renewed.
  if (state === 'superseded') return supersededFrom !== null && day < supersededFrom;
  return state === 'active';
}

/** The coverage at an instant, found like the state. */
function coverageAt({ coverage, coverageChanges }: RecordedCertificate, at: Date): Coverage | null {
  const next = coverageChanges.find((change) => change.at > at);
  return next ? next.from : coverage;
}

export const isHandOver = ({ step }: Pick<ChainItem, 'step'>): boolean => HAND_OVERS.includes(step);

/**
 * Numbers of the certificates of the product and of the other party that were in force at a hand-over, and of those that did
 * not cover the product. `covers` judges the product's current description, because former ones are not stored.
 */
export function certificatesThen(
  item: ChainItem,
  productCode: string,
  certificates: readonly RecordedCertificate[],
  day: string,
  covers: (coverage: Coverage | null) => boolean,
): Pick<ChainItem, 'certificates' | 'notCovering'> {
  if (!isHandOver(item)) return { certificates: [], notCovering: [] };
  const other = item.step === 'received' ? item.from : item.to;
  const inForce = certificates
    .filter(
      ({ subjectType, subjectCode }) =>
        (subjectType === 'product' && subjectCode === productCode) ||
        (subjectType === other?.kind && subjectCode === other.code),
    )
    .filter((certificate) => wasInForce(certificate, item.at, day));
  return {
    certificates: numbersOf(inForce),
    notCovering: numbersOf(inForce.filter((each) => !covers(coverageAt(each, item.at)))),
  };
}

const numbersOf = (certificates: readonly RecordedCertificate[]): string[] =>
  [...new Set(certificates.map(({ certificateNo }) => certificateNo))].sort();
