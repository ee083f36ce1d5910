import { refuseCredential } from '../credential.errors.js';
import type { UsageStep } from './usage.js';

const DAY_MS = 86_400_000;
const SPAN_MAX_MS: Readonly<Record<UsageStep, number>> = { hour: 31 * DAY_MS, day: 92 * DAY_MS };
const SPAN_DEFAULT_MS: Readonly<Record<UsageStep, number>> = { hour: DAY_MS, day: 30 * DAY_MS };

/** The span asked for; by default it ends now. */
export function spanOf(
  asked: { from?: string | undefined; to?: string | undefined; step?: UsageStep | undefined },
  now: Date,
): { from: Date; to: Date; step: UsageStep } {
  const { step = 'hour' } = asked;
  const to = asked.to === undefined ? now : new Date(asked.to);
  const from =
    asked.from === undefined ? new Date(to.getTime() - SPAN_DEFAULT_MS[step]) : new Date(asked.from);
  const lengthMs = to.getTime() - from.getTime();
  if (lengthMs <= 0) throw refuseCredential('span_reversed', 'from');
  if (lengthMs > SPAN_MAX_MS[step]) throw refuseCredential('span_too_long', 'from');
  return { from, to, step };
}
