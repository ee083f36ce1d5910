/** The days that an organization's runs have covered. */
export interface RunMark {
  /** The last day that was run on that day itself, and when it last ran. */
  day: string | null;
  ranAt: Date | null;
  /** The last day that was run before it began. */
  aheadTo: string | null;
}

/** A day runs again every hour: the next run sees data that was being written during the previous one. */
export const RUN_AGAIN_MS = 3_600_000;

/** Due on a new day, or long after the last run. A run recorded in the future had a wrong clock and does not count. */
export const isDue = ({ day, ranAt }: RunMark, today: string, now: Date): boolean =>
  day === null || ranAt === null || day < today || Math.abs(now.getTime() - ranAt.getTime()) >= RUN_AGAIN_MS;

/** Runs recorded after this instant had a wrong clock: their day is replaced, not kept as the latest. */
export const wronglyDatedAfter = (now: Date): Date => new Date(now.getTime() + RUN_AGAIN_MS);

/**
 * The first day on which something may have expired without a notification, because no worker has run since. A future day
 * has no outage before it: the days up to it will run.
 */
export function unattendedSince({ day }: RunMark, today: string, now: string): string {
  if (today > now || day === null) return today;
  return day < today ? day : today;
}

/** The first day whose expired stock may not have been checked yet. The first run begins with its own day. */
export function lowStockSince({ day, aheadTo }: RunMark, today: string): string {
  const past = [day, aheadTo].filter((each): each is string => each !== null && each <= today).sort();
  return past.at(-1) ?? today;
}
