import {
  at,
  CREATED,
  EMPTY,
  type ExpectedRoute,
  MISSING,
  named,
  post,
  UNKNOWN_REFERENCE,
} from './expected-route.js';

const BY_ID = '/v2/certificates/:certificateId';
const FILE = '/files/certificates/:certificateId';
const scan = (id: string) => ({
  path: `/files/certificates/${id}`,
  body: '%PDF-1.7 OKAPI',
  contentType: 'application/pdf',
});
const content = { issuer: 'OKAPI office', validFrom: '2026-01-01', validTo: '2030-01-01' };
const renewal = { validFrom: '2027-01-01', validTo: null };
const reason = { reason: 'OKAPI decision' };

/** A new one each time, because a number can be current only once. */
let entered = 0;
const enter = (part: object) =>
  post('/v2/certificates', {
    certificateNo: `OKAPI-${++entered}`,
    type: 'licence',
    subjectType: 'supplier',
    subjectCode: 'SUP-1',
    ...content,
    ...part,
  });

const decision = (
  action: 'suspend' | 'reinstate' | 'revoke' | 'renew',
  body: object,
  state: 'active' | 'suspended' = 'active',
): ExpectedRoute => ({
  route: `POST ${BY_ID}/${action}`,
  scope: 'certificates:write',
  customerBound: 'refused',
  request: async ({ make }) => post(`/v2/certificates/${await make.certificate(state)}/${action}`, body),
  names: [
    named(
      'certificate',
      (id) => post(`/v2/certificates/${id}/${action}`, body),
      MISSING,
      (make) => make.certificate(state),
    ),
  ],
});

export const certificates: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/certificates',
    scope: 'certificates:read',
    customerBound: 'allowed',
    request: at('/v2/certificates'),
    names: [
      named('certificateNo', (no) => `/v2/certificates?certificateNo=${no}`, EMPTY),
      named('product', (code) => `/v2/certificates?subjectCode=${code}`, EMPTY),
      named('product', (code) => `/v2/certificates?subjectType=product&subjectCode=${code}`, EMPTY),
    ],
  },
  {
    route: `GET ${BY_ID}`,
    scope: 'certificates:read',
    customerBound: 'allowed',
    request: ({ ours }) => ({ path: `/v2/certificates/${ours.certificate}` }),
    names: [named('certificate', (id) => `/v2/certificates/${id}`, MISSING)],
  },
  {
    route: 'POST /v2/certificates',
    scope: 'certificates:write',
    customerBound: 'refused',
    request: () => enter({}),
    names: [
      named('spare', (certificateNo) => enter({ certificateNo }), CREATED),
      named('partner', (subjectCode) => enter({ subjectCode }), UNKNOWN_REFERENCE),
      named('partner', (subjectCode) => enter({ subjectType: 'customer', subjectCode }), UNKNOWN_REFERENCE),
      named('product', (subjectCode) => enter({ subjectType: 'product', subjectCode }), UNKNOWN_REFERENCE),
    ],
  },
  {
    route: `PUT ${BY_ID}`,
    scope: 'certificates:write',
    customerBound: 'refused',
    request: ({ ours }) => ({
      path: `/v2/certificates/${ours.certificate}`,
      body: { certificateNo: ours.certificateNo, ...content },
    }),
    names: [
      named(
        'certificate',
        (id, ours) => ({
          path: `/v2/certificates/${id}`,
          body: { certificateNo: ours.certificateNo, ...content },
        }),
        MISSING,
      ),
    ],
  },
  {
    route: `PATCH ${BY_ID}`,
    scope: 'certificates:write',
    customerBound: 'refused',
    request: ({ ours }) => post(`/v2/certificates/${ours.certificate}`, { jurisdiction: 'EU' }),
    names: [named('certificate', (id) => post(`/v2/certificates/${id}`, { jurisdiction: 'EU' }), MISSING)],
  },
  decision('renew', renewal),
  decision('suspend', reason),
  decision('reinstate', {}, 'suspended'),
  decision('revoke', reason),
];

/** Their scanned documents. */
export const certificateFiles: readonly ExpectedRoute[] = [
  {
    route: `GET ${FILE}`,
    file: true,
    kept: true,
    scope: 'certificates:read',
    customerBound: 'allowed',
    request: ({ ours }) => ({ path: `/files/certificates/${ours.certificate}` }),
    names: [named('certificate', (id) => `/files/certificates/${id}`, MISSING)],
  },
  {
    route: `PUT ${FILE}`,
    scope: 'certificates:write',
    customerBound: 'refused',
    request: ({ ours }) => scan(ours.certificate),
    names: [named('certificate', scan, MISSING)],
  },
  {
    route: `DELETE ${FILE}`,
    scope: 'certificates:write',
    customerBound: 'refused',
    request: async ({ make }) => ({ path: `/files/certificates/${await make.scannedCertificate()}` }),
    names: [
      named(
        'certificate',
        (id) => `/files/certificates/${id}`,
        MISSING,
        (make) => make.scannedCertificate(),
      ),
    ],
  },
];
