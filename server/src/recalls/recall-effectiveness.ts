import { Type } from 'typebox';
import { Instant, Model, Nullable, OneOf } from '../platform/http/index.js';
import { RECALL_STATUSES, type RecallStanding } from './recall.js';
import { progressOf } from './recall.rules.js';
import type { Decided } from './recall-disposed.store.js';

const progress = {
  delivered: Type.Integer({ description: 'The quantity shipped before the recall was opened.' }),
  onHand: Type.Integer(),
  used: Type.Integer(),
  returned: Type.Integer({ description: 'Returned by the count of the consignees.' }),
  destroyed: Type.Integer(),
  notFound: Type.Integer(),
  notAnswered: Type.Integer({ description: 'The rest of `delivered`, which no answer accounts for.' }),
  returnedQuantity: Type.Integer({ description: 'Returned by the ledger.' }),
};

export const EffectivenessView = Model('RecallEffectiveness', {
  recallId: Type.String(),
  recallNo: Type.String(),
  status: OneOf(RECALL_STATUSES),
  consignees: Type.Integer(),
  acknowledged: Type.Integer(),
  answered: Type.Integer(),
  ...progress,
  stock: Type.Object(
    {
      onHold: Type.Integer(),
      disposed: Type.Integer({ description: 'Destroyed or returned to the supplier by dispositions.' }),
      released: Type.Integer({ description: 'Released from the holds of the recall by dispositions.' }),
    },
    { description: 'The recalled stock.' },
  ),
  byConsignee: Type.Array(
    Type.Object({
      customerCode: Type.String(),
      customerName: Type.String(),
      acknowledgedAt: Nullable(Instant()),
      answeredAt: Nullable(Instant()),
      ...progress,
    }),
  ),
});

export function toEffectivenessView(recall: RecallStanding, decided: Decided) {
  const { recallId, recallNo, status, consignees, affectedStock } = recall;
  return {
    recallId,
    recallNo,
    status,
    consignees: consignees.length,
    acknowledged: consignees.filter((each) => each.acknowledgedAt !== null).length,
    answered: consignees.filter((each) => each.answer !== null).length,
    ...progressOf(consignees),
    stock: { onHold: affectedStock.reduce((sum, { quantity }) => sum + quantity, 0), ...decided },
    byConsignee: consignees.map((each) => ({
      customerCode: each.customerCode,
      customerName: each.customerName,
      acknowledgedAt: each.acknowledgedAt?.toISOString() ?? null,
      answeredAt: each.answer?.answeredAt.toISOString() ?? null,
      ...progressOf([each]),
    })),
  };
}
