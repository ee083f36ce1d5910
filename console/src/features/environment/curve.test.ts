import { expect, it } from 'vitest';
import { dotsOf, type History } from './curve.js';

const bucket = (firstAt: string, lastAt: string, value: number): History['buckets'][number] => ({
  at: '2026-11-15T10:00:00Z',
  ...{ firstAt, lastAt, count: 1, humidity: null },
  temperature: { min: value, avg: value, max: value },
});
const at = (time: string): number => Date.parse(`2026-11-15T${time}Z`);

it('the dot of a bucket lies amid its readings, and the line is broken where none were taken', () => {
  const buckets = [
    bucket('2026-11-15T10:04:00Z', '2026-11-15T10:04:00Z', 5),
    bucket('2026-11-15T10:06:00Z', '2026-11-15T10:08:00Z', 9),
    bucket('2026-11-15T11:00:00Z', '2026-11-15T11:00:00Z', 6),
  ];
  const history = { bucketSeconds: 300, buckets } as unknown as History;
  expect(dotsOf(history, 'temperature', 'max')).toEqual([
    [at('10:04:00'), 5],
    [at('10:07:00'), 9],
    [at('10:07:00') + 1, null],
    [at('11:00:00'), 6],
  ]);
});
