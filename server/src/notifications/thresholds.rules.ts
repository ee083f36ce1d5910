/** Days before the expiry of a certificate at which it is notified about, largest first. */
export const THRESHOLDS_DAYS = [30, 15, 7] as const;

export type Threshold = (typeof THRESHOLDS_DAYS)[number];

export const FIRST_THRESHOLD_DAYS = THRESHOLDS_DAYS[0];

/**
 * The nearest threshold reached, which is the one to notify about, and those before it, which are handled with it
 * whether or not they were notified about. Null while none is reached.
 */
export function dueThreshold(daysRemaining: number): { threshold: Threshold; before: Threshold[] } | null {
  const reached = THRESHOLDS_DAYS.filter((threshold) => daysRemaining <= threshold);
  const threshold = reached.at(-1);
  return threshold === undefined ? null : { threshold, before: reached.slice(0, -1) };
}
