import { Type } from 'typebox';
import { transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  Code,
  Instant,
  listRoute,
  type Route,
  readRoute,
  Strict,
  writeRoute,
} from '../platform/http/index.js';
import { alertsDuring } from './alert.store.js';
import { spanOf } from './history.rules.js';
import { findPoint } from './point.store.js';
import {
  HistoryView,
  ReadingsBody,
  ReadingView,
  RecordedView,
  toHistoryView,
  toReadingView,
} from './reading.schemas.js';
import { listReadings, readBuckets } from './reading.store.js';
import { type RecordOptions, recordReadings } from './record-readings.js';

const tag = 'Environment';
const BUCKETS_DEFAULT = 300;
const ALERTS_MAX = 500;

export function readingRoutes(options: RecordOptions): Route[] {
  return [
    writeRoute({
      method: 'POST',
      operationId: 'recordEnvironmentReadings',
      path: '/v2/environment/readings',
      scope: 'environment:write',
      tag,
      summary: 'Record readings',
      description:
        'All or nothing. Only the first reading of a point at an instant is stored, so a batch can be sent again.',
      body: ReadingsBody,
      data: RecordedView,
      execute: (tx, { body }) => recordReadings(tx, body.readings, options),
    }),
    listRoute({
      operationId: 'listEnvironmentReadings',
      path: '/v2/environment/readings',
      scope: 'environment:read',
      tag,
      summary: 'List the readings of a point, oldest first',
      mayLag: true,
      filters: {
        pointId: Code(),
        from: Type.Optional(Instant('At or after this instant.')),
        to: Type.Optional(Instant('Before this instant.')),
      },
      item: ReadingView,
      list: 'readings',
      key: (reading) => reading.at.toISOString(),
      view: toReadingView,
      readRows: ({ principal, filter, after, rowsMax }, from) =>
        transact(from, principal, (tx) => listReadings(tx, filter, after, rowsMax)),
    }),
    readRoute({
      operationId: 'getEnvironmentPointHistory',
      path: '/v2/environment/points/:pointId/history',
      scope: 'environment:read',
      tag,
      summary: 'Aggregate the readings of a point for a chart',
      description: 'Aggregated over equal intervals, with the current limits and the alerts of the period.',
      mayLag: true,
      params: Strict({ pointId: Code() }),
      query: Strict({
        from: Type.Optional(Instant('24 hours before `to` when not given.')),
        to: Type.Optional(Instant('Now when not given.')),
        buckets: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 2_000, description: `The default is ${BUCKETS_DEFAULT}.` }),
        ),
      }),
      data: HistoryView,
      read: ({ principal, params, query }, from) =>
        transact(from, principal, async (tx) => {
          const point = await findPoint(tx, params.pointId);
          if (!point) throw missing('monitoring point', 'pointId');
          const span = spanOf(query, tx.now, query.buckets ?? BUCKETS_DEFAULT);
          const { from, to, widthMs } = span;
          const buckets = await readBuckets(tx, params.pointId, from, to, widthMs);
          const alerts = await alertsDuring(tx, params.pointId, from, to, ALERTS_MAX);
          return toHistoryView(point, span, buckets, alerts);
        }),
    }),
  ];
}
