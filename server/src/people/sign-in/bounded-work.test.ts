import { expect, it } from 'vitest';
import { Unavailable } from '../../platform/errors/index.js';
import { boundedWork } from './bounded-work.js';

it('runs two at once, queues three, and asks the next to retry later', async () => {
  const run = boundedWork({ atOnce: 2, waitingMax: 3, waitingPerCallerMax: 3 });
  const ends: (() => void)[] = [];
  let [running, most] = [0, 0];
  const work = () =>
    run('a', async () => {
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
  await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await run('a', async () => 'free again')).toBe('free again');
});

it('callers take turns, and one that fills its queue takes no place from another', async () => {
  const run = boundedWork({ atOnce: 1, waitingMax: 100, waitingPerCallerMax: 2 });
  const order: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const work = (caller: string, name: string) =>
    run(caller, async () => {
      await gate;
      order.push(name);
    });
  const noisy = Array.from({ length: 20 }, (_, n) => work('noisy', `noisy ${n}`));
  const outcomes = Promise.allSettled(noisy);
  const quiet = [work('quiet', 'quiet'), work('other', 'other')];
  open();
  await Promise.all(quiet);
  expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(17);
  expect(order).toEqual(['noisy 0', 'noisy 1', 'quiet', 'other', 'noisy 2']);
});
