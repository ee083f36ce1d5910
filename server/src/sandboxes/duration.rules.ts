import { addDays, isCalendarDate } from '../platform/calendar/index.js';

/** The most that one call advances a clock: a year, with its leap day. */
export const ADVANCE_DAYS_MAX = 366;

// Whole days only. Weeks cannot be combined with other units, as in ISO 8601.
const DURATION = /^P(?:(\d{1,4})W|(?=\d)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})D)?)$/;

/**
 * The number of days that an ISO 8601 duration such as `P30D`, `P2W`, `P1M` or `P1Y` covers from this day; null for anything
 * else.
 */
export function daysOf(duration: string, from: string): number | null {
  const match = DURATION.exec(duration);
  if (!match) return null;
  const [, weeks, years = 0, months = 0, days = 0] = match;
  if (weeks !== undefined) return Number(weeks) * 7;
  return daysBetween(from, addMonths(from, Number(years) * 12 + Number(months))) + Number(days);
}

/** The same day of a later month, or that month's last day. */
function addMonths(day: string, months: number): string {
  const count = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  const month = `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`;
  const wanted = Number(day.slice(8));
  for (let last = wanted; last > 28; last--) {
    const found = `${month}-${String(last)}`;
    if (isCalendarDate(found)) return found;
  }
  return `${month}-${String(Math.min(wanted, 28)).padStart(2, '0')}`;
}

const DAY_MS = 86_400_000;
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The days after this one, in order. */
export const daysAfter = (day: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => addDays(day, i + 1));
