import { Type } from 'typebox';
import { findMatches } from '../indexing/index.js';
import { type Database, type Pool, readBusinessDay, type Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  Code,
  listRoute,
  putAndPatchRoutes,
  type Route,
  readRoute,
  SearchText,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { CERTIFICATE_STATUSES, type NamedCertificate, SUBJECT_TYPES } from './certificate.js';
import {
  CertificateDetail,
  CertificateView,
  NewCertificateBody,
  OptionalReason,
  RenewalBody,
  ReplacedCertificateBody,
  RequiredReason,
  toCertificateDetail,
  toCertificateView,
} from './certificate.schemas.js';
import { readCertificate } from './certificate.store.js';
import { readFileOf } from './certificate-file.store.js';
import { expiryKey, listCertificates } from './certificate-list.store.js';
import { readCoverageChanges } from './coverage-change.store.js';
import { createCertificate } from './create-certificate.js';
import { decideCertificate } from './decide-certificate.js';
import { isHiddenFrom, loadAndLock, seesCustomers } from './load-certificate.js';
import { renewCertificate } from './renew-certificate.js';
import { replaceCertificate } from './replace-certificate.js';
import { readStatusChanges } from './status-change.store.js';

const ById = Strict({ certificateId: Text(64) });
const tag = 'Certificates';
const scope = 'certificates:write';
const FIXED = 'Subject and type cannot change; to replace the certificate by a new one, renew it.';
const WITHIN_DAYS_MAX = 36_500;

export const certificateRoutes = (database: Database): Route[] => [
  ...readRoutes(database),
  ...contentRoutes(),
  ...decisionRoutes(),
];

async function readDetail(
  from: Pick<Pool, 'query'>,
  orgId: string,
  certificate: NamedCertificate,
  today: string,
) {
  const { certificateId } = certificate;
  const [statusChanges, coverageChanges, file] = await Promise.all([
    readStatusChanges(from, orgId, [certificateId]),
    readCoverageChanges(from, orgId, certificateId),
    readFileOf(from, orgId, certificateId),
  ]);
  return toCertificateDetail(certificate, { statusChanges, coverageChanges, file }, today);
}

interface CertificateRow {
  certificate: NamedCertificate;
  changes: Awaited<ReturnType<typeof readStatusChanges>>;
  today: string;
}

const detailOf = (tx: Tx, certificate: NamedCertificate) => readDetail(tx, tx.orgId, certificate, tx.today);

function readRoutes(database: Database): Route[] {
  const todayOf = (principal: Principal) => readBusinessDay(database, principal);
  return [
    listRoute({
      operationId: 'listCertificates',
      path: '/v2/certificates',
      scope: 'certificates:read',
      boundCredentials: 'allowed',
      tag,
      summary: 'List certificates',
      description:
        'Sorted by id; `sort=validTo`: what expires first comes first, and revoked and superseded certificates last. A customer-bound credential sees the certificates of products and suppliers.',
      filters: {
        q: SearchText('the certificate number or of the name or code of its subject'),
        certificateNo: Type.Optional(Code()),
        subjectType: Type.Optional(AnyOf(SUBJECT_TYPES)),
        subjectCode: Type.Optional(Code('A GTIN in any of its lengths.')),
        type: Type.Optional(Code()),
        status: Type.Optional(AnyOf(CERTIFICATE_STATUSES)),
        expiringWithinDays: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: WITHIN_DAYS_MAX,
            description:
              'Certificates that are not expired, suspended, revoked or superseded, with at most this many days left.',
          }),
        ),
      },
      item: CertificateView,
      list: 'certificates',
      key: ({ certificate }) => certificate.certificateId,
      updatedAt: ({ certificate }) => certificate.updatedAt,
      sorts: {
        certificateId: null,
        validTo: ({ certificate }: CertificateRow) => expiryKey(certificate),
      },
      isCounted: true,
      view: ({ certificate, changes, today }) => toCertificateView(certificate, changes, today),
      readRows: async ({ principal, filter: { q, ...filter }, page }) => {
        const kinds = ['certificate', 'product', 'partner'] as const;
        const matches = await findMatches(database, principal.orgId, q, kinds);
        const today = await todayOf(principal);
        const rows = await listCertificates(database.reader, {
          orgId: principal.orgId,
          today,
          filter: { ...filter, matches },
          withCustomers: seesCustomers(principal),
          page,
        });
        const ids = rows.map(({ certificateId }) => certificateId);
        const changes = await readStatusChanges(database.reader, principal.orgId, ids);
        return rows.map((certificate) => ({ certificate, changes, today }));
      },
    }),
    readRoute({
      operationId: 'getCertificate',
      path: '/v2/certificates/:certificateId',
      scope: 'certificates:read',
      boundCredentials: 'allowed',
      tag,
      summary: 'Read a certificate',
      params: ById,
      data: CertificateDetail,
      async read({ principal, params }) {
        const found = await readCertificate(database.reader, principal.orgId, params.certificateId);
        if (!found || isHiddenFrom(principal, found)) throw missing('certificate', 'certificateId');
        return readDetail(database.reader, principal.orgId, found, await todayOf(principal));
      },
    }),
  ];
}

function contentRoutes(): Route[] {
  return [
    writeRoute({
      method: 'POST',
      operationId: 'createCertificate',
      path: '/v2/certificates',
      scope,
      tag,
      summary: 'Create a certificate of a supplier, product or customer',
      body: NewCertificateBody,
      data: CertificateDetail,
      execute: async (tx, { body }) => detailOf(tx, await createCertificate(tx, body)),
    }),
    ...putAndPatchRoutes({
      path: '/v2/certificates/:certificateId',
      scope,
      tag,
      put: {
        operationId: 'putCertificate',
        summary: 'Correct a certificate',
        description: `Replaces the content. ${FIXED}`,
      },
      patch: {
        operationId: 'patchCertificate',
        summary: 'Correct parts of a certificate',
        description: FIXED,
      },
      params: ById,
      body: ReplacedCertificateBody,
      data: CertificateDetail,
      missing: ['certificate', 'certificateId'],
      lock: async (tx, { certificateId }) => detailOf(tx, await loadAndLock(tx, certificateId)),
      replace: async (tx, { params, body }) =>
        detailOf(tx, await replaceCertificate(tx, params.certificateId, body)),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'renewCertificate',
      path: '/v2/certificates/:certificateId/renew',
      scope,
      tag,
      summary: 'Renew a certificate',
      description:
        'Returns the new certificate. Omitted fields are copied from the old one, which is superseded and stays in force until the new one begins.',
      params: ById,
      body: RenewalBody,
      data: CertificateDetail,
      execute: async (tx, { params, body }) =>
        detailOf(tx, await renewCertificate(tx, params.certificateId, body)),
    }),
  ];
}

function decisionRoutes(): Route[] {
  return [
    writeRoute({
      method: 'POST',
      operationId: 'suspendCertificate',
      path: '/v2/certificates/:certificateId/suspend',
      scope,
      tag,
      summary: 'Suspend a certificate',
      params: ById,
      body: RequiredReason,
      data: CertificateDetail,
      execute: async (tx, { params, body }) =>
        detailOf(tx, await decideCertificate(tx, params.certificateId, 'suspend', body.reason)),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'reinstateCertificate',
      path: '/v2/certificates/:certificateId/reinstate',
      scope,
      tag,
      summary: 'Reinstate a suspended certificate',
      params: ById,
      body: OptionalReason,
      data: CertificateDetail,
      execute: async (tx, { params, body }) =>
        detailOf(tx, await decideCertificate(tx, params.certificateId, 'reinstate', body.reason ?? null)),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'revokeCertificate',
      path: '/v2/certificates/:certificateId/revoke',
      scope,
      tag,
      summary: 'Revoke a certificate permanently',
      params: ById,
      body: RequiredReason,
      data: CertificateDetail,
      execute: async (tx, { params, body }) =>
        detailOf(tx, await decideCertificate(tx, params.certificateId, 'revoke', body.reason)),
    }),
  ];
}
