import { warehouseRows } from '../catalogue/index.js';
import {
  Filter,
  type ListPage,
  listRows,
  noteChange,
  statement,
  type Tx,
  violatedConstraint,
} from '../platform/database/index.js';
import type { Point, PointContent } from './point.js';

const limits = (metric: string) => `case when p.${metric}_min is not null or p.${metric}_max is not null
    then json_build_object('min', p.${metric}_min, 'max', p.${metric}_max) end as ${metric}`;
const content = `p.point_id as "pointId", p.name, p.warehouse, p.zone, ${limits('temperature')}, ${limits('humidity')},
  p.alarm_delay_seconds as "alarmDelaySeconds", p.silent_after_seconds as "silentAfterSeconds", p.status`;
/** The state at the instant $2. A sensor without recent readings is silent, even if its last reading was out of range. */
const standing = `(select ${content}, s.newest_at as "newestAt", s.temperature as "lastTemperature",
    s.humidity as "lastHumidity", a.count as "openAlerts", p.created_at as "createdAt", p.version, p.updated_at as "updatedAt",
    case when p.status = 'retired' then 'retired' when s.newest_at is null then 'no_data'
      when s.newest_at < $2::timestamptz - p.silent_after_seconds * interval '1 second' then 'silent'
      when a.count > 0 then 'alert' else 'normal' end as state
  from monitoring_points p
  join point_states s on s.org_id = $1 and s.point_id = p.point_id
  cross join lateral (select count(*)::integer as count from environment_alerts e
    where e.org_id = $1 and e.point_id = p.point_id and e.closed_at is null) a
  where p.org_id = $1) q`;
const one = statement(`select * from ${standing} where "pointId" = $3`);
const insert = statement(`
  insert into monitoring_points (org_id, point_id, name, warehouse, zone, temperature_min, temperature_max, humidity_min,
    humidity_max, alarm_delay_seconds, silent_after_seconds, status, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
  on conflict (org_id, point_id) do nothing returning 1`);
const insertState = statement('insert into point_states (org_id, point_id) values ($1, $2)');
const update = statement(`
  update monitoring_points set name = $3, warehouse = $4, zone = $5, temperature_min = $6, temperature_max = $7,
    humidity_min = $8, humidity_max = $9, alarm_delay_seconds = $10, silent_after_seconds = $11, status = $12,
    ${noteChange('monitoring_points', '$13')}
  where org_id = $1 and point_id = $2`);
const lockState = statement(
  'select 1 from point_states where org_id = $1 and point_id = $2 for no key update',
);
const endWatch = statement(`
  update point_states set temperature_out_since = null, temperature_out_lowest = null, temperature_out_highest = null,
    humidity_out_since = null, humidity_out_lowest = null, humidity_out_highest = null
  where org_id = $1 and point_id = $2`);

interface Row extends Omit<Point, 'lastReading'> {
  newestAt: Date | null;
  lastTemperature: number | null;
  lastHumidity: number | null;
}

function toPoint({ newestAt, lastTemperature, lastHumidity, ...row }: Row): Point {
  const lastReading = newestAt && { at: newestAt, temperature: lastTemperature, humidity: lastHumidity };
  return { ...row, lastReading };
}

export async function findPoint(tx: Tx, pointId: string): Promise<Point | null> {
  const [row] = await tx.query<Row>(one, [tx.orgId, tx.now, pointId]);
  return row ? toPoint(row) : null;
}

/** Makes readings of the point wait until the transaction ends. */
export async function lockPoint(tx: Tx, pointId: string): Promise<Point | null> {
  const found = await tx.query(lockState, [tx.orgId, pointId]);
  return found.length > 0 ? findPoint(tx, pointId) : null;
}

export interface PointFilter {
  q?: string | undefined;
  warehouse?: string | undefined;
  zone?: string | undefined;
  state?: readonly string[] | undefined;
}

export async function listPoints(tx: Tx, filter: PointFilter, page: ListPage): Promise<Point[]> {
  const list = new Filter('true', [tx.orgId, tx.now, page.limit]);
  const order = list.page(page, { id: '"pointId"', direction: 'asc', updatedAt: '"updatedAt"' });
  list.and('warehouse = ?', filter.warehouse);
  list.and('zone = ?', filter.zone);
  list.anyOf('state', filter.state);
  list.and('strpos(lower(name), lower(?)) > 0', filter.q);
  const rows = await listRows<Row>(tx, page, list, {
    rows: `select * from ${standing} where ${list.where} order by ${order} limit $3`,
    counted: `select from ${standing} where ${list.where} limit $3`,
  });
  return rows.map(toPoint);
}

// An organization has few points, so the text is compared with each. Every word must occur in one of them.
const idsByText = statement(`
  select p.point_id as "pointId" from monitoring_points p
  left join ${warehouseRows('$1')} w on w.code = p.warehouse
  where p.org_id = $1 and not exists (select from regexp_split_to_table(lower($2), '\\s+') as t(term)
    where strpos(lower(concat_ws(' ', p.point_id, p.name, p.zone, p.warehouse, w.name)), t.term) = 0)`);

/** Points that have the text in their name or id, or in their warehouse or zone. */
export async function findPointIds(tx: Tx, text: string): Promise<string[]> {
  const rows = await tx.query<{ pointId: string }>(idsByText, [tx.orgId, text.trim()]);
  return rows.map(({ pointId }) => pointId);
}

const valuesOf = (tx: Tx, pointId: string, { temperature, humidity, ...rest }: PointContent): unknown[] => [
  tx.orgId,
  pointId,
  rest.name,
  rest.warehouse,
  rest.zone,
  temperature?.min ?? null,
  temperature?.max ?? null,
  humidity?.min ?? null,
  humidity?.max ?? null,
  rest.alarmDelaySeconds,
  rest.silentAfterSeconds,
  rest.status,
  tx.now,
];

/** `zone_gone`: the zone of the point was removed after the check. */
export type Written = 'written' | 'exists' | 'zone_gone';

async function unlessZoneGone(write: () => Promise<Written>): Promise<Written> {
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) === ZONE_KEY) return 'zone_gone';
    throw error;
  }
}
const ZONE_KEY = 'monitoring_points_org_id_warehouse_zone_fkey';

export const insertPoint = (tx: Tx, pointId: string, given: PointContent): Promise<Written> =>
  unlessZoneGone(async () => {
    const made = await tx.query(insert, valuesOf(tx, pointId, given));
    if (made.length === 0) return 'exists';
    tx.send(insertState, [tx.orgId, pointId]);
    return 'written';
  });

export const updatePoint = (tx: Tx, pointId: string, given: PointContent): Promise<Written> =>
  unlessZoneGone(async () => {
    await tx.query(update, valuesOf(tx, pointId, given));
    return 'written';
  });

/** A point that gets no more readings has no ongoing excursion. */
export async function forgetExcursions(tx: Tx, pointId: string): Promise<void> {
  tx.send(endWatch, [tx.orgId, pointId]);
}
