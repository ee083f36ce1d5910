import { describe, expect, it } from 'vitest';
import { isDue, lowStockSince, RUN_AGAIN_MS, unattendedSince } from './daily-run.rules.js';

const at = (text: string) => new Date(text);
const noon = at('2026-11-15T12:00:00Z');

describe('the daily run', () => {
  it.each([
    ['never ran', { day: null, ranAt: null, aheadTo: null }, true],
    ['ran yesterday', { day: '2026-11-14', ranAt: at('2026-11-14T23:59:00Z'), aheadTo: null }, true],
    ['ran a moment ago', { day: '2026-11-15', ranAt: at('2026-11-15T11:59:00Z'), aheadTo: null }, false],
    [
      'ran an hour ago: what was being written at midnight is seen now',
      { day: '2026-11-15', ranAt: new Date(noon.getTime() - RUN_AGAIN_MS), aheadTo: null },
      true,
    ],
    [
      'is ahead, after the time zone was moved back',
      { day: '2026-11-16', ranAt: at('2026-11-15T11:59:00Z'), aheadTo: null },
      false,
    ],
    [
      'ran by a clock that was two days ahead',
      { day: '2026-11-17', ranAt: at('2026-11-17T12:00:00Z'), aheadTo: null },
      true,
    ],
    [
      'was only tried ahead of time',
      { day: '2026-11-14', ranAt: at('2026-11-14T12:00:00Z'), aheadTo: '2026-12-24' },
      true,
    ],
  ])('is due where it %s: %#', (_where, mark, due) => {
    expect(isDue(mark, '2026-11-15', noon)).toBe(due);
  });

  it.each([
    [{ day: null, ranAt: null, aheadTo: null }, '2026-11-15', '2026-11-15'],
    [{ day: null, ranAt: null, aheadTo: '2026-11-10' }, '2026-11-15', '2026-11-15'],
    [{ day: '2026-11-01', ranAt: noon, aheadTo: null }, '2026-11-15', '2026-11-01'],
    [{ day: '2026-11-01', ranAt: noon, aheadTo: '2026-11-10' }, '2026-11-15', '2026-11-01'],
    [{ day: '2026-11-15', ranAt: noon, aheadTo: null }, '2026-11-10', '2026-11-10'],
    [{ day: '2026-11-15', ranAt: noon, aheadTo: null }, '2026-12-24', '2026-12-24'],
    [{ day: '2026-11-01', ranAt: noon, aheadTo: '2026-12-01' }, '2026-12-24', '2026-12-24'],
  ])(
    'was an outage only back to the last real run, and never before a day that is to come: %#',
    (mark, day, since) => {
      expect(unattendedSince(mark, day, '2026-11-15')).toBe(since);
    },
  );

  it.each([
    [{ day: null, ranAt: null, aheadTo: null }, '2026-11-15'],
    [{ day: '2026-11-01', ranAt: noon, aheadTo: null }, '2026-11-01'],
    [{ day: '2026-11-15', ranAt: noon, aheadTo: null }, '2026-11-15'],
    [{ day: '2026-11-20', ranAt: noon, aheadTo: null }, '2026-11-15'],
    [{ day: '2026-11-10', ranAt: noon, aheadTo: '2026-11-12' }, '2026-11-12'],
    [{ day: '2026-11-10', ranAt: noon, aheadTo: '2026-11-20' }, '2026-11-10'],
    [{ day: null, ranAt: null, aheadTo: '2026-11-20' }, '2026-11-15'],
  ])('looks back to the last day that was worked through and has come: %#', (mark, since) => {
    expect(lowStockSince(mark, '2026-11-15')).toBe(since);
  });
});
