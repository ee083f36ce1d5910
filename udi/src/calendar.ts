/** Converts the dates of codes to YYYY-MM-DD. Callers pass digits only. */

const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** Undefined when there is no such day. */
function calendarDay(year: number, month: number, day: number): string | undefined {
  if (year < 1000 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

function lastDayOfMonth(year: number, month: number): string | undefined {
  return calendarDay(year, month, month >= 1 && month <= 12 ? daysInMonth(year, month) : 0);
}

/** The year of a YYYY-MM-DD that names a day of the calendar. */
export function yearOf(day: string): number | undefined {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-');
  return calendarDay(Number(year), Number(month), Number(dayOfMonth)) === day ? Number(year) : undefined;
}

/** GS1's rule: the century that puts two digits at most 50 years ahead of this year and 49 behind it. */
export function fullYear(twoDigits: number, thisYear: number): number {
  const century = thisYear - (thisYear % 100);
  const ahead = twoDigits - (thisYear % 100);
  if (ahead >= 51) return century - 100 + twoDigits;
  if (ahead <= -50) return century + 100 + twoDigits;
  return century + twoDigits;
}

const number = (text: string, from: number, to: number): number => Number(text.slice(from, to));

/** YYMMDD, where day 00 means the last day of the month. */
export function fromYymmdd(text: string, thisYear: number): string | undefined {
  const year = fullYear(number(text, 0, 2), thisYear);
  const month = number(text, 2, 4);
  const day = number(text, 4, 6);
  return day === 0 ? lastDayOfMonth(year, month) : calendarDay(year, month, day);
}

/** MMDDYY, as HIBC writes it. */
export function fromMmddyy(text: string, thisYear: number): string | undefined {
  return calendarDay(fullYear(number(text, 4, 6), thisYear), number(text, 0, 2), number(text, 2, 4));
}

/** MMYY: the last day of the month. */
export function fromMmyy(text: string, thisYear: number): string | undefined {
  return lastDayOfMonth(fullYear(number(text, 2, 4), thisYear), number(text, 0, 2));
}

/** YYYYMMDD. */
export function fromYyyymmdd(text: string): string | undefined {
  return calendarDay(number(text, 0, 4), number(text, 4, 6), number(text, 6, 8));
}

/** The day with this number in the year, from 1. */
export function fromDayOfYear(year: number, dayOfYear: number): string | undefined {
  const isLeap = daysInMonth(year, 2) === 29;
  if (dayOfYear < 1 || dayOfYear > (isLeap ? 366 : 365)) return undefined;
  return new Date(Date.UTC(year, 0, dayOfYear)).toISOString().slice(0, 10);
}

/** The number of a YYYY-MM-DD within its year, from 1. */
export function dayOfYear(day: string): number {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  return (Date.UTC(year, month - 1, dayOfMonth) - Date.UTC(year, 0, 0)) / 86_400_000;
}

/** Whether two digits are an hour. */
export const isHour = (text: string): boolean => Number(text) <= 23;
/** Whether four digits are a time, hhmm. */
export const isTime = (text: string): boolean =>
  Number(text.slice(0, 2)) <= 23 && Number(text.slice(2)) <= 59;
