import type { Data } from '@lotward/client';
import type { Metric } from './limits.js';

export type History = Data<'/v2/environment/points/{pointId}/history', 'get'>;
type Bucket = History['buckets'][number];

/** Amid the readings that a bucket sums up, so that no dot lies before the first or after the last of them. */
export const middleOf = ({ firstAt, lastAt }: Pick<Bucket, 'firstAt' | 'lastAt'>): number =>
  (Date.parse(firstAt) + Date.parse(lastAt)) / 2;

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
