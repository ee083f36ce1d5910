import { canonicalCode } from '@lotward/udi';
import { addDays } from '../platform/calendar/index.js';
import { StateMachine } from '../platform/transitions/index.js';
import { refuseCertificate } from './certificate.errors.js';
import type {
  Certificate,
  CertificateContent,
  CertificateState,
  CertificateStatus,
  CertificateSubject,
  SubjectType,
} from './certificate.js';
import { requireCategoryPatterns } from './coverage.rules.js';

/** A certificate with this many days left, or fewer, is expiring. */
export const EXPIRING_DAYS = 30;

export type CertificateAction = 'suspend' | 'reinstate' | 'revoke' | 'renew';

export const certificateMachine = new StateMachine<CertificateState, CertificateAction>('certificate', [
  {
    from: ['active'],
    action: 'suspend',
    to: ['suspended'],
    effect: 'it is not in force, regardless of its dates',
  },
  { from: ['suspended'], action: 'reinstate', to: ['active'], effect: 'its dates decide again' },
  { from: ['active', 'suspended'], action: 'revoke', to: ['revoked'], effect: 'it is never in force again' },
  {
    from: ['active', 'suspended'],
    action: 'renew',
    to: ['superseded'],
    effect: 'a new certificate takes its place; an active one counts until that one begins',
  },
]);

/** Refuses to correct a certificate that can never be in force again. */
export function requireOpen(state: CertificateState): void {
  if (state !== 'active' && state !== 'suspended')
    throw refuseCertificate('certificate_closed', null, `the certificate is ${state}`);
}

type Dated = Pick<Certificate, 'state' | 'validFrom' | 'validTo'>;

/** A decision takes precedence over dates. A certificate is valid through its last day. */
export function statusOn(certificate: Dated, today: string): CertificateStatus {
  const { state, validFrom, validTo } = certificate;
  if (state !== 'active') return state;
  if (validFrom > today) return 'not_yet_valid';
  if (validTo === null) return 'valid';
  if (validTo < today) return 'expired';
  return validTo <= addDays(today, EXPIRING_DAYS) ? 'expiring' : 'valid';
}

const DAY_MS = 86_400_000;

/** Negative once it has expired; null when it does not expire. */
export const daysRemaining = (validTo: string | null, today: string): number | null =>
  validTo === null ? null : Math.round((Date.parse(validTo) - Date.parse(today)) / DAY_MS);

/** The stored code of a subject: a GTIN in its 14 digits for products, unchanged for partners. */
export const subjectCodeOf = (subjectType: SubjectType, code: string): string =>
  subjectType === 'product' ? canonicalCode(code) : code;

type Optional<T> = { [K in keyof T]?: T[K] | undefined };
type Named = 'certificateNo' | 'issuer' | 'validFrom';

/** Required fields, and the optional ones if given. */
export type ContentInput = Pick<CertificateContent, Named> & Optional<Omit<CertificateContent, Named>>;

export function contentOf(input: ContentInput): CertificateContent {
  const content = {
    certificateNo: input.certificateNo,
    issuer: input.issuer,
    jurisdiction: input.jurisdiction ?? null,
    scope: input.scope ?? null,
    issuedOn: input.issuedOn ?? null,
    validFrom: input.validFrom,
    validTo: input.validTo ?? null,
    coverage: input.coverage ?? null,
    documentUrl: input.documentUrl ?? null,
    documentHash: input.documentHash ?? null,
  };
  if (content.validTo !== null && content.validTo < content.validFrom)
    throw refuseCertificate(
      'validity_reversed',
      '/validTo',
      `ends on ${content.validTo}, before it begins on ${content.validFrom}`,
    );
  requireCategoryPatterns(content.coverage);
  return content;
}

export interface Renewal extends Optional<CertificateContent> {
  validTo: string | null;
}

/**
 * Content of the renewal: omitted fields are kept, null clears one. It begins the day after the old one ends, or today if
 * that one has ended or does not end.
 */
export function renewedContent(old: Certificate, renewal: Renewal, today: string): CertificateContent {
  const following = old.validTo === null || old.validTo < today ? today : addDays(old.validTo, 1);
  const renewedValue = <K extends keyof CertificateContent>(field: K): CertificateContent[K] => {
    const value = renewal[field];
    return value === undefined ? old[field] : (value as CertificateContent[K]);
  };
  return contentOf({
    certificateNo: renewedValue('certificateNo'),
    issuer: renewedValue('issuer'),
    jurisdiction: renewedValue('jurisdiction'),
    scope: renewedValue('scope'),
    issuedOn: renewedValue('issuedOn'),
    validFrom: renewal.validFrom ?? following,
    validTo: renewal.validTo,
    coverage: renewedValue('coverage'),
    documentUrl: renewedValue('documentUrl'),
    documentHash: renewedValue('documentHash'),
  });
}

/** A new certificate, active from the start. */
export const newCertificate = (
  { subjectType, subjectCode, type }: CertificateSubject,
  content: CertificateContent,
  made: { certificateId: string; at: Date; by: string },
): Certificate => ({
  certificateId: made.certificateId,
  subjectType,
  subjectCode,
  type,
  ...content,
  state: 'active',
  stateReason: null,
  supersededBy: null,
  supersededFrom: null,
  version: 1,
  createdAt: made.at,
  createdBy: made.by,
  updatedAt: made.at,
});

/** Refuses a change of subject or type. Omitted fields are unchanged. */
export function requireSameSubject(certificate: Certificate, given: Optional<CertificateSubject>): void {
  const { subjectType, subjectCode, type } = certificate;
  const code = given.subjectCode === undefined ? subjectCode : subjectCodeOf(subjectType, given.subjectCode);
  if ((given.subjectType ?? subjectType) !== subjectType)
    throw refuseCertificate('subject_fixed', '/subjectType');
  if (code !== subjectCode) throw refuseCertificate('subject_fixed', '/subjectCode');
  if ((given.type ?? type) !== type) throw refuseCertificate('subject_fixed', '/type');
}
