const DAY_MS = 86_400_000;

/** The day here, as the service writes days. */
function today(now = new Date()): string {
  const month = String(now.getMonth() + 1).padStart(2, '0');
  return `${now.getFullYear()}-${month}-${String(now.getDate()).padStart(2, '0')}`;
}

/** Negative: the day is over. */
export const daysUntil = (day: string): number =>
  Math.round((Date.parse(day) - Date.parse(today())) / DAY_MS);
