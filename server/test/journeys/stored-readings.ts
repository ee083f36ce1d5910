import { type ReadingStream, STEP_SECONDS } from './reading-stream.js';
import type { Installation } from './service-process.js';

/** All that came of readings, in the order of points and instants. */
export interface StoredReadings {
  points: { pointId: string; count: number; checksum: number }[];
  alerts: object[];
  notifications: object[];
}

export async function storedReadings(
  home: Installation,
  [first]: readonly ReadingStream[],
): Promise<StoredReadings> {
  const owner = await home.owner();
  const rows = async (text: string, values: unknown[] = []) => (await owner.query(text, values)).rows;
  const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  try {
    return {
      points: await rows(
        `select point_id as "pointId", count(*)::integer as count,
          sum(temperature * (extract(epoch from at - $1::timestamptz) / $2 + 1))::float8 as checksum
         from readings group by point_id order by point_id`,
        [new Date(first?.startMs ?? 0), STEP_SECONDS],
      ),
      alerts: await rows(
        `select point_id as "pointId", ${iso('started_at')} as "startedAt", ${iso('closed_at')} as "closedAt", lowest, highest,
          repeats from environment_alerts order by point_id, started_at`,
      ),
      notifications: await rows(
        `select entity_id as "pointId", body::json->'data'->>'observedAt' as "observedAt",
          (body::json->'data'->>'repeat')::integer as repeat
         from events where event_type = 'environment.alert' order by entity_id, entity_version`,
      ),
    };
  } finally {
    await owner.end();
  }
}

export const expectedOf = (streams: readonly ReadingStream[]): StoredReadings => ({
  points: streams.map(({ pointId, readings, checksum }) => ({ pointId, count: readings.length, checksum })),
  alerts: streams.flatMap((stream) => stream.alerts),
  notifications: streams.flatMap((stream) => stream.notifications),
});

export async function countStored(home: Installation): Promise<number> {
  const owner = await home.owner();
  try {
    return (await owner.query('select count(*)::integer as count from readings')).rows[0].count;
  } finally {
    await owner.end();
  }
}
