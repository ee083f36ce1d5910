/*
 * A database with monitoring points, monthly partitions for their readings, and a bare table for COPY.
 */
import pg from 'pg';
import { newDatabase } from '../inventory/tables.mjs';
import { LIMITS, POINTS, pointIdOf } from './records.mjs';

const DAY_MS = 86_400_000;
export const HISTORY_POINT = 'HISTORY';
export const HISTORY_READINGS = 500_000;
const HISTORY_DAYS = 365;

export async function openTables(server) {
  const made = await newDatabase(server, 'bench_readings', ['environment:read', 'environment:write']);
  const owner = new pg.Client({ connectionString: made.url, options: '-c search_path=lotward,public' });
  await owner.connect();
  const [{ orgId, keys }] = made.organizations;
  const firstAt = Math.floor(Date.now() / DAY_MS) * DAY_MS - 30 * DAY_MS;
  await owner.query(
    `select make_readings_month((date_trunc('month', now()) - n * interval '1 month')::date) from generate_series(-1, 13) n`,
  );
  await owner.query(
    `insert into warehouses (org_id, code, name, created_at, updated_at) values ($1, 'WH-1', 'Main', now(), now())`,
    [orgId],
  );
  const pointIds = [HISTORY_POINT, ...Array.from({ length: POINTS }, (_, place) => pointIdOf(place))];
  await owner.query(
    `insert into monitoring_points (org_id, point_id, name, warehouse, temperature_min, temperature_max, alarm_delay_seconds,
      silent_after_seconds, status, created_at, updated_at)
    select $1, p, 'Point ' || p, 'WH-1', $3, $4, 0, 3600, 'active', now(), now() from unnest($2::text[]) p`,
    [orgId, pointIds, LIMITS.min, LIMITS.max],
  );
  await owner.query('insert into point_states (org_id, point_id) select $1, p from unnest($2::text[]) p', [
    orgId,
    pointIds,
  ]);
  // The same columns and key, and nothing else: one table, no row-level security, no check.
  await owner.query(
    `create table public.bench_readings (org_id text collate "C" not null, point_id text collate "C" not null,
      at timestamptz not null, temperature double precision, humidity double precision, primary key (org_id, point_id, at))`,
  );
  await owner.query('vacuum (analyze) monitoring_points, point_states, environment_alerts, readings');
  return { ...made, owner, orgId, key: keys[0], firstAt };
}

/** A year of one point. */
export async function fillHistory({ owner, orgId }) {
  await owner.query(
    `insert into readings (org_id, point_id, at, temperature, humidity)
    select $1, $2, date_trunc('second', now()) - n * interval '${(HISTORY_DAYS * 86_400) / HISTORY_READINGS} seconds',
      5 + sin(n / 500.0) * 2, 50 + cos(n / 700.0) * 10
    from generate_series(1, ${HISTORY_READINGS}) n`,
    [orgId, HISTORY_POINT],
  );
  await owner.query('update point_states set newest_at = now() where org_id = $1 and point_id = $2', [
    orgId,
    HISTORY_POINT,
  ]);
  await owner.query('vacuum (analyze) readings');
}
