import { describe, expect, it } from 'vitest';
import { dotsOf, type History, upToNewest } from './curve.js';

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

describe('the curve ends with the newest reading', () => {
  const history = {
    from: '2026-11-15T09:00:00.000Z',
    to: '2026-11-15T10:10:00.000Z',
    bucketSeconds: 600,
    buckets: [bucket('2026-11-15T10:00:00Z', '2026-11-15T10:08:00Z', 9.6)],
  } as unknown as History;
  const reading = (time: string) => ({ at: `2026-11-15T${time}.000Z`, temperature: 10.2, humidity: null });
  const ends = (newest: ReturnType<typeof reading> | null) =>
    dotsOf(upToNewest(history, newest), 'temperature', 'avg');

  it('which its last bucket only averages with others', () => {
    expect(ends(reading('10:08:00'))).toEqual([
      [at('10:04:00'), 9.6],
      [at('10:08:00'), 10.2],
    ]);
  });

  it('which came after its last bucket, or after the span itself', () => {
    expect(ends(reading('10:10:00')).at(-1)).toEqual([at('10:10:00'), 10.2]);
    expect(upToNewest(history, reading('10:11:00')).to).toBe('2026-11-15T10:11:00.000Z');
  });

  it('once, where the last bucket is that reading, and not with one from before the span', () => {
    expect(ends(reading('10:04:00'))).toHaveLength(1);
    expect(ends(reading('08:00:00'))).toHaveLength(1);
    expect(upToNewest(history, null)).toBe(history);
  });
});
