import { Type } from 'typebox';
import { Code, Instant, Model, Nullable, Strict } from '../platform/http/index.js';
import type { Alert } from './alert.js';
import { AlertView, toAlertView } from './alert.schemas.js';
import type { Point } from './point.js';
import { Humidity, LimitsView, Temperature } from './point.schemas.js';
import type { Bucket, Reading } from './reading.js';

const READINGS_MAX = 1_000;

export const ReadingBody = Strict({
  pointId: Code(),
  at: Instant('Stored with millisecond precision.'),
  temperature: Type.Optional(Nullable(Temperature())),
  humidity: Type.Optional(Nullable(Humidity())),
});

export const ReadingsBody = Strict({
  readings: Type.Array(ReadingBody, {
    minItems: 1,
    maxItems: READINGS_MAX,
    description: 'Each with temperature, humidity or both.',
  }),
});

export const RecordedView = Model('RecordedReadings', {
  received: Type.Integer(),
  stored: Type.Integer(),
  duplicates: Type.Integer({ description: 'Readings that were already stored, by point and instant.' }),
  late: Type.Integer({
    description: 'Stored readings that are not newer than the newest of their point; they never alert.',
  }),
  alerts: Type.Array(Type.String(), { description: 'Alerts opened by this batch.' }),
});

export const ReadingView = Model('Reading', {
  pointId: Type.String(),
  at: Instant(),
  temperature: Nullable(Type.Number()),
  humidity: Nullable(Type.Number()),
});

const Extremes = Nullable(Type.Object({ min: Type.Number(), avg: Type.Number(), max: Type.Number() }));

export const HistoryView = Model('ReadingHistory', {
  pointId: Type.String(),
  from: Instant(),
  to: Instant(),
  bucketSeconds: Type.Number({ description: 'The span of one bucket.' }),
  temperature: LimitsView,
  humidity: LimitsView,
  buckets: Type.Array(
    Type.Object({
      at: Instant('Where the span of the bucket begins.'),
      firstAt: Instant('Its first reading.'),
      lastAt: Instant('Its last reading.'),
      count: Type.Integer(),
      temperature: Extremes,
      humidity: Extremes,
    }),
    { description: 'Sorted by start; buckets without readings are omitted.' },
  ),
  alerts: Type.Array(AlertView, { description: 'Alerts open at any time in the span; the newest 500.' }),
});

export const toReadingView = (reading: Reading) => ({ ...reading, at: reading.at.toISOString() });

export const toHistoryView = (
  { pointId, temperature, humidity }: Point,
  span: { from: Date; to: Date; widthMs: number },
  buckets: readonly Bucket[],
  alerts: readonly Alert[],
) => ({
  pointId,
  from: span.from.toISOString(),
  to: span.to.toISOString(),
  bucketSeconds: span.widthMs / 1000,
  temperature,
  humidity,
  buckets: buckets.map((bucket) => ({
    ...bucket,
    at: bucket.at.toISOString(),
    firstAt: bucket.firstAt.toISOString(),
    lastAt: bucket.lastAt.toISOString(),
  })),
  alerts: alerts.map(toAlertView),
});
