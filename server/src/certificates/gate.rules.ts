import type { DemandedCertificate } from '../organizations/index.js';
import type { Issue } from '../platform/errors/index.js';
import type { Certificate, Subject } from './certificate.js';
import { statusOn } from './certificate.rules.js';

/** The fields of a certificate that the gate needs. */
export type GateCertificate = Pick<
  Certificate,
  | 'subjectType'
  | 'subjectCode'
  | 'type'
  | 'certificateNo'
  | 'state'
  | 'validFrom'
  | 'validTo'
  | 'supersededFrom'
>;

export interface CertificateProblem {
  subject: Subject;
  issue: Issue;
}

function isInForce(certificate: GateCertificate, today: string): boolean {
  const { state, validFrom, validTo, supersededFrom } = certificate;
  // Counts until its renewal begins, so that an early renewal leaves no gap.
  const counts = state === 'active' || (supersededFrom !== null && today < supersededFrom);
  return counts && validFrom <= today && (validTo === null || today <= validTo);
}

/** Each certificate type on record for a subject, or required of it, needs a certificate in force. */
export function findProblems(
  subjects: readonly Subject[],
  certificates: readonly GateCertificate[],
  required: readonly DemandedCertificate[],
  today: string,
): CertificateProblem[] {
  const bySubject = new Map<string, GateCertificate[]>();
  for (const certificate of certificates) {
    const key = `${certificate.subjectType} ${certificate.subjectCode}`;
    bySubject.set(key, [...(bySubject.get(key) ?? []), certificate]);
  }
  return subjects.flatMap((subject) => {
    const own = bySubject.get(`${subject.type} ${subject.code}`) ?? [];
    const types = new Set(own.map(({ type }) => type));
    for (const { subjectType, type } of required) if (subjectType === subject.type) types.add(type);
    return [...types].flatMap((type) => {
      const ofType = own.filter((certificate) => certificate.type === type);
      if (ofType.some((certificate) => isInForce(certificate, today))) return [];
      const reason = 'certificate_not_in_force';
      return [{ subject, issue: { path: null, reason, message: messageOf(subject, type, ofType, today) } }];
    });
  });
}

function messageOf(
  subject: Subject,
  type: string,
  certificates: readonly GateCertificate[],
  today: string,
): string {
  const latest = [...certificates].sort(byEnd).at(-1);
  const what = `${subject.type} ${subject.code}: ${type}`;
  if (!latest) return `${what} is required and not on record`;
  const status = statusOn(latest, today);
  const since = status === 'expired' ? ` since ${latest.validTo}` : '';
  const until = status === 'not_yet_valid' ? ` before ${latest.validFrom}` : '';
  return `${what} ${latest.certificateNo} is ${status}${since}${until}`;
}

const LATER_THAN_ANY = '9999-12-31';

/** Sorts current certificates last, and among them by their last day. */
function byEnd(a: GateCertificate, b: GateCertificate): number {
  const rank = ({ state, validTo }: GateCertificate) =>
    `${state === 'active' || state === 'suspended' ? 1 : 0} ${validTo ?? LATER_THAN_ANY}`;
  return rank(a) < rank(b) ? -1 : 1;
}
