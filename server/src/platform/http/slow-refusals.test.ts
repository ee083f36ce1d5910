import { afterEach, expect, it, vi } from 'vitest';
import { SlowRefusals } from './slow-refusals.js';

afterEach(() => vi.restoreAllMocks());

it('a caller that goes on after ten refusals in a second gets the next ones later, up to a second', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(5_000);
  const refusals = new SlowRefusals();
  const delays = Array.from({ length: 100 }, () => refusals.delayMsOf('192.0.2.1'));
  expect(delays.slice(0, 10)).toEqual(Array(10).fill(0));
  expect(delays.slice(10, 13)).toEqual([20, 40, 60]);
  expect(delays.at(-1)).toBe(1_000);
  expect(refusals.delayMsOf('192.0.2.2')).toBe(0);
  clock.mockReturnValue(6_000);
  expect(refusals.delayMsOf('192.0.2.1')).toBe(0);
});
