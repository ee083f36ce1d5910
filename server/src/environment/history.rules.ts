import { refuseEnvironment } from './environment.errors.js';

const DAY_MS = 86_400_000;

/** The requested span, by default the last day, and the length of each of its equal `parts`. */
export function spanOf(
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
  parts: number,
): { from: Date; to: Date; widthMs: number } {
  const to = asked.to === undefined ? now : new Date(asked.to);
  const from = asked.from === undefined ? new Date(to.getTime() - DAY_MS) : new Date(asked.from);
  const lengthMs = to.getTime() - from.getTime();
  if (lengthMs <= 0) throw refuseEnvironment('span_reversed', 'from');
  return { from, to, widthMs: Math.ceil(lengthMs / parts) };
}
