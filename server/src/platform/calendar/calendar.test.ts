import { describe, expect, it } from 'vitest';
import { addDays, dayIn, endOfDayIn, isCalendarDate, isInstant, isTimeZone } from './index.js';

describe('calendar dates', () => {
  it.each(['2026-11-15', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('%s is one', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });
  it.each([
    ...['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01'],
    ...['2026-1-1', '20260101', '2026-01-01T00:00:00Z', ' 2026-01-01', '2026-01-01\n', '+02026-01-01', ''],
  ])('%j is none', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  it('days are added across months, leap days and years', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(addDays('2026-03-29', 0)).toBe('2026-03-29');
  });
});

describe('instants', () => {
  it.each(['2026-11-15T10:00:00Z', '2026-11-15T23:59:59.999999Z', '2024-02-29T00:00:00.5Z'])(
    '%s is one',
    (text) => {
      expect(isInstant(text)).toBe(true);
    },
  );
  it.each([
    ...['2026-11-15T24:00:00Z', '2026-11-15T10:60:00Z', '2026-11-15T10:00:60Z', '2026-02-30T10:00:00Z'],
    ...['2026-11-15T10:00:00', '2026-11-15T10:00:00+00:00', '2026-11-15 10:00:00Z', '2026-11-15T10:00Z'],
    ...['2026-11-15T10:00:00.1234567Z', '2026-11-15T10:00:00z', '2026-11-15'],
  ])('%s is none', (text) => {
    expect(isInstant(text)).toBe(false);
  });
});

describe('the day somewhere', () => {
  it.each([
    ['UTC', '2026-11-15T23:59:59.999Z', '2026-11-15'],
    ['Asia/Shanghai', '2026-11-15T15:59:59.999Z', '2026-11-15'],
    ['Asia/Shanghai', '2026-11-15T16:00:00.000Z', '2026-11-16'],
    ['America/New_York', '2026-11-15T04:59:59.999Z', '2026-11-14'],
    ['America/New_York', '2026-11-15T05:00:00.000Z', '2026-11-15'],
    ['America/New_York', '2026-07-01T04:00:00.000Z', '2026-07-01'],
    ['Pacific/Apia', '2026-11-15T11:00:00.000Z', '2026-11-16'],
    ['Asia/Kathmandu', '2026-11-15T18:15:00.000Z', '2026-11-16'],
  ])('in %s at %s is %s', (zone, instant, day) => {
    expect(dayIn(zone, new Date(instant))).toBe(day);
  });

  it('is not carried over from another moment or another zone', () => {
    const instant = new Date('2026-11-15T15:59:59.999Z');
    expect(dayIn('Asia/Shanghai', instant)).toBe('2026-11-15');
    expect(dayIn('Asia/Shanghai', new Date(instant.getTime() + 1))).toBe('2026-11-16');
    expect(dayIn('Asia/Shanghai', instant)).toBe('2026-11-15');
    expect(dayIn('Pacific/Apia', instant)).toBe('2026-11-16');
  });
});

describe('the end of a day', () => {
  it.each([
    ['UTC', '2026-11-15', '2026-11-15T23:59:59.999Z'],
    ['Asia/Shanghai', '2026-11-15', '2026-11-15T15:59:59.999Z'],
    // The clocks go forward on the 8th of March and back on the 1st of November.
    ['America/New_York', '2026-03-07', '2026-03-08T04:59:59.999Z'],
    ['America/New_York', '2026-03-08', '2026-03-09T03:59:59.999Z'],
    ['America/New_York', '2026-10-31', '2026-11-01T03:59:59.999Z'],
    ['America/New_York', '2026-11-01', '2026-11-02T04:59:59.999Z'],
    // Samoa left out the 30th of December 2011.
    ['Pacific/Apia', '2011-12-29', '2011-12-30T09:59:59.999Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-31T09:59:59.999Z'],
    ['Pacific/Apia', '2026-11-15', '2026-11-15T10:59:59.999Z'],
    // In Lebanon and Chile the clocks change at midnight.
    ['Asia/Beirut', '2026-03-28', '2026-03-28T21:59:59.999Z'],
    ['America/Santiago', '2026-09-05', '2026-09-06T03:59:59.999Z'],
    ['Etc/GMT+12', '2026-11-15', '2026-11-16T11:59:59.999Z'],
    ['Pacific/Kiritimati', '2026-11-15', '2026-11-15T09:59:59.999Z'],
  ])('%s %s is %s', (zone, day, expected) => {
    const end = endOfDayIn(zone, day);
    expect(end.toISOString()).toBe(expected);
    expect(dayIn(zone, end)).toBe(day);
    expect(dayIn(zone, new Date(end.getTime() + 1)) > day).toBe(true);
  });
});

describe('time zones', () => {
  it('are those the platform knows', () => {
    for (const zone of ['UTC', 'Asia/Shanghai', 'America/New_York']) expect(isTimeZone(zone)).toBe(true);
    for (const zone of ['Mars/Olympus', '', 'Asia/Shanghai ', '../etc']) expect(isTimeZone(zone)).toBe(false);
  });
});
