import type { Data } from '@lotward/client';
import type { Metric, Point } from './limits.js';

export type History = Data<'/v2/environment/points/{pointId}/history', 'get'>;
type Bucket = History['buckets'][number];
export type Reading = NonNullable<Point['lastReading']>;

/** Placed at the middle of the bucket's readings, so that no dot lies outside their time span. */
export const middleOf = ({ firstAt, lastAt }: Pick<Bucket, 'firstAt' | 'lastAt'>): number =>
  (Date.parse(firstAt) + Date.parse(lastAt)) / 2;

/**
 * The history up to the newest reading, which gets its own bucket: the last bucket only averages it with others, or ends
 * before it. Texts next to a curve state the newest reading, so the curve must end there.
 */
export function upToNewest(history: History, newest: Reading | null): History {
  const last = history.buckets.at(-1);
  if (newest === null || newest.at < history.from || (last && middleOf(last) >= Date.parse(newest.at)))
    return history;
  const only = (value: number | null) => (value === null ? null : { min: value, avg: value, max: value });
  const bucket: Bucket = {
    ...{ at: newest.at, firstAt: newest.at, lastAt: newest.at, count: 1 },
    ...{ temperature: only(newest.temperature), humidity: only(newest.humidity) },
  };
  const to = newest.at > history.to ? newest.at : history.to;
  return { ...history, to, buckets: [...history.buckets, bucket] };
}

export type Dot = [at: number, value: number | null];

/** If readings are missing, the line is interrupted instead of bridged. */
export function dotsOf(history: History, metric: Metric, pick: 'min' | 'avg' | 'max'): Dot[] {
  const gapMs = history.bucketSeconds * 1_000 * 4;
  const found: Dot[] = [];
  for (const bucket of history.buckets) {
    const at = middleOf(bucket);
    const before = found.at(-1)?.[0];
    if (before !== undefined && at - before > gapMs) found.push([before + 1, null]);
    found.push([at, bucket[metric]?.[pick] ?? null]);
  }
  return found;
}
