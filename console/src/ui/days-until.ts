const DAY_MS = 86_400_000;

/** Today by the browser's clock, in the service's format. */
function today(now = new Date()): string {
  const month = String(now.getMonth() + 1).padStart(2, '0');
  return `${now.getFullYear()}-${month}-${String(now.getDate()).padStart(2, '0')}`;
}

/** Negative if the day is over. */
export const daysUntil = (day: string): number =>
  Math.round((Date.parse(day) - Date.parse(today())) / DAY_MS);
