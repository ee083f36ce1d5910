import { shownZone } from '../app/zone.js';

/** Milliseconds by which the clocks of a zone are ahead of UTC at an instant. */
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

/** An instant as the clocks of the shown zone have it: `2026-11-15 13:05`. */
export function localInput(at: string | number, timeZone = shownZone()): string {
  const ms = new Date(at).getTime();
  return new Date(ms + aheadMs(ms, timeZone)).toISOString().slice(0, 16).replace('T', ' ');
}

/** The instant that was entered, as the service has them. A time that clocks skip is taken as if they had not. */
export function instantOf(input: string, timeZone = shownZone()): string {
  const clock = Date.parse(`${input.replace(' ', 'T')}Z`);
  const near = clock - aheadMs(clock, timeZone);
  return new Date(clock - aheadMs(near, timeZone)).toISOString();
}
