import { webcrypto } from 'node:crypto';
import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { keptFileRoute, type Route, Strict, Text, uploadRoute, writeRoute } from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { readCertificate } from './certificate.store.js';
import { type CertificateFile, FILE_BYTES_MAX, FILE_TYPES } from './certificate-file.js';
import { requireDeclaredType, safeFileName } from './certificate-file.rules.js';
import { CertificateFileView, toCertificateFileView } from './certificate-file.schemas.js';
import { readFileContent, readFileOf } from './certificate-file.store.js';
import { putCertificateFile, removeCertificateFile } from './change-certificate-file.js';
import { isHiddenFrom } from './load-certificate.js';

const facts = {
  path: '/files/certificates/:certificateId',
  params: Strict({ certificateId: Text(64) }),
  tag: 'Certificates',
};
/** A large file takes about as much work as this many small requests. */
const PUT_COUNTS_AS = 10;
const GET_COUNTS_AS = 5;

export const certificateFileRoutes = (database: Database): Route[] => [
  readFileRoute(database),
  putFileRoute(),
  writeRoute({
    ...facts,
    method: 'DELETE',
    operationId: 'removeCertificateFile',
    scope: 'certificates:write',
    summary: 'Remove the file of a certificate',
    description: 'The audit trail keeps its name, size and SHA-256.',
    data: Strict({}),
    async execute(tx, { params }) {
      await removeCertificateFile(tx, params.certificateId);
      return {};
    },
  }),
];

const readFileRoute = (database: Database): Route =>
  keptFileRoute({
    ...facts,
    operationId: 'getCertificateFile',
    scope: 'certificates:read',
    boundCredentials: 'allowed',
    countsAs: GET_COUNTS_AS,
    summary: 'Download the file of a certificate',
    description: `Counts as ${GET_COUNTS_AS} requests.`,
    mediaTypes: FILE_TYPES,
    describe: ({ principal, params }) => findFile(database, principal, params.certificateId),
    readContent: ({ principal, params }, file) =>
      transact(database, principal, (tx) => readFileContent(tx, params.certificateId, file)),
  });

async function findFile(
  { reader }: Database,
  principal: Principal,
  certificateId: string,
): Promise<CertificateFile> {
  const [certificate, file] = await Promise.all([
    readCertificate(reader, principal.orgId, certificateId),
    readFileOf(reader, principal.orgId, certificateId),
  ]);
  if (!certificate || isHiddenFrom(principal, certificate)) throw missing('certificate', 'certificateId');
  if (!file) throw missing('file', 'certificateId');
  return file;
}

const putFileRoute = (): Route =>
  uploadRoute({
    ...facts,
    operationId: 'putCertificateFile',
    scope: 'certificates:write',
    countsAs: PUT_COUNTS_AS,
    summary: 'Store the file of a certificate',
    description:
      'Replaces the one it had. The body is the file itself: a PDF, PNG or JPEG of at most 10 MiB, whose content must be of the type ' +
      `that \`Content-Type\` names. It must arrive within 30 seconds. Counts as ${PUT_COUNTS_AS} requests.`,
    receives: FILE_TYPES,
    bodyBytesMax: FILE_BYTES_MAX,
    query: Strict({
      fileName: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description:
            'The name to save it under. Folders and unsafe characters are removed, and it gets the extension of its type.',
        }),
      ),
    }),
    data: CertificateFileView,
    async prefetch({ params, query, body }) {
      const contentType = requireDeclaredType(body.contentType, body.content);
      const digest = await webcrypto.subtle.digest('SHA-256', body.content);
      return {
        content: body.content,
        contentType,
        fileName: safeFileName(query.fileName, contentType, params.certificateId),
        sha256: Buffer.from(digest).toString('hex'),
      };
    },
    changes: ({ params }) => params.certificateId,
    execute: async (tx, { params }, file) =>
      toCertificateFileView(await putCertificateFile(tx, params.certificateId, file)),
  });
