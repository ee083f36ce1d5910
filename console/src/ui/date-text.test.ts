import { describe, expect, it } from 'vitest';
import { readDay, readDayTime } from './date-text.js';

describe('a day is read as people type it', () => {
  it.each([
    '2026-03-05',
    '2026/3/5',
    '2026.03.05',
    '20260305',
    ' 2026-3-5 ',
    '2026年3月5日',
    '２０２６-03-05',
  ])('%s', (typed) => expect(readDay(typed)).toBe('2026-03-05'));

  it.each(['', '2026', '2026-3', '202635', '2026-02-30', '2026-13-01', '05.03.2026', '3/5/2026', 'today'])(
    'and never guessed: %s',
    (typed) => expect(readDay(typed)).toBeNull(),
  );
});

describe('a day with its time', () => {
  it.each(['2026-03-05 09:05', '2026-03-05T09:05', '2026/3/5 9:05', '2026年3月5日 9时05分'])('%s', (typed) =>
    expect(readDayTime(typed)).toBe('2026-03-05 09:05'),
  );

  it('a day alone begins at midnight', () => expect(readDayTime('2026-03-05')).toBe('2026-03-05 00:00'));

  it.each(['2026-03-05 24:00', '2026-03-05 9:60', '09:05', '2026-02-30 09:05'])('is no time: %s', (typed) =>
    expect(readDayTime(typed)).toBeNull(),
  );
});
