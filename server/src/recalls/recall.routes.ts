import { canonicalCode } from '@lotward/udi';
import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import {
  Code,
  decodeCursor,
  fileRoute,
  OneOf,
  PAGE_LIMIT_DEFAULT,
  PageOf,
  PageQuery,
  type Route,
  readRoute,
  Strict,
  Text,
  toPage,
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
    readRoute({
      path: '/v2/recalls',
      scope: 'recalls:read',
      tag,
      summary: 'List recalls, newest first',
      query: Strict({
        recallNo: Type.Optional(Code()),
        productCode: Type.Optional(Code('A GTIN in any of its lengths.')),
        status: Type.Optional(OneOf(RECALL_STATUSES)),
        ...PageQuery,
      }),
      data: PageOf(RecallView),
      async answer({ principal, query }) {
        const { limit = PAGE_LIMIT_DEFAULT, cursor, productCode, ...filter } = query;
        const before = decodeCursor('recalls', cursor, 1)?.[0] ?? null;
        const where = {
          ...filter,
          productCode: productCode === undefined ? undefined : canonicalCode(productCode),
        };
        const rows = await transact(database, principal, async (tx) =>
          standingOf(tx, await listRecalls(tx, where, before, limit + 1)),
        );
        return toPage('recalls', rows, limit, (recall) => [recall.recallId], toRecallView);
      },
    }),
    readRoute({
      path: '/v2/recalls/:recallId',
      scope: 'recalls:read',
      tag,
      summary: 'One recall',
      params: ById,
      data: RecallView,
      answer: async ({ principal, params }) =>
        toRecallView(await transact(database, principal, (tx) => readRecall(tx, params.recallId))),
    }),
    fileRoute({
      path: '/exports/recalls/:recallId.csv',
      scope: 'recalls:read',
      tag,
      summary: 'The consignees of a recall as CSV',
      params: ById,
      contentType: 'text/csv; charset=utf-8',
      async answerFile({ principal, params }) {
        const recall = await transact(database, principal, (tx) => readRecall(tx, params.recallId));
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
      path: '/v2/recalls',
      scope,
      tag,
      summary: 'Recall a product, batches or serial numbers',
      description:
        'At once blocks what is in stock and what still comes, and stops open dispatches that contain it.',
      body: RecallBody,
      data: RecallView,
      execute: async (tx, { body }) => toRecallView(await openRecall(tx, body)),
    }),
    writeRoute({
      method: 'POST',
      path: '/v2/recalls/:recallId/acknowledgements',
      scope,
      tag,
      summary: 'Record that a consignee knows of a recall',
      params: ById,
      body: AcknowledgementBody,
      data: RecallView,
      execute: async (tx, { params, body }) =>
        toRecallView(await acknowledgeRecall(tx, params.recallId, { ...body, note: body.note ?? null })),
    }),
    writeRoute({
      method: 'POST',
      path: '/v2/recalls/:recallId/close',
      scope,
      tag,
      summary: 'Close a recall, for good',
      description: 'Releases the stock it blocked, as far as no other hold does.',
      params: ById,
      body: CloseBody,
      data: RecallView,
      execute: async (tx, { params, body }) =>
        toRecallView(await closeRecall(tx, params.recallId, body.reason)),
    }),
  ];
}
