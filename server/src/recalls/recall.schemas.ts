import { Type } from 'typebox';
import { SERIALS_MAX } from '../catalogue/index.js';
import { Code, Instant, Model, Nullable, OneOf, Quantity, Strict, Text } from '../platform/http/index.js';
import { RECALL_CLASSES, RECALL_EXTENTS, RECALL_STATUSES, type RecallStanding } from './recall.js';
import { effectivenessOf } from './recall.rules.js';

const BATCHES_MAX = 1_000;
const Named = (maxItems: number, description: string) =>
  Type.Optional(Type.Array(Text(64), { minItems: 1, maxItems, uniqueItems: true, description }));

export const RecallBody = Strict({
  recallNo: Code(),
  productCode: Code('A GTIN in any of its lengths.'),
  batchNos: Named(
    BATCHES_MAX,
    'The recalled batches. Without these and `serials`, the whole product is recalled.',
  ),
  serials: Named(SERIALS_MAX, 'The serial numbers of the recalled units.'),
  class: OneOf(RECALL_CLASSES),
  reason: Text(500),
});

export const AcknowledgementBody = Strict({
  customerCode: Code(),
  note: Type.Optional(Nullable(Text(500))),
  acknowledgedAt: Type.Optional(Instant('When the customer acknowledged; the default is now.')),
});

export const AnswerBody = Strict({
  onHand: Quantity(),
  used: Quantity(),
  returned: Quantity(),
  destroyed: Quantity(),
  notFound: Quantity(),
  note: Type.Optional(Nullable(Text(500))),
});

const CONSIGNEES_MAX = 10_000;

export const CloseBody = Strict({
  reason: Text(500),
  unanswered: Type.Optional(
    Type.Array(Strict({ customerCode: Code(), reason: Text(500) }), {
      maxItems: CONSIGNEES_MAX,
      description: 'The consignees that will not answer, each with the reason.',
    }),
  ),
});

const AnswerView = Model('RecallAnswer', {
  onHand: Type.Integer(),
  used: Type.Integer(),
  returned: Type.Integer(),
  destroyed: Type.Integer(),
  notFound: Type.Integer(),
  note: Nullable(Type.String()),
  answeredAt: Instant(),
  answeredBy: Type.String(),
});

export const RecallView = Model('Recall', {
  recallId: Type.String(),
  recallNo: Type.String(),
  productCode: Type.String(),
  productName: Type.String(),
  extent: OneOf(RECALL_EXTENTS),
  batchNos: Type.Array(Type.String()),
  serials: Type.Array(Type.String()),
  class: OneOf(RECALL_CLASSES),
  reason: Type.String(),
  status: OneOf(RECALL_STATUSES),
  openedAt: Instant(),
  openedBy: Type.String(),
  closedAt: Nullable(Instant()),
  closedBy: Nullable(Type.String()),
  closeReason: Nullable(Type.String()),
  affectedStock: Type.Array(
    Type.Object({ warehouse: Type.String(), batchNo: Type.String(), quantity: Type.Integer() }),
    { description: 'Stock that the holds of the recall block now.' },
  ),
  openDispatches: Type.Array(
    Type.Object({
      dispatchId: Type.String(),
      orderId: Type.String(),
      orderNo: Type.String(),
      customerCode: Type.String(),
      status: Type.String(),
      quantity: Type.Integer({ description: 'The recalled quantity that was picked or on the pick list.' }),
    }),
    { description: 'Dispatches that the recall stopped, with their current status.' },
  ),
  consignees: Type.Array(
    Type.Object({
      customerCode: Type.String(),
      customerName: Type.String(),
      quantity: Type.Integer(),
      batchNos: Type.Array(Type.String(), { description: 'The recalled batches that were shipped to it.' }),
      serials: Type.Array(Type.String(), {
        description: 'The serial numbers of the recall that were shipped to it.',
      }),
      documents: Type.Array(
        Type.Object({ type: Type.String(), id: Type.String(), no: Nullable(Type.String()) }),
      ),
      acknowledgedAt: Nullable(Instant()),
      note: Nullable(Type.String()),
      returnedQuantity: Type.Integer(),
      answer: Nullable(AnswerView),
      unansweredReason: Nullable(
        Type.String({ description: 'Why the recall was closed without its answer.' }),
      ),
    }),
    { description: 'Customers to whom recalled goods were shipped before the recall was opened.' },
  ),
  effectiveness: Model('RecallSummary', {
    consignees: Type.Integer(),
    acknowledged: Type.Integer(),
    answered: Type.Integer(),
    shippedQuantity: Type.Integer(),
    returnedQuantity: Type.Integer(),
    share: Type.Number({
      description: 'The returned part of the shipped quantity, 0 to 1; 1 if nothing was shipped.',
    }),
  }),
  version: Type.Integer(),
  updatedAt: Instant('When it was opened, acknowledged, answered or closed last.'),
});

export const toRecallView = ({ lastEventAt, ...recall }: RecallStanding) => ({
  ...recall,
  openedAt: recall.openedAt.toISOString(),
  closedAt: recall.closedAt?.toISOString() ?? null,
  consignees: recall.consignees.map((consignee) => ({
    ...consignee,
    acknowledgedAt: consignee.acknowledgedAt?.toISOString() ?? null,
    answer: consignee.answer && {
      ...consignee.answer,
      answeredAt: consignee.answer.answeredAt.toISOString(),
    },
  })),
  effectiveness: effectivenessOf(recall.consignees),
  updatedAt: lastEventAt.toISOString(),
});
