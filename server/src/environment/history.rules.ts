import { refuseEnvironment } from './environment.errors.js';

const DAY_MS = 86_400_000;

/** The span asked for, and how long each of so many equal parts of it is. */
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
