import type { Data, Item } from '@lotward/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { client } from '../../app/api.js';
import { useMay } from '../../app/session.js';
import type { Storage } from '../catalogue/storage-text.js';
import type { Stay } from './custody.js';

type Point = Item<'/v2/environment/points'>;
type History = Data<'/v2/environment/points/{pointId}/history', 'get'>;

/** The conditions at one monitoring point during a stay. */
export interface Condition {
  point: Point;
  /** Null if no readings of that time are stored. */
  temperature: { min: number; max: number } | null;
  alerts: History['alerts'];
}

/** The maximum number of stays and points to look up: a long history must not cause hundreds of requests. */
const STAYS_MAX = 20;
const POINTS_MAX = 3;

/** Excludes rooms that are colder or warmer than the goods' storage conditions allow. */
const canKeep = ({ temperature }: Point, storage: Storage | undefined): boolean =>
  temperature !== null &&
  (temperature.min ?? -Infinity) < (storage?.temperatureMax ?? Infinity) &&
  (temperature.max ?? Infinity) > (storage?.temperatureMin ?? -Infinity);

/**
 * The readings in the warehouses during each stay, by the key of the stay, for rooms suitable for the goods. Empty for
 * people who may not see readings.
 */
export function useConditions(
  stays: readonly Stay[],
  storage: Storage | undefined,
  now: number,
): ReadonlyMap<string, Condition[]> {
  const may = useMay();
  const enabled = may('environment:read');
  const kept = stays.filter(({ party }) => party.kind === 'warehouse' && party.code !== null);
  const looked = enabled ? kept.slice(-STAYS_MAX) : [];
  const points = useQuery({
    queryKey: ['/v2/environment/points', { all: true }],
    queryFn: async ({ signal }) =>
      (await client.get('/v2/environment/points', { query: { limit: 200 }, signal })).items,
    enabled: looked.length > 0,
  });
  const wanted = looked.flatMap((stay) =>
    (points.data ?? [])
      .filter((point) => point.warehouse === stay.party.code && canKeep(point, storage))
      .slice(0, POINTS_MAX)
      .map((point) => ({ stay, point })),
  );
  const histories = useQueries({
    queries: wanted.map(({ stay, point: { pointId } }) => {
      const query = spanOf(stay, now);
      return {
        queryKey: ['/v2/environment/points/{pointId}/history', { path: { pointId }, query }],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          client.get('/v2/environment/points/{pointId}/history', { path: { pointId }, query, signal }),
      };
    }),
  });
  const found = new Map<string, Condition[]>();
  wanted.forEach(({ stay, point }, n) => {
    const history = histories[n]?.data;
    if (!history) return;
    const condition = {
      point,
      temperature: history.buckets[0]?.temperature ?? null,
      alerts: history.alerts.filter((alert) => alert.metric === 'temperature'),
    };
    found.set(stay.key, [...(found.get(stay.key) ?? []), condition]);
  });
  return found;
}

/** One interval as long as the stay, and at least a minute, so that even a momentary stay has a temperature. */
function spanOf({ from, until }: Stay, now: number) {
  const start = Date.parse(from);
  const end = Math.max(until === null ? now : Date.parse(until), start + 60_000);
  return { from, to: new Date(end).toISOString(), buckets: 1 };
}
