import { CERTIFICATE_SUBJECTS } from '../organizations/index.js';
import type { Coverage } from './coverage.js';

export const SUBJECT_TYPES = CERTIFICATE_SUBJECTS;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** A supplier, product or customer whose certificates a step depends on. */
export interface Subject {
  type: SubjectType;
  code: string;
}

/** The last decision about a certificate. Whether it is in force depends on the day as well. */
export type CertificateState = 'active' | 'suspended' | 'revoked' | 'superseded';

export const CERTIFICATE_STATUSES = [
  'valid',
  'expiring',
  'expired',
  'not_yet_valid',
  'suspended',
  'revoked',
  'superseded',
] as const;
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

/** The whole content of a certificate, as each request sends it. */
export interface CertificateContent {
  certificateNo: string;
  issuer: string;
  jurisdiction: string | null;
  scope: string | null;
  issuedOn: string | null;
  validFrom: string;
  /** The last day on which it is valid; null: it does not expire. */
  validTo: string | null;
  /** The products it covers; null: all. */
  coverage: Coverage | null;
  documentUrl: string | null;
  documentHash: string | null;
}

/** The subject and type of a certificate; they never change. */
export interface CertificateSubject {
  subjectType: SubjectType;
  subjectCode: string;
  type: string;
}

export interface Certificate extends CertificateSubject, CertificateContent {
  certificateId: string;
  state: CertificateState;
  stateReason: string | null;
  supersededBy: string | null;
  /** The day from which its renewal takes over: until then it still counts. */
  supersededFrom: string | null;
  version: number;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
}

/** A decision about a certificate, with the state before it. */
export interface StatusChange {
  previousState: CertificateState;
  currentState: CertificateState;
  changedAt: Date;
  changedBy: string;
  reason: string | null;
}

/** A certificate with the current name of its subject. */
export type NamedCertificate = Certificate & { subjectName: string };
