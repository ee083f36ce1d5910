import {
  bulkRows,
  composedStatement,
  Filter,
  organizationRow,
  statement,
  type Tx,
} from '../platform/database/index.js';
import type { Metric, PointWatch, Watch } from './excursion.rules.js';
import type { Bucket, OpenExcursion, Reading, WatchedPoint } from './reading.js';

const ms = (column: string, as: string) => `(extract(epoch from ${column}) * 1000)::float8 as "${as}"`;
const lockStates = statement(`
  select point_id as "pointId", ${ms('newest_at', 'newestAt')}, temperature, ${ms('temperature_at', 'temperatureAt')},
    ${ms('temperature_out_since', 'temperatureOutSince')}, temperature_out_lowest as "temperatureOutLowest",
    temperature_out_highest as "temperatureOutHighest", humidity, ${ms('humidity_at', 'humidityAt')},
    ${ms('humidity_out_since', 'humidityOutSince')}, humidity_out_lowest as "humidityOutLowest",
    humidity_out_highest as "humidityOutHighest", event_version as "eventVersion", ${ms('last_event_at', 'lastEventAt')}
  from point_states where org_id = $1 and point_id = any($2) order by point_id for no key update`);
const pointsOf = statement(`
  select point_id as "pointId", name, warehouse, zone, temperature_min as "temperatureMin", temperature_max as "temperatureMax",
    humidity_min as "humidityMin", humidity_max as "humidityMax", alarm_delay_seconds as "alarmDelaySeconds", status
  from monitoring_points where org_id = $1 and point_id = any($2)`);
const openAlertsOf = statement(`
  select alert_id as "alertId", point_id as "pointId", metric, lower_limit as "lowerLimit", upper_limit as "upperLimit",
    ${ms('started_at', 'startedAt')}, ${ms('opened_at', 'openedAt')}, lowest, highest, last_value as "lastValue",
    ${ms('last_observed_at', 'lastObservedAt')}, repeats, ${ms('last_told_at', 'lastToldAt')}, null as "closedAt"
  from environment_alerts where org_id = $1 and point_id = any($2) and closed_at is null`);
const readingColumns = bulkRows({
  place: 'integer',
  at: 'float8',
  temperature: 'float8',
  humidity: 'float8',
});
const insertReadings = `
    insert into readings (org_id, point_id, at, temperature, humidity)
    select g.org_id, ($2::text[])[r.place], to_timestamp(r.at / 1000), r.temperature, r.humidity
    from ${organizationRow('g')}, ${readingColumns.from('r', 3)}`;
const appendNew = statement(insertReadings);
const insertUnknown = statement(`
  with stored as (${insertReadings} on conflict (org_id, point_id, at) do nothing returning 1)
  select count(*)::integer as stored from stored`);
const stateColumns = bulkRows({
  point_id: 'text',
  newest_at: 'float8',
  temperature: 'float8',
  temperature_at: 'float8',
  temperature_out_since: 'float8',
  temperature_out_lowest: 'float8',
  temperature_out_highest: 'float8',
  humidity: 'float8',
  humidity_at: 'float8',
  humidity_out_since: 'float8',
  humidity_out_lowest: 'float8',
  humidity_out_highest: 'float8',
  event_version: 'bigint',
  last_event_at: 'float8',
});
const saveStates = statement(`
  update point_states s set newest_at = to_timestamp(n.newest_at / 1000), temperature = n.temperature,
    temperature_at = to_timestamp(n.temperature_at / 1000), temperature_out_since = to_timestamp(n.temperature_out_since / 1000),
    temperature_out_lowest = n.temperature_out_lowest, temperature_out_highest = n.temperature_out_highest,
    humidity = n.humidity, humidity_at = to_timestamp(n.humidity_at / 1000),
    humidity_out_since = to_timestamp(n.humidity_out_since / 1000), humidity_out_lowest = n.humidity_out_lowest,
    humidity_out_highest = n.humidity_out_highest, event_version = n.event_version,
    last_event_at = to_timestamp(n.last_event_at / 1000)
  from ${stateColumns.from('n', 2)}
  where s.org_id = $1 and s.point_id = n.point_id`);

type StateRow = { pointId: string; newestAt: number | null; eventVersion: number } & Record<
  Metric | `${Metric}${'At' | 'OutSince' | 'OutLowest' | 'OutHighest'}` | 'lastEventAt',
  number | null
>;
type PointRow = Pick<
  WatchedPoint,
  'pointId' | 'name' | 'warehouse' | 'zone' | 'alarmDelaySeconds' | 'status'
> &
  Record<`${Metric}${'Min' | 'Max'}`, number | null>;

/**
 * Locks the points of a batch in the order of their ids, so that two batches cannot deadlock. Locks before it reads: a
 * statement that waited for the lock would return limits and alerts from before the wait.
 */
export async function lockPoints(tx: Tx, pointIds: readonly string[]): Promise<Map<string, WatchedPoint>> {
  const [states, points, alerts] = await Promise.all([
    tx.query<StateRow>(lockStates, [tx.orgId, pointIds]),
    tx.query<PointRow>(pointsOf, [tx.orgId, pointIds]),
    tx.query<OpenExcursion>(openAlertsOf, [tx.orgId, pointIds]),
  ]);
  const rows = new Map(points.map((row) => [row.pointId, row]));
  const open = new Map(alerts.map(({ pointId, ...alert }) => [`${alert.metric} ${pointId}`, alert]));
  return new Map(
    states.map((state) => {
      const row = rows.get(state.pointId);
      if (!row) throw new Error('a state without its monitoring point');
      const watchOf = (metric: Metric): Watch => ({
        value: state[metric],
        valueAt: state[`${metric}At`],
        outSince: state[`${metric}OutSince`],
        outLowest: state[`${metric}OutLowest`],
        outHighest: state[`${metric}OutHighest`],
        open: open.get(`${metric} ${state.pointId}`) ?? null,
      });
      return [state.pointId, toWatched(row, state, watchOf('temperature'), watchOf('humidity'))];
    }),
  );
}

function toWatched(row: PointRow, state: StateRow, temperature: Watch, humidity: Watch): WatchedPoint {
  const limitsOf = (min: number | null, max: number | null) =>
    min === null && max === null ? null : { min, max };
  const { pointId, name, warehouse, zone, alarmDelaySeconds, status } = row;
  return {
    pointId,
    name,
    warehouse,
    zone,
    alarmDelaySeconds,
    status,
    temperature: limitsOf(row.temperatureMin, row.temperatureMax),
    humidity: limitsOf(row.humidityMin, row.humidityMax),
    watch: { newestAt: state.newestAt, temperature, humidity },
    eventVersion: state.eventVersion,
    lastEventAt: state.lastEventAt,
  };
}

/** A batch by columns: `places` gives the point of each reading, counted from 1. */
export interface ReadingColumns {
  pointIds: readonly string[];
  places: readonly number[];
  instants: readonly number[];
  temperatures: readonly (number | null)[];
  humidities: readonly (number | null)[];
}

const valuesOf = (tx: Tx, batch: ReadingColumns): unknown[] => [
  tx.orgId,
  batch.pointIds,
  ...readingColumns.arrays({
    place: batch.places,
    at: batch.instants,
    temperature: batch.temperatures,
    humidity: batch.humidities,
  }),
];

/** Returns the number of new readings. The first reading of a point at an instant is kept, later ones are ignored. */
export async function saveReadings(tx: Tx, batch: ReadingColumns): Promise<number> {
  const [row] = await tx.query<{ stored: number }>(insertUnknown, valuesOf(tx, batch));
  return row?.stored ?? 0;
}

/** For readings that are all newer than those of their points: checking for duplicates would double the cost. */
export async function appendReadings(tx: Tx, batch: ReadingColumns): Promise<void> {
  tx.send(appendNew, valuesOf(tx, batch));
}

export interface PointStanding {
  pointId: string;
  watch: PointWatch;
  eventVersion: number;
  lastEventAt: number | null;
}

const toStateRow = ({ pointId, watch, eventVersion, lastEventAt }: PointStanding) => ({
  point_id: pointId,
  newest_at: watch.newestAt,
  temperature: watch.temperature.value,
  temperature_at: watch.temperature.valueAt,
  temperature_out_since: watch.temperature.outSince,
  temperature_out_lowest: watch.temperature.outLowest,
  temperature_out_highest: watch.temperature.outHighest,
  humidity: watch.humidity.value,
  humidity_at: watch.humidity.valueAt,
  humidity_out_since: watch.humidity.outSince,
  humidity_out_lowest: watch.humidity.outLowest,
  humidity_out_highest: watch.humidity.outHighest,
  event_version: eventVersion,
  last_event_at: lastEventAt,
});

export async function savePointStates(tx: Tx, standings: readonly PointStanding[]): Promise<void> {
  if (standings.length === 0) return;
  tx.send(saveStates, [tx.orgId, ...stateColumns.values(standings, toStateRow)]);
}

export interface ReadingFilter {
  pointId: string;
  from?: string | undefined;
  to?: string | undefined;
}

/** In chronological order. */
export async function listReadings(
  tx: Tx,
  filter: ReadingFilter,
  after: string | null,
  limit: number,
): Promise<Reading[]> {
  const list = new Filter('org_id = $1 and point_id = $2', [tx.orgId, filter.pointId, limit]);
  list.and('at > ?', after);
  list.and('at >= ?', filter.from);
  list.and('at < ?', filter.to);
  const sql = `select point_id as "pointId", at, temperature, humidity from readings where ${list.where} order by at limit $3`;
  return tx.query<Reading>(composedStatement(sql), list.values);
}

const buckets = statement(`
  select date_bin($5::interval, at, $3::timestamptz) as at, count(*)::integer as count, min(at) as "firstAt", max(at) as "lastAt",
    min(temperature) as "temperatureMin", avg(temperature) as "temperatureAvg", max(temperature) as "temperatureMax",
    min(humidity) as "humidityMin", avg(humidity) as "humidityAvg", max(humidity) as "humidityMax"
  from readings where org_id = $1 and point_id = $2 and at >= $3::timestamptz and at < $4::timestamptz
  group by 1 order by 1`);

type BucketRow = Pick<Bucket, 'at' | 'firstAt' | 'lastAt' | 'count'> &
  Record<`${Metric}${'Min' | 'Avg' | 'Max'}`, number | null>;

/** Readings from `from` until before `to`, aggregated over `widthMs`; intervals without readings are left out. */
export async function readBuckets(
  tx: Tx,
  pointId: string,
  from: Date,
  to: Date,
  widthMs: number,
): Promise<Bucket[]> {
  const rows = await tx.query<BucketRow>(buckets, [tx.orgId, pointId, from, to, `${widthMs} milliseconds`]);
  const extremesOf = (row: BucketRow, metric: Metric) => {
    const {
      [`${metric}Min` as const]: min,
      [`${metric}Avg` as const]: avg,
      [`${metric}Max` as const]: max,
    } = row;
    if (min === null || avg === null || max === null) return null;
    // No sensor reads more often.
    return { min, avg: Math.round(avg * 1000) / 1000, max };
  };
  return rows.map((row) => ({
    at: row.at,
    firstAt: row.firstAt,
    lastAt: row.lastAt,
    count: row.count,
    temperature: extremesOf(row, 'temperature'),
    humidity: extremesOf(row, 'humidity'),
  }));
}
