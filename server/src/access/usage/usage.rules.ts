import { refuseAccess } from '../access.errors.js';
import type { UsageStep } from './usage.js';

const DAY_MS = 86_400_000;
const LONGEST_MS: Readonly<Record<UsageStep, number>> = { hour: 31 * DAY_MS, day: 92 * DAY_MS };
const USUAL_MS: Readonly<Record<UsageStep, number>> = { hour: DAY_MS, day: 30 * DAY_MS };

/** What was asked for, or what led up to now. */
export function spanOf(
  asked: { from?: string | undefined; to?: string | undefined; step?: UsageStep | undefined },
  now: Date,
): { from: Date; to: Date; step: UsageStep } {
  const { step = 'hour' } = asked;
  const to = asked.to === undefined ? now : new Date(asked.to);
  const from = asked.from === undefined ? new Date(to.getTime() - USUAL_MS[step]) : new Date(asked.from);
  const lengthMs = to.getTime() - from.getTime();
  if (lengthMs <= 0) throw refuseAccess('span_reversed', 'from');
  if (lengthMs > LONGEST_MS[step]) throw refuseAccess('span_too_long', 'from');
  return { from, to, step };
}
