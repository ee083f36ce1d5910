const DAY = /^(\d{4})\s?[-/.年]?\s?(\d{1,2})\s?[-/.月]?\s?(\d{1,2})\s?日?$/;
const TIME = /^(\d{1,2})\s?[:：.时]\s?(\d{2})\s?分?$/;
const MINUTES_OF_HOUR = 60;
const HOURS_OF_DAY = 24;

/**
 * A typed day in the service's format: `2026/3/5`, `20260305` and `2026年3月5日` become `2026-03-05`. Null if it is not a day.
 */
export function readDay(typed: string): string | null {
  const [, year = '', month = '', day = ''] = DAY.exec(typed.normalize('NFKC').trim()) ?? [];
  if (year === '' || /^\d{5,7}$/.test(typed.trim())) return null;
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const ms = Date.parse(`${text}T00:00Z`);
  // A day that its month does not have would become a day of the next.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? null : text;
}

/** A day and a time: `2026-03-05 13:05`. A day alone begins at midnight. */
export function readDayTime(typed: string): string | null {
  const text = typed.normalize('NFKC').trim();
  const at = text.search(/[\sT]+\d{1,2}\s?[:：.时]/);
  const day = readDay(at === -1 ? text : text.slice(0, at));
  if (day === null) return null;
  if (at === -1) return `${day} 00:00`;
  const [, hour = '', minute = ''] = TIME.exec(text.slice(at).replace(/^[\sT]+/, '')) ?? [];
  if (hour === '' || Number(hour) >= HOURS_OF_DAY || Number(minute) >= MINUTES_OF_HOUR) return null;
  return `${day} ${hour.padStart(2, '0')}:${minute}`;
}
