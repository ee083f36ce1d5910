import { type Static, type TObject, Type } from 'typebox';
import { withCanonicalCode } from '../catalogue/index.js';
import { findMatches, SUBJECTS_MAX } from '../indexing/index.js';
import { type Database, transact, usualPage } from '../platform/database/index.js';
import {
  AnyOf,
  Code,
  CsvLanguageFilter,
  fileRoute,
  Instant,
  listRoute,
  type Route,
  readRoute,
  SearchText,
  Strict,
  TaskFilter,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { approveDisposition, rejectDisposition } from './decide-disposition.js';
import { DISPOSITION_KINDS, DISPOSITION_STATUSES } from './disposition.js';
import { listDispositions } from './disposition.store.js';
import { executeDisposition } from './execute-disposition.js';
import { readDisposition } from './load-disposition.js';
import { proposeDisposition } from './propose-disposition.js';
import {
  ApprovalBody,
  DispositionBody,
  DispositionView,
  ExecutionBody,
  RejectionBody,
  toDispositionView,
} from './quality.schemas.js';
import { dispositionList, readAllPages } from './quality-lists.js';

const tag = 'Quality';
const params = Strict({ dispositionId: Text(64) });
const path = '/v2/quality/dispositions';
const filters = {
  q: SearchText('a batch number or of the name or code of a product or the supplier'),
  status: Type.Optional(AnyOf(DISPOSITION_STATUSES)),
  kind: Type.Optional(AnyOf(DISPOSITION_KINDS)),
  productCode: Type.Optional(Code('A GTIN in any of its lengths.')),
  batchNo: Type.Optional(Type.String({ maxLength: 64 })),
  since: Type.Optional(Instant('Proposed at or after this instant.')),
  until: Type.Optional(Instant('Proposed before this instant.')),
  task: TaskFilter(['dispositions_to_approve', 'dispositions_to_execute']),
};

export const dispositionRoutes = (database: Database): Route[] => [...readRoutes(database), ...writeRoutes()];

function readRoutes(database: Database): Route[] {
  const scope = 'quality:read';
  return [
    listRoute({
      operationId: 'listDispositions',
      path,
      scope,
      tag,
      summary: 'List dispositions, newest first',
      filters,
      item: DispositionView,
      list: 'dispositions',
      key: (disposition) => disposition.dispositionId,
      updatedAt: (disposition) => disposition.updatedAt,
      isCounted: true,
      view: toDispositionView,
      readRows: async ({ principal, filter, page }) => {
        const where = await found(database, principal.orgId, filter);
        return transact(database, principal, (tx) => listDispositions(tx, where, page));
      },
    }),
    readRoute({
      operationId: 'getDisposition',
      path: `${path}/:dispositionId`,
      scope,
      tag,
      summary: 'Read a disposition',
      params,
      data: DispositionView,
      read: async ({ principal, params: { dispositionId } }) =>
        toDispositionView(await transact(database, principal, (tx) => readDisposition(tx, dispositionId))),
    }),
    fileRoute({
      operationId: 'exportDispositions',
      path: '/exports/quality/dispositions.csv',
      scope,
      tag,
      summary: 'Download dispositions as CSV, one row per line',
      mayLag: true,
      query: Strict({ ...filters, language: CsvLanguageFilter }),
      contentType: 'text/csv; charset=utf-8',
      async render({ principal, query: { language, ...query } }, from) {
        const where = await found(database, principal.orgId, query);
        const dispositions = await readAllPages(
          (after, limit) =>
            transact(from, principal, (tx) => listDispositions(tx, where, usualPage(after, limit))),
          (disposition) => disposition.dispositionId,
        );
        return { body: dispositionList(dispositions, language), fileName: 'dispositions.csv' };
      },
    }),
  ];
}

/** The filter of the store: a search text becomes the keys of the matches. */
async function found(database: Database, orgId: string, { q, ...filter }: Static<TObject<typeof filters>>) {
  const matches = await findMatches(database, orgId, q, ['product', 'batch', 'partner'], SUBJECTS_MAX);
  return { ...withCanonicalCode(filter), matches };
}

function writeRoutes(): Route[] {
  const scope = 'quality:write';
  return [
    writeRoute({
      method: 'POST',
      operationId: 'createDisposition',
      path,
      scope,
      tag,
      summary: 'Propose a disposition for goods on hold or in the register',
      description:
        'Another person approves it; execution then releases the goods or takes them out of stock. Part of the goods can be decided separately.',
      body: DispositionBody,
      data: DispositionView,
      execute: async (tx, { body }) => toDispositionView(await proposeDisposition(tx, body)),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'approveDisposition',
      path: `${path}/:dispositionId/approve`,
      scope,
      tag,
      summary: 'Approve a disposition as the second person',
      params,
      body: ApprovalBody,
      data: DispositionView,
      execute: async (tx, call) => toDispositionView(await approveDisposition(tx, call.params.dispositionId)),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'rejectDisposition',
      path: `${path}/:dispositionId/reject`,
      scope,
      tag,
      summary: 'Reject a disposition',
      description:
        'Also rejects an approved disposition that is not executed yet. Another disposition can then be proposed for the goods.',
      params,
      body: RejectionBody,
      data: DispositionView,
      execute: async (tx, call) =>
        toDispositionView(await rejectDisposition(tx, call.params.dispositionId, call.body.reason)),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'executeDisposition',
      path: `${path}/:dispositionId/execute`,
      scope,
      tag,
      summary: 'Carry out an approved disposition',
      description:
        'Released and reworked goods become available, destroyed and returned ones leave the stock, each under the disposition as ' +
        'document. Goods that never were in stock get no movement.',
      params,
      body: ExecutionBody,
      data: DispositionView,
      execute: async (tx, { params: { dispositionId }, body }) =>
        toDispositionView(
          await executeDisposition(tx, dispositionId, {
            witness: body.witness ?? null,
            carrier: body.carrier ?? null,
            trackingNo: body.trackingNo ?? null,
          }),
        ),
    }),
  ];
}
