import { expect, it } from 'vitest';
import { Unavailable } from '../../platform/errors/index.js';
import { boundedWork } from './bounded-work.js';

it('runs two at once, queues three, and asks the next to retry later', async () => {
  const run = boundedWork({ atOnce: 2, waitingMax: 3 });
  const ends: (() => void)[] = [];
  let [running, most] = [0, 0];
  const work = () =>
    run(async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((end) => ends.push(end));
      running -= 1;
    });
  const taken = Array.from({ length: 5 }, work);
  await expect(work()).rejects.toBeInstanceOf(Unavailable);
  for (let ended = 0; ended < 5; ended++) {
    await expect.poll(() => ends.length).toBeGreaterThan(ended);
    ends[ended]?.();
  }
  await Promise.all(taken);
  expect(most).toBe(2);
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await run(async () => 'free again')).toBe('free again');
});
