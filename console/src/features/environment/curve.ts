import type { Data } from '@lotward/client';
import type { Metric, Point } from './limits.js';

export type History = Data<'/v2/environment/points/{pointId}/history', 'get'>;
type Bucket = History['buckets'][number];
export type Reading = NonNullable<Point['lastReading']>;

/** Amid the readings that a bucket sums up, so that no dot lies before the first or after the last of them. */
export const middleOf = ({ firstAt, lastAt }: Pick<Bucket, 'firstAt' | 'lastAt'>): number =>
  (Date.parse(firstAt) + Date.parse(lastAt)) / 2;

/**
 * The history up to the newest reading, as a bucket of its own: the last one only averages it with others, or ends before it.
 * Texts beside a curve name the newest reading, and the curve must not end elsewhere.
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

/** Where readings are missing, the line is broken instead of drawn across. */
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
