/** Days before expiry at which a certificate is announced, the farthest first. */
export const NOTICE_THRESHOLDS = [30, 15, 7] as const;

export type NoticeThreshold = (typeof NOTICE_THRESHOLDS)[number];

export const FIRST_NOTICE_DAYS = NOTICE_THRESHOLDS[0];

/**
 * What is due with so many days left: the nearest threshold reached is the one to be told; those reached before it are
 * done with, told or not. Null while none is reached.
 */
export function dueNotice(
  daysRemaining: number,
): { threshold: NoticeThreshold; before: NoticeThreshold[] } | null {
  const reached = NOTICE_THRESHOLDS.filter((threshold) => daysRemaining <= threshold);
  const threshold = reached.at(-1);
  return threshold === undefined ? null : { threshold, before: reached.slice(0, -1) };
}
