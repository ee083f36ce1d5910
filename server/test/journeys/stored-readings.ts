import type { CrashWorld } from './crash-world.js';
import { type ReadingStream, STEP_SECONDS } from './reading-stream.js';

/** All that came of readings, in the order of points and instants. */
interface StoredReadings {
  points: { pointId: string; count: number; checksum: number }[];
  alerts: object[];
  notifications: object[];
}

const pointIdsOf = (streams: readonly ReadingStream[]) => streams.map(({ pointId }) => pointId);

export async function storedReadings(
  world: CrashWorld,
  streams: readonly ReadingStream[],
): Promise<StoredReadings> {
  const points = pointIdsOf(streams);
  const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return {
    points: await world.rows(
      `select point_id as "pointId", count(*)::integer as count,
        sum(temperature * (extract(epoch from at - $1::timestamptz) / $2 + 1))::float8 as checksum
       from readings where point_id = any($3) group by point_id order by point_id`,
      [new Date(streams[0]?.startMs ?? 0), STEP_SECONDS, points],
    ),
    alerts: await world.rows(
      `select point_id as "pointId", ${iso('started_at')} as "startedAt", ${iso('closed_at')} as "closedAt", lowest, highest,
        repeats from environment_alerts where point_id = any($1) order by point_id, started_at`,
      [points],
    ),
    notifications: await world.rows(
      `select entity_id as "pointId", body::json->'data'->>'observedAt' as "observedAt",
        (body::json->'data'->>'repeat')::integer as repeat
       from events where event_type = 'environment.alert' and entity_id = any($1) order by entity_id, entity_version`,
      [points],
    ),
  };
}

export const expectedOf = (streams: readonly ReadingStream[]): StoredReadings => ({
  points: streams.map(({ pointId, readings, checksum }) => ({ pointId, count: readings.length, checksum })),
  alerts: streams.flatMap((stream) => stream.alerts),
  notifications: streams.flatMap((stream) => stream.notifications),
});

export async function countStored(world: CrashWorld, streams: readonly ReadingStream[]): Promise<number> {
  const [row] = await world.rows<{ count: number }>(
    'select count(*)::integer as count from readings where point_id = any($1)',
    [pointIdsOf(streams)],
  );
  return row?.count ?? 0;
}
