import { describe, expect, it } from 'vitest';
import { gathered } from './gatherer.js';

/** Runs that end when the test says so. */
function held() {
  const batches: { keys: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const run = (keys: readonly number[]) =>
    new Promise<readonly number[]>((resolve, reject) => {
      batches.push({ keys, end: () => resolve(keys.map((key) => key * 10)), fail: reject });
    });
  const sizes = () => batches.map((batch) => batch.keys.length);
  return { batches, run, sizes };
}
const soon = { timeout: 2_000, interval: 1 };
const PATIENT = { keysMax: 64, waitMs: 60_000, inFlightMax: () => 1 };

describe('gathered calls', () => {
  it('a single caller never waits, however often it comes', async () => {
    const { batches, run } = held();
    const call = gathered(run, PATIENT);
    for (let n = 0; n < 5; n++) {
      const answer = call(n);
      expect(batches).toHaveLength(n + 1);
      batches[n]?.end();
      expect(await answer).toBe(n * 10);
    }
  });

  it('callers that come back are waited for until as many are there as usual', async () => {
    const { batches, run, sizes } = held();
    const call = gathered(run, PATIENT);
    const [first, ...others] = [1, 2, 3, 4].map(call);
    batches[0]?.end();
    expect(await first).toBe(10);
    expect(sizes()).toEqual([1]);
    const back = call(5);
    expect(sizes()).toEqual([1, 4]);
    batches[1]?.end();
    expect(await Promise.all([...others, back])).toEqual([20, 30, 40, 50]);
    const again = [6, 7, 8].map(call);
    expect(sizes()).toEqual([1, 4]);
    again.push(call(9));
    expect(sizes()).toEqual([1, 4, 4]);
    batches[2]?.end();
    expect(await Promise.all(again)).toEqual([60, 70, 80, 90]);
  });

  it('that arrive while the process is busy go with those that have waited for too long meanwhile', async () => {
    const { batches, run, sizes } = held();
    const call = gathered(run, { ...PATIENT, waitMs: 1 });
    const many = [1, 2, 3, 4].map(call);
    batches[0]?.end();
    await expect.poll(sizes, soon).toEqual([1, 3]);
    batches[1]?.end();
    await Promise.all(many);
    const pair = await new Promise<Promise<number>[]>((resolve) => {
      // Before the timers of the next turn, whose input comes after them.
      setImmediate(() => {
        const early = call(5);
        setImmediate(() => resolve([early, call(6)]));
        const until = performance.now() + 5;
        while (performance.now() < until);
      });
    });
    await expect.poll(sizes, soon).toEqual([1, 3, 2]);
    batches[2]?.end();
    expect(await Promise.all(pair)).toEqual([50, 60]);
  });

  it('are not waited for longer than a moment when they stay away', async () => {
    const { batches, run, sizes } = held();
    const call = gathered(run, { ...PATIENT, waitMs: 1 });
    const many = [1, 2, 3, 4].map(call);
    batches[0]?.end();
    await expect.poll(sizes, soon).toEqual([1, 3]);
    batches[1]?.end();
    await Promise.all(many);
    const alone = call(5);
    await expect.poll(sizes, soon).toEqual([1, 3, 1]);
    batches[2]?.end();
    expect(await alone).toBe(50);
  });

  it('no more go together, and no more batches at once, than allowed', async () => {
    const { batches, run, sizes } = held();
    const call = gathered(run, { keysMax: 2, waitMs: 1, inFlightMax: () => 2 });
    const answers = [1, 2, 3, 4, 5, 6].map(call);
    expect(sizes()).toEqual([1, 1]);
    for (let n = 0; n < 4; n++) {
      await expect.poll(() => batches.length, soon).toBeGreaterThan(n);
      batches[n]?.end();
    }
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(Math.max(...sizes())).toBe(2);
  });

  it('a batch that fails fails its own callers only', async () => {
    const { batches, run, sizes } = held();
    const call = gathered(run, { ...PATIENT, waitMs: 1 });
    const [bad, ...good] = [1, 2, 3].map((key) => call(key).catch((error: Error) => error.message));
    batches[0]?.fail(new Error('broken'));
    expect(await bad).toBe('broken');
    await expect.poll(sizes, soon).toEqual([1, 2]);
    batches[1]?.end();
    expect(await Promise.all(good)).toEqual([20, 30]);
  });

  it('are answered in parts, between which the process reads what has arrived', async () => {
    const call = gathered(
      (keys: readonly number[]) =>
        new Promise<readonly number[]>((resolve) => setImmediate(() => resolve(keys))),
      { ...PATIENT, waitMs: 1, answeredAtOnce: () => 2 },
    );
    let sinceTurn = 0;
    let longest = 0;
    const turn = () => {
      sinceTurn = 0;
      looking = setImmediate(turn);
    };
    let looking = setImmediate(turn);
    const calls = Array.from({ length: 20 }, async (_, key) => {
      expect(await call(key)).toBe(key);
      longest = Math.max(longest, ++sinceTurn);
    });
    await Promise.all(calls);
    clearImmediate(looking);
    expect(longest).toBe(2);
  });
});
