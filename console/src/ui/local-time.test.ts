import { describe, expect, it } from 'vitest';
import { instantOf, localInput } from './local-time.js';

describe('a time that is entered is of the zone that is shown', () => {
  it.each([
    ['2026-11-15 13:05', 'Asia/Shanghai', '2026-11-15T05:05:00.000Z'],
    ['2026-11-15 00:30', 'Asia/Kolkata', '2026-11-14T19:00:00.000Z'],
    ['2026-07-01 12:00', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
    ['2026-01-01 12:00', 'Europe/Berlin', '2026-01-01T11:00:00.000Z'],
    // The night on which clocks go forward at two.
    ['2026-03-29 01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29 03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ])('%s in %s', (input, zone, instant) => {
    expect(instantOf(input, zone)).toBe(instant);
    expect(localInput(instant, zone)).toBe(input);
  });
});
