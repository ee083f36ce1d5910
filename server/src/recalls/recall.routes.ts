import { Type } from 'typebox';
import { withCanonicalCode } from '../catalogue/index.js';
import { type Database, transact } from '../platform/database/index.js';
import {
  Code,
  fileRoute,
  listRoute,
  OneOf,
  type Route,
  readRoute,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { acknowledgeRecall } from './acknowledge-recall.js';
import { closeRecall } from './close-recall.js';
import { consigneeList } from './consignee-list.js';
import { readRecall, standingOf } from './load-recall.js';
import { openRecall } from './open-recall.js';
import { RECALL_STATUSES } from './recall.js';
import { AcknowledgementBody, CloseBody, RecallBody, RecallView, toRecallView } from './recall.schemas.js';
import { listRecalls } from './recall.store.js';

const ById = Strict({ recallId: Text(64) });
const tag = 'Recalls';

export const recallRoutes = (database: Database): Route[] => [...readRoutes(database), ...writeRoutes()];

function readRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listRecalls',
      path: '/v2/recalls',
      scope: 'recalls:read',
      tag,
      summary: 'List recalls, newest first',
      filters: {
        recallNo: Type.Optional(Code()),
        productCode: Type.Optional(Code('A GTIN in any of its lengths.')),
        status: Type.Optional(OneOf(RECALL_STATUSES)),
      },
      item: RecallView,
      list: 'recalls',
      key: (recall) => recall.recallId,
      view: toRecallView,
      readRows: ({ principal, filter, after, rowsMax }) =>
        transact(database, principal, async (tx) =>
          standingOf(tx, await listRecalls(tx, withCanonicalCode(filter), after, rowsMax)),
        ),
    }),
    readRoute({
      operationId: 'getRecall',
      path: '/v2/recalls/:recallId',
      scope: 'recalls:read',
      tag,
      summary: 'Read a recall',
      params: ById,
      data: RecallView,
      read: async ({ principal, params }) =>
        toRecallView(await transact(database, principal, (tx) => readRecall(tx, params.recallId))),
    }),
    fileRoute({
      operationId: 'exportRecall',
      path: '/exports/recalls/:recallId.csv',
      scope: 'recalls:read',
      tag,
      summary: 'Download the consignees of a recall as CSV',
      mayLag: true,
      params: ById,
      contentType: 'text/csv; charset=utf-8',
      async render({ principal, params }, from) {
        const recall = await transact(from, principal, (tx) => readRecall(tx, params.recallId));
        return { body: consigneeList(recall), fileName: `recall-${recall.recallNo}.csv` };
      },
    }),
  ];
}

function writeRoutes(): Route[] {
  const scope = 'recalls:write';
  return [
    writeRoute({
      method: 'POST',
      operationId: 'createRecall',
      path: '/v2/recalls',
      scope,
      tag,
      summary: 'Recall a product, batches or serial numbers',
      description:
        'Blocks the stock immediately, blocks later arrivals too, and stops open dispatches that contain recalled goods.',
      body: RecallBody,
      data: RecallView,
      execute: async (tx, { body }) => toRecallView(await openRecall(tx, body)),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'recordRecallAcknowledgements',
      path: '/v2/recalls/:recallId/acknowledgements',
      scope,
      tag,
      summary: 'Record the acknowledgement of a consignee',
      params: ById,
      body: AcknowledgementBody,
      data: RecallView,
      execute: async (tx, { params, body }) =>
        toRecallView(await acknowledgeRecall(tx, params.recallId, { ...body, note: body.note ?? null })),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'closeRecall',
      path: '/v2/recalls/:recallId/close',
      scope,
      tag,
      summary: 'Close a recall permanently',
      description: 'Releases the stock it blocked, except stock that another hold blocks.',
      params: ById,
      body: CloseBody,
      data: RecallView,
      execute: async (tx, { params, body }) =>
        toRecallView(await closeRecall(tx, params.recallId, body.reason)),
    }),
  ];
}
