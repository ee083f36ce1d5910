import { expect, it, vi } from 'vitest';
import { LockedRecords } from './locked-records.js';

it('a locked record is remembered for ten seconds since the last failure, or until a call succeeds', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const locked = new LockedRecords();
  expect(locked.hasAny(['a'])).toBe(false);
  locked.add(['a', 'b']);
  clock.mockReturnValue(9_000);
  expect([locked.hasAny(['c', 'a']), locked.hasAny(['c']), locked.hasAny([])]).toEqual([true, false, false]);
  locked.add(['a']);
  clock.mockReturnValue(10_000);
  expect([locked.hasAny(['a']), locked.hasAny(['b'])]).toEqual([true, false]);
  locked.remove(['a']);
  expect(locked.hasAny(['a'])).toBe(false);
  clock.mockRestore();
});

it('however many records are locked, the oldest are forgotten', () => {
  const locked = new LockedRecords();
  for (let n = 0; n < 10_100; n++) locked.add([`record ${n}`]);
  expect([locked.hasAny(['record 0']), locked.hasAny(['record 10099'])]).toEqual([false, true]);
});
