import { Type } from 'typebox';
import { BatchNo } from '../catalogue/index.js';
import {
  Code,
  DateText,
  Instant,
  Model,
  Nullable,
  OneOf,
  Prose,
  Strict,
  Text,
} from '../platform/http/index.js';
import { type AffectedBatch, ALERT_STATUSES, type Alert, UNIT } from './alert.js';
import { METRICS } from './excursion.rules.js';

export const AcknowledgementBody = Strict({ comment: Prose(2_000) });
export const AlertHoldBody = Strict({
  reason: Type.Optional(Nullable(Text(500))),
  batches: Type.Optional(
    Type.Array(Strict({ productCode: Code('A GTIN in any of its lengths.'), batchNo: BatchNo() }), {
      minItems: 1,
      maxItems: 1_000,
      description: 'The affected batches to hold; all of them when not given.',
    }),
  ),
});

const alert = {
  alertId: Type.String(),
  status: OneOf(ALERT_STATUSES),
  pointId: Type.String(),
  pointName: Type.String(),
  warehouse: Type.String(),
  zone: Nullable(Type.String()),
  metric: OneOf(METRICS),
  unit: Type.String(),
  lowerLimit: Nullable(Type.Number({ description: 'The limits at the time the alert opened.' })),
  upperLimit: Nullable(Type.Number()),
  startedAt: Type.String({ format: 'date-time', description: 'The first reading outside.' }),
  openedAt: Instant(),
  lowest: Type.Number(),
  highest: Type.Number(),
  lastValue: Type.Number({ description: 'The value of the last reading outside.' }),
  lastObservedAt: Instant(),
  repeats: Type.Integer(),
  lastToldAt: Instant(),
  closedAt: Nullable(Instant()),
  acknowledgedAt: Nullable(Instant()),
  acknowledgedBy: Nullable(Type.String()),
  acknowledgement: Nullable(Type.String()),
  updatedAt: Instant(),
};

export const AlertView = Model('Alert', alert);
export const AlertInFullView = Model('AlertDetail', {
  ...alert,
  affectedBatches: Type.Array(
    Type.Object({
      productCode: Type.String(),
      productName: Type.String(),
      batchNo: Type.String(),
      expiryDate: Nullable(DateText()),
      quantity: Type.Integer(),
      held: Type.Boolean({ description: 'On hold because of this alert.' }),
    }),
    {
      description: 'Batches in stock in the warehouse whose storage range does not allow the values read.',
    },
  ),
});

export const toAlertView = (source: Alert) => ({
  ...source,
  status: source.closedAt ? ('closed' as const) : ('open' as const),
  unit: UNIT[source.metric],
  startedAt: source.startedAt.toISOString(),
  openedAt: source.openedAt.toISOString(),
  lastObservedAt: source.lastObservedAt.toISOString(),
  lastToldAt: source.lastToldAt.toISOString(),
  closedAt: source.closedAt?.toISOString() ?? null,
  acknowledgedAt: source.acknowledgedAt?.toISOString() ?? null,
  updatedAt: source.updatedAt.toISOString(),
});

export const toAlertInFullView = (source: Alert, affectedBatches: AffectedBatch[]) => ({
  ...toAlertView(source),
  affectedBatches,
});
