/** What is known of the days an organization has been through. */
export interface RunMark {
  /** The last day worked through when it was that day, and when that was last done. */
  day: string | null;
  ranAt: Date | null;
  /** The last day that was worked through before it came. */
  aheadTo: string | null;
}

/** What was being written while the day turned is seen by the next run of the same day. */
export const RUN_AGAIN_MS = 3_600_000;

/** Has the calendar turned since the last run, or was it long ago? A run noted in the future had a wrong clock: it counts as none. */
export const isDue = ({ day, ranAt }: RunMark, today: string, now: Date): boolean =>
  day === null || ranAt === null || day < today || Math.abs(now.getTime() - ranAt.getTime()) >= RUN_AGAIN_MS;

/** Runs noted after this instant had a wrong clock: their day is replaced, not kept as the latest. */
export const wronglyDatedAfter = (now: Date): Date => new Date(now.getTime() + RUN_AGAIN_MS);

/**
 * From which day on something may have expired without having been announced: nobody was there since the last real run.
 * A day that is still to come has no outage before it, because the days up to it will run.
 */
export function unwatchedSince({ day }: RunMark, today: string, now: string): string {
  if (today > now || day === null) return today;
  return day < today ? day : today;
}

/** From which day on things may not have been told yet. The first run begins with the day it is. */
export function sinceOf({ day, aheadTo }: RunMark, today: string): string {
  const past = [day, aheadTo].filter((each): each is string => each !== null && each <= today).sort();
  return past.at(-1) ?? today;
}
