import { shownZone } from '../app/zone.js';

/** The offset of a zone from UTC at an instant, in milliseconds. */
function aheadMs(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(ms);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const clock = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return clock - Math.floor(ms / 1_000) * 1_000;
}

/** An instant in the displayed zone: `2026-11-15 13:05`. */
export function localInput(at: string | number, timeZone = shownZone()): string {
  const ms = new Date(at).getTime();
  return new Date(ms + aheadMs(ms, timeZone)).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * The entered instant in the service's format. A time that a clock change skips is interpreted as if there were no change.
 */
export function instantOf(input: string, timeZone = shownZone()): string {
  const clock = Date.parse(`${input.replace(' ', 'T')}Z`);
  const near = clock - aheadMs(clock, timeZone);
  return new Date(clock - aheadMs(near, timeZone)).toISOString();
}
