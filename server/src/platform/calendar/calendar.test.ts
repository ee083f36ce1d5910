import { describe, expect, it } from 'vitest';
import { addDays, dayIn, endOfDayIn, isCalendarDate, isTimeZone, toUtcInstant } from './index.js';

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
  it.each([
    ['2026-11-15T10:00:00Z', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15T10:00:00.123Z', '2026-11-15T10:00:00.123Z'],
    ['2024-02-29T00:00:00.5Z', '2024-02-29T00:00:00.500Z'],
    // RFC 3339 allows small letters.
    ['2026-11-15t10:00:00z', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15t10:00:00.123z', '2026-11-15T10:00:00.123Z'],
    // Every offset of ISO 8601, across midnight, year and leap day.
    ['2026-11-15T10:00:00+00:00', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15T10:00:00-00:00', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15T18:00:00+08:00', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15T18:00:00+0800', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15T18:00:00+08', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15T00:15:00+05:45', '2026-11-14T18:30:00.000Z'],
    ['2026-12-31T23:30:00-03:30', '2027-01-01T03:00:00.000Z'],
    ['2026-12-31T23:30:00\u221203:30', '2027-01-01T03:00:00.000Z'],
    ['2024-03-01T00:00:00+14:00', '2024-02-29T10:00:00.000Z'],
    ['2026-11-15T00:00:00+23:59', '2026-11-14T00:01:00.000Z'],
    // Finer than a millisecond is cut off, never rounded up into what has not happened yet.
    ['2026-11-15T23:59:59.999999Z', '2026-11-15T23:59:59.999Z'],
    ['2026-11-15T23:59:59.9999999+00:00', '2026-11-15T23:59:59.999Z'],
    ['2026-11-15T23:59:59.123456789Z', '2026-11-15T23:59:59.123Z'],
    // A leap second, wherever on earth it is written, is the first moment of the next day in UTC.
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60.25Z', '2017-01-01T00:00:00.250Z'],
    ['2017-01-01T07:59:60+08:00', '2017-01-01T00:00:00.000Z'],
    // From the first to the last moment that both calendar and database have.
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['0001-01-01T08:00:00+08:00', '0001-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, utc) => {
    expect(toUtcInstant(text)).toBe(utc);
  });

  it.each([
    ...['2026-11-15T24:00:00Z', '2026-11-15T24:00:00+08:00', '2026-11-15T10:60:00Z', '2026-02-30T10:00:00Z'],
    ...['2026-11-15T10:00:60Z', '2016-12-31T23:59:60+08:00', '2026-11-15T10:00:61Z', '2016-12-31T23:59:61Z'],
    ...['2026-11-15T10:00:00', '2026-11-15T10:00:00 08:00', '2026-11-15 10:00:00Z', '2026-11-15T10:00Z'],
    ...['2026-11-15T10:00:00.Z', '2026-11-15T10:00:00,5Z', '2026-11-15T10:00:00+24:00', '2026-11-15'],
    ...[
      '2026-11-15T10:00:00+08:60',
      '2026-11-15T10:00:00+8:00',
      '2026-11-15T10:00:00+080',
      '20261115T100000Z',
    ],
    ...['2026-11-15T10:00:00+08:00:00', '2026-11-15T10:00:00+08:', '2026-11-15T10:00:00Z+08:00', ''],
    ...['0001-01-01T00:00:00+00:01', '0000-12-31T23:59:00-00:01', '9999-12-31T23:59:59-00:01'],
    ...['+010000-01-01T00:00:00Z', '9999-12-31T23:59:60Z', '2026-11-15T10:00:00Z\n', ' 2026-11-15T10:00:00Z'],
    ...[`2026-11-15T10:00:00.${'0'.repeat(60)}Z`],
  ])('%j is none', (text) => {
    expect(toUtcInstant(text)).toBeNull();
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

  it.each([
    ['Asia/Kolkata', '2026-11-15T18:29:59.999Z', '2026-11-15', '2026-11-16'],
    ['Asia/Kathmandu', '2026-11-15T18:14:59.999Z', '2026-11-15', '2026-11-16'],
    ['America/St_Johns', '2026-11-16T03:29:59.999Z', '2026-11-15', '2026-11-16'],
  ])(
    '%s: the day changes at local midnight, within an hour of UTC already asked for',
    (zone, last, day, next) => {
      const end = new Date(last).getTime();
      for (const [ms, expected] of [
        [end - 600_000, day],
        [end, day],
        [end + 1, next],
        [end + 600_000, next],
        [end, day],
      ] as const)
        expect([ms - end, dayIn(zone, new Date(ms))]).toEqual([ms - end, expected]);
    },
  );

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
