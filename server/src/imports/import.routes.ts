import { type Static, Type } from 'typebox';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  fileRoute,
  forbidden,
  invalid,
  listRoute,
  type Route,
  readRoute,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { cancelImport } from './cancel-import.js';
import { createImport } from './create-import.js';
import {
  CONTENT_BYTES_MAX,
  IMPORT_STATUSES,
  type Import,
  REFUSALS_SHOWN_MAX,
  REFUSALS_STORED_MAX,
} from './import.js';
import {
  ImportBody,
  ImportReportView,
  ImportView,
  refusedList,
  toImportView,
  toReportView,
} from './import.schemas.js';
import { findImport, listImports, readRefusals } from './import.store.js';
import { IMPORT_KIND_NAMES, IMPORT_KINDS, type ImportKindName, kindOf } from './import-kinds.js';
import { requireReadable } from './import-rows.js';
import { requesterOf } from './requester.store.js';

const tag = 'Imports';
const params = Strict({ importId: Text(64) });
/** In JSON, line ends and quotation marks take two bytes. */
const BODY_BYTES_MAX = 2 * CONTENT_BYTES_MAX;
/** A large file takes about as much work as this many small requests. */
const COUNTS_AS = 10;

export const importRoutes = (database: Database): Route[] => [
  createRoute(),
  ...readRoutes(database),
  cancelRoute(),
];

const createRoute = (): Route =>
  writeRoute({
    method: 'POST',
    operationId: 'createImport',
    path: '/v2/imports',
    scope: null,
    tag,
    countsAs: COUNTS_AS,
    bodyBytesMax: BODY_BYTES_MAX,
    summary: 'Import a file',
    description:
      'Needs the scope to write such records: `products:write` for products and partners, `certificates:write`, or ' +
      '`inventory:write` for opening stock. Imports of an organization are carried out in the background, one after the other. A ' +
      'refused row does not keep the others from being written.',
    body: ImportBody,
    data: ImportView,
    async prefetch({ principal, body }) {
      requireScopeFor(principal, body);
      if (Buffer.byteLength(body.content) > CONTENT_BYTES_MAX)
        throw invalid('bad_length', '/content', 'must be at most 5 MiB of UTF-8');
      await requireReadable(kindOf(body.kind), body.format, body.content);
    },
    execute: async (tx, { principal, body }) =>
      toImportView(await createImport(tx, { ...body, dryRun: body.dryRun ?? false }, requesterOf(principal))),
  });

const readRoutes = (database: Database): Route[] => [
  listRoute({
    operationId: 'listImports',
    path: '/v2/imports',
    scope: null,
    tag,
    summary: 'List imports, newest first',
    description:
      'Those of the kinds that your credential could import. Kept for 30 days after they end; dry runs are listed too.',
    filters: {
      kind: Type.Optional(AnyOf(IMPORT_KIND_NAMES)),
      status: Type.Optional(AnyOf(IMPORT_STATUSES)),
      dryRun: Type.Optional(Type.Boolean()),
    },
    item: ImportView,
    list: 'imports',
    key: (found) => found.importId,
    updatedAt: (found) => found.updatedAt,
    view: toImportView,
    readRows: ({ principal, filter, page }) => {
      const kind = kindsFor(principal, filter.kind);
      return transact(database, principal, (tx) => listImports(tx, { ...filter, kind }, page));
    },
  }),
  readRoute({
    operationId: 'getImport',
    path: '/v2/imports/:importId',
    scope: null,
    tag,
    summary: 'Read the progress of an import and its refused rows',
    params,
    data: ImportReportView,
    read: ({ principal, params: { importId } }) =>
      transact(database, principal, async (tx) => {
        const found = await requireImport(tx, principal, importId);
        return toReportView(found, await readRefusals(tx, importId, REFUSALS_SHOWN_MAX));
      }),
  }),
  fileRoute({
    operationId: 'exportRefusedRows',
    path: '/exports/imports/:importId/refused.csv',
    scope: null,
    tag,
    summary: 'Download the refused rows of an import as CSV',
    description: 'A line for each reason, of the first 10,000 refused rows.',
    params,
    contentType: 'text/csv; charset=utf-8',
    render: ({ principal, params: { importId } }) =>
      transact(database, principal, async (tx) => {
        const found = await requireImport(tx, principal, importId);
        const refused = await readRefusals(tx, importId, REFUSALS_STORED_MAX);
        return { body: refusedList(found, refused), fileName: `refused-${importId}.csv` };
      }),
  }),
];

const cancelRoute = (): Route =>
  writeRoute({
    method: 'POST',
    operationId: 'cancelImport',
    path: '/v2/imports/:importId/cancel',
    scope: null,
    tag,
    summary: 'Cancel an import',
    description: 'No further rows are written. Rows that were accepted stay.',
    params,
    body: Strict({}),
    data: ImportView,
    execute: async (tx, { principal, params: { importId } }) =>
      toImportView(await cancelImport(tx, importId, (found) => requireScopeFor(principal, found))),
  });

async function requireImport(tx: Tx, principal: Principal, importId: string): Promise<Import> {
  const found = await findImport(tx, importId);
  if (!found) throw missing('import', 'importId');
  requireScopeFor(principal, found);
  return found;
}

function requireScopeFor(principal: Principal, { kind }: Pick<Static<typeof ImportBody>, 'kind'>): void {
  const { scope } = kindOf(kind);
  if (!principal.scopes.has(scope)) throw forbidden('scope_missing', `needs ${scope}`);
}

/** The requested kinds, or else all for which the caller has the scope; at least one. */
function kindsFor(
  principal: Principal,
  wanted: readonly ImportKindName[] | undefined,
): readonly ImportKindName[] {
  for (const kind of wanted ?? []) requireScopeFor(principal, { kind });
  if (wanted) return wanted;
  const kinds = IMPORT_KINDS.filter(({ scope }) => principal.scopes.has(scope)).map(({ name }) => name);
  if (kinds.length === 0)
    throw forbidden('scope_missing', 'needs products:write, certificates:write or inventory:write');
  return kinds;
}
