import { describe, expect, it } from 'vitest';
import { bucketsFor, durationText, spanAround } from './duration.js';

describe('a duration', () => {
  it.each([
    ['2026-11-15T10:00:00Z', '2026-11-15T10:00:20Z', '0 min'],
    ['2026-11-15T10:00:00Z', '2026-11-15T11:20:00Z', '1 hr 20 min'],
    ['2026-11-15T10:00:00Z', '2026-11-16T12:05:00Z', '1 day 2 hr'],
  ])('%s to %s is %s', (from, to, text) => expect(durationText(from, to, 'en')).toBe(text));
  it('in Chinese', () =>
    expect(durationText('2026-11-15T10:00:00Z', '2026-11-15T11:20:00Z', 'zh-CN')).toBe('1小时 20分钟'));
});

describe('the span around an excursion', () => {
  const now = Date.parse('2026-11-16T00:00:00Z');
  it('has an hour on both sides of a short one', () =>
    expect(spanAround('2026-11-15T10:00:00Z', '2026-11-15T10:10:00Z', now)).toEqual({
      from: '2026-11-15T09:00:00.000Z',
      to: '2026-11-15T11:10:00.000Z',
    }));
  it('has half of a long one on both sides, and ends now', () =>
    expect(spanAround('2026-11-15T10:00:00Z', '2026-11-15T22:00:00Z', now)).toEqual({
      from: '2026-11-15T04:00:00.000Z',
      to: '2026-11-16T00:00:00.000Z',
    }));
});

it('readings five minutes apart are in intervals next to each other', () => {
  expect(bucketsFor({ from: '2026-11-15T10:00:00Z', to: '2026-11-15T12:00:00Z' })).toBe(24);
  expect(bucketsFor({ from: '2026-11-15T10:00:00Z', to: '2026-11-15T10:01:00Z' })).toBe(12);
  expect(bucketsFor({ from: '2026-11-01T00:00:00Z', to: '2026-11-15T00:00:00Z' })).toBe(288);
});
