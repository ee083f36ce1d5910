/** Calendar days as `YYYY-MM-DD` text, and their relation to instants and time zones. */

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-CA', { timeZone });
    return true;
  } catch {
    return false;
  }
}

const lastAnswer = new Map<string, { minute: number; day: string }>();

/** The calendar day at `instant` in an IANA time zone. */
export function dayIn(timeZone: string, instant: Date): string {
  // Offsets change on whole minutes, so a result is cached per minute: formatting is expensive on the hot path.
  const minute = Math.floor(instant.getTime() / 60_000);
  const last = lastAnswer.get(timeZone);
  if (last && last.minute === minute) return last.day;
  const day = formatterOf(timeZone).format(instant);
  lastAnswer.set(timeZone, { minute, day });
  return day;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

export function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  // Year 0 exists in ISO 8601 but not in PostgreSQL.
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day <= days;
}

export function addDays(day: string, days: number): string {
  const instant = new Date(`${day}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10);
}

/** The same calendar day a year earlier; 28 February for 29 February. */
export function yearBefore(day: string): string {
  const earlier = `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}${day.slice(4)}`;
  return isCalendarDate(earlier) ? earlier : earlier.replace('-02-29', '-02-28');
}

/** A number that increases from day to day: 20261115. */
export const dayNumber = (day: string): number => Number(day.replaceAll('-', ''));

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+\-\u2212])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;
const INSTANT_LENGTH_MAX = 64;
const MINUTE_MS = 60_000;

/**
 * Reads an RFC 3339 date-time, also with the shorter offsets of ISO 8601 (`+0800`, `+08`), and returns it in the canonical
 * form that is stored, compared and hashed: UTC to the millisecond, as `Date.toISOString` writes it. Returns null for anything
 * else. Digits beyond the millisecond are truncated. A leap second becomes the first instant of the next minute, as in POSIX.
 */
export function toUtcInstant(text: string): string | null {
  if (text.length > INSTANT_LENGTH_MAX) return null;
  const match = INSTANT.exec(text);
  if (!match) return null;
  const [, day = '', hour, minute, second, fraction = '', sign, offsetHours = 0, offsetMinutes = 0] = match;
  if (!isCalendarDate(day)) return null;
  // Most instants already have this form, and formatting costs more than parsing.
  if (sign === undefined && second !== '60' && fraction.length === 3 && text === text.toUpperCase())
    return text;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS * (sign === '+' ? 1 : -1);
  const wholeMinute = Date.parse(`${day}T${hour}:${minute}:00Z`) - offset;
  if (second === '60' && !isMonthEnd(wholeMinute)) return null;
  const ms = wholeMinute + Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  const utc = new Date(ms).toISOString();
  return isCalendarDate(utc.slice(0, 10)) ? utc : null;
}

/** Leap seconds are inserted only in the last minute of a month in UTC. */
const isMonthEnd = (ms: number): boolean => {
  const next = new Date(ms + MINUTE_MS);
  return next.getUTCDate() === 1 && next.getUTCHours() === 0 && next.getUTCMinutes() === 0;
};

/** The last instant of a calendar day in a time zone: the moment before the next day begins there. */
export function endOfDayIn(timeZone: string, day: string): Date {
  // The next local midnight is within 14 hours of the same midnight in UTC: a binary search finds it.
  const utcMidnight = Date.parse(`${day}T00:00:00Z`) + 86_400_000;
  let before = utcMidnight - 26 * 3_600_000;
  let after = utcMidnight + 26 * 3_600_000;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const there = formatterOf(timeZone).format(new Date(middle));
    // A longer text has a year after 9999.
    if (there.length > day.length || there > day) after = middle;
    else before = middle;
  }
  return new Date(before);
}
