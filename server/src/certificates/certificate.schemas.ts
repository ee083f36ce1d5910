import { Type } from 'typebox';
import {
  Code,
  DateText,
  Instant,
  Model,
  Nullable,
  OneOf,
  Prose,
  Strict,
  Text,
  Version,
} from '../platform/http/index.js';
import {
  CERTIFICATE_STATUSES,
  type NamedCertificate,
  type StatusChange,
  SUBJECT_TYPES,
} from './certificate.js';
import { daysRemaining, statusOn } from './certificate.rules.js';
import type { CertificateFile } from './certificate-file.js';
import { CertificateFileView, toCertificateFileView } from './certificate-file.schemas.js';
import type { CoverageChange } from './coverage.js';
import { CoverageChangeView, CoverageField, toCoverageChangeView } from './coverage.schemas.js';

const subject = {
  type: Code('A type of your choice, such as `registration` or `business_licence`.'),
  subjectType: OneOf(SUBJECT_TYPES),
  subjectCode: Code('Code of the product or partner; a GTIN in any of its lengths.'),
};
const optionalSubject = {
  type: Type.Optional(subject.type),
  subjectType: Type.Optional(subject.subjectType),
  subjectCode: Type.Optional(subject.subjectCode),
};

const DocumentUrl = () =>
  Type.String({ maxLength: 2_000, pattern: '^[hH][tT][tT][pP][sS]?://[^\\s\\u0000-\\u001f\\u007f]+$' });
const DocumentHash = () =>
  Type.String({
    maxLength: 160,
    pattern: '^([A-Za-z0-9-]{1,16}:)?[0-9A-Fa-f]{1,128}$',
    description:
      '`sha256:` and 64 hexadecimal digits. Other algorithms, or digits alone, are stored unchanged.',
  });

const details = {
  jurisdiction: Type.Optional(Nullable(Text(100))),
  scope: Type.Optional(Nullable(Prose(2_000))),
  issuedOn: Type.Optional(Nullable(DateText())),
  coverage: Type.Optional(CoverageField()),
  documentUrl: Type.Optional(Nullable(DocumentUrl())),
  documentHash: Type.Optional(Nullable(DocumentHash())),
};
const content = {
  certificateNo: Code(),
  issuer: Text(300),
  ...details,
  validFrom: DateText(),
  validTo: Type.Optional(Nullable(DateText('The last day on which it is valid; null: it does not expire.'))),
};

const Ignored = () => Type.Optional(Type.Unknown({ description: 'Ignored.' }));
const ignored = {
  certificateId: Ignored(),
  subjectName: Ignored(),
  status: Ignored(),
  statusReason: Ignored(),
  daysRemaining: Ignored(),
  supersededBy: Ignored(),
  version: Ignored(),
  createdAt: Ignored(),
  createdBy: Ignored(),
  updatedAt: Ignored(),
};

export const NewCertificateBody = Strict({ ...subject, ...content });
/** A view can be sent back: fields that a write cannot set are accepted and ignored. */
export const ReplacedCertificateBody = Strict({
  ...optionalSubject,
  ...content,
  ...ignored,
  statusHistory: Ignored(),
  coverageHistory: Ignored(),
  file: Ignored(),
});
/** A row of an import file, identified by subject, type and number. */
export const CertificateRow = Strict({ ...subject, ...content, ...ignored });

export const RenewalBody = Strict({
  certificateNo: Type.Optional(Code('Default: the number of the old certificate.')),
  issuer: Type.Optional(Text(300)),
  ...details,
  validFrom: Type.Optional(
    DateText('Default: the day after the old one ends, or today if it has ended or does not end.'),
  ),
  validTo: Nullable(DateText('The last day on which it is valid; null: it does not expire.')),
});

const Reason = () => Text(500);
export const RequiredReason = Strict({ reason: Reason() });
export const OptionalReason = Strict({ reason: Type.Optional(Nullable(Reason())) });

const CERTIFICATE_STATES = ['active', 'suspended', 'revoked', 'superseded'] as const;

export const CertificateView = Model('Certificate', {
  certificateId: Type.String({ examples: ['crt_01kaa0b9ynf9q8s3v1wzc5x7d2'] }),
  certificateNo: Type.String(),
  type: Type.String(),
  subjectType: OneOf(SUBJECT_TYPES),
  subjectCode: Type.String(),
  subjectName: Type.String(),
  issuer: Type.String(),
  jurisdiction: Nullable(Type.String()),
  scope: Nullable(Type.String()),
  issuedOn: Nullable(DateText()),
  validFrom: DateText(),
  validTo: Nullable(DateText()),
  status: OneOf(CERTIFICATE_STATUSES),
  statusReason: Nullable(Type.String()),
  supersededBy: Nullable(Type.String({ description: 'The certificate that renewed this one.' })),
  daysRemaining: Nullable(Type.Integer({ description: 'Negative once it has expired.' })),
  coverage: CoverageField(),
  documentUrl: Nullable(Type.String()),
  documentHash: Nullable(Type.String()),
  version: Version(),
  createdAt: Instant(),
  createdBy: Type.String(),
  updatedAt: Instant(),
  statusHistory: Type.Array(
    Type.Object({
      previousStatus: OneOf(CERTIFICATE_STATES),
      currentStatus: OneOf(CERTIFICATE_STATES),
      changedBy: Type.String(),
      changedAt: Instant(),
      reason: Nullable(Type.String()),
    }),
    { description: 'Decisions about the certificate, oldest first. Expiring is not a decision.' },
  ),
});

/** A single certificate. Lists leave out what it covered before, and its file. */
export const CertificateDetail = Model('CertificateDetail', {
  ...CertificateView.properties,
  coverageHistory: Type.Array(CoverageChangeView, {
    description: 'The last 50 changes of the coverage, oldest first.',
  }),
  file: Nullable(CertificateFileView),
});

export function toCertificateView(
  certificate: NamedCertificate,
  changes: ReadonlyMap<string, readonly StatusChange[]>,
  today: string,
) {
  const { state: _state, stateReason, supersededFrom: _from, ...shown } = certificate;
  return {
    ...shown,
    status: statusOn(certificate, today),
    statusReason: stateReason,
    daysRemaining: daysRemaining(certificate.validTo, today),
    createdAt: certificate.createdAt.toISOString(),
    updatedAt: certificate.updatedAt.toISOString(),
    statusHistory: (changes.get(certificate.certificateId) ?? []).map(
      ({ previousState, currentState, changedAt, changedBy, reason }) => ({
        previousStatus: previousState,
        currentStatus: currentState,
        changedBy,
        changedAt: changedAt.toISOString(),
        reason,
      }),
    ),
  };
}

export const toCertificateDetail = (
  certificate: NamedCertificate,
  parts: {
    statusChanges: ReadonlyMap<string, readonly StatusChange[]>;
    coverageChanges: readonly CoverageChange[];
    file: CertificateFile | null;
  },
  today: string,
) => ({
  ...toCertificateView(certificate, parts.statusChanges, today),
  coverageHistory: parts.coverageChanges.map(toCoverageChangeView),
  file: parts.file && toCertificateFileView(parts.file),
});
