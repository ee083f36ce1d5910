import { Type } from 'typebox';
import { withCanonicalCode } from '../catalogue/index.js';
import { type Database, transact } from '../platform/database/index.js';
import {
  AnyOf,
  Code,
  CsvLanguageFilter,
  fileRoute,
  listRoute,
  type Route,
  readRoute,
  SearchText,
  Strict,
  TaskFilter,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { acknowledgeRecall } from './acknowledge-recall.js';
import { answerRecall } from './answer-recall.js';
import { closeRecall } from './close-recall.js';
import { consigneeList } from './consignee-list.js';
import { readRecall, standingFor, standingOf } from './load-recall.js';
import { openRecall } from './open-recall.js';
import { RECALL_STATUSES } from './recall.js';
import {
  AcknowledgementBody,
  AnswerBody,
  CloseBody,
  RecallBody,
  RecallView,
  toRecallView,
} from './recall.schemas.js';
import { listRecalls } from './recall.store.js';
import { readDecided } from './recall-disposed.store.js';
import { EffectivenessView, toEffectivenessView } from './recall-effectiveness.js';
import { readUnansweredRecalls } from './recall-overview.store.js';

const ById = Strict({ recallId: Text(64) });
const tag = 'Recalls';
const OWN_VIEW =
  'A credential bound to a customer sees the recalls that concern this customer, with its own goods and no others.';

export const recallRoutes = (database: Database): Route[] => [
  ...readRoutes(database),
  ...fileRoutes(),
  ...writeRoutes(),
];

function readRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listRecalls',
      path: '/v2/recalls',
      scope: 'recalls:read',
      boundCredentials: 'allowed',
      tag,
      takesLong: true,
      summary: 'List recalls, newest first',
      description: OWN_VIEW,
      filters: {
        q: SearchText('the recall number or of the name or code of the product'),
        recallNo: Type.Optional(Code()),
        productCode: Type.Optional(Code('A GTIN in any of its lengths.')),
        status: Type.Optional(AnyOf(RECALL_STATUSES)),
        task: TaskFilter(['recalls_unanswered']),
      },
      item: RecallView,
      list: 'recalls',
      key: (recall) => recall.recallId,
      updatedAt: (recall) => recall.lastEventAt,
      sorts: { openedAt: null },
      isCounted: true,
      view: toRecallView,
      readRows: ({ principal, filter: { task, ...filter }, page }) =>
        transact(database, principal, async (tx) => {
          const { boundTo } = principal;
          const recallIds = task && (await readUnansweredRecalls(tx)).map(({ id }) => id);
          const where = { ...withCanonicalCode(filter), shippedTo: boundTo ?? undefined, recallIds };
          const recalls = await listRecalls(tx, where, page);
          return boundTo === null ? standingOf(tx, recalls) : standingFor(tx, recalls, boundTo);
        }),
    }),
    readRoute({
      operationId: 'getRecall',
      path: '/v2/recalls/:recallId',
      scope: 'recalls:read',
      boundCredentials: 'allowed',
      tag,
      takesLong: true,
      summary: 'Read a recall',
      description: OWN_VIEW,
      params: ById,
      data: RecallView,
      read: async ({ principal, params }) =>
        toRecallView(
          await transact(database, principal, (tx) => readRecall(tx, params.recallId, principal.boundTo)),
        ),
    }),
    readRoute({
      operationId: 'getRecallEffectiveness',
      path: '/v2/recalls/:recallId/effectiveness',
      scope: 'recalls:read',
      tag,
      takesLong: true,
      summary: 'Read how effective a recall is',
      description:
        'Adds up the answers of the consignees against what was delivered. ' +
        '`delivered` is always the sum of `onHand`, `used`, `returned`, `destroyed`, `notFound` and `notAnswered`.',
      params: ById,
      data: EffectivenessView,
      read: async ({ principal, params }) =>
        transact(database, principal, async (tx) => {
          const recall = await readRecall(tx, params.recallId);
          return toEffectivenessView(recall, await readDecided(tx, params.recallId));
        }),
    }),
  ];
}

function fileRoutes(): Route[] {
  return [
    fileRoute({
      operationId: 'exportRecall',
      path: '/exports/recalls/:recallId.csv',
      scope: 'recalls:read',
      tag,
      takesLong: true,
      summary: 'Download the consignees of a recall and their answers as CSV',
      mayLag: true,
      params: ById,
      query: Strict({ language: CsvLanguageFilter }),
      contentType: 'text/csv; charset=utf-8',
      async render({ principal, params, query }, from) {
        const recall = await transact(from, principal, (tx) => readRecall(tx, params.recallId));
        return { body: consigneeList(recall, query.language), fileName: `recall-${recall.recallNo}.csv` };
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
      takesLong: true,
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
      takesLong: true,
      summary: 'Record the acknowledgement of a consignee',
      params: ById,
      body: AcknowledgementBody,
      data: RecallView,
      changes: ({ params }) => params.recallId,
      execute: async (tx, { params, body }) =>
        toRecallView(await acknowledgeRecall(tx, params.recallId, { ...body, note: body.note ?? null })),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'answerRecall',
      path: '/v2/recalls/:recallId/consignees/:customerCode/answer',
      scope,
      boundCredentials: 'allowed',
      tag,
      takesLong: true,
      summary: 'Record what happened to the goods of a consignee',
      description:
        'The counts add up to at most what was delivered. A later answer replaces it, and an answer is also an acknowledgement. ' +
        'A credential bound to a customer answers for this customer.',
      params: Strict({ recallId: Text(64), customerCode: Code() }),
      body: AnswerBody,
      data: RecallView,
      changes: ({ params }) => params.recallId,
      execute: async (tx, { principal, params: { recallId, customerCode }, body }) => {
        const answer = { ...body, customerCode, note: body.note ?? null };
        return toRecallView(await answerRecall(tx, recallId, answer, principal.boundTo));
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'closeRecall',
      path: '/v2/recalls/:recallId/close',
      scope,
      tag,
      takesLong: true,
      summary: 'Close a recall permanently',
      description:
        'Refused with `recall_not_settled` while stock is on hold for the recall, or a consignee has neither answered nor is named in ' +
        '`unanswered`. Its holds stay, so recalled goods that arrive later are blocked.',
      params: ById,
      body: CloseBody,
      data: RecallView,
      execute: async (tx, { params, body }) =>
        toRecallView(
          await closeRecall(tx, params.recallId, { reason: body.reason, unanswered: body.unanswered ?? [] }),
        ),
    }),
  ];
}
