import { expect, it } from 'vitest';
import { batched } from './batcher.js';
import { gathered } from './gatherer.js';

const CALLS = 30;
const run = (keys: readonly number[]) =>
  new Promise<readonly number[]>((resolve) => setImmediate(() => resolve(keys)));
const callers = {
  reads: batched(run, { keysMax: CALLS, inFlightMax: 1 }),
  writes: gathered(run, { keysMax: CALLS, waitMs: 1, inFlightMax: () => 1 }),
};

it.each([
  ['reads', 4],
  ['writes', 2],
] as const)(
  'the process looks for what has arrived after every few answers to a batch: %s',
  async (kind, most) => {
    let sinceTurn = 0;
    let longest = 0;
    const turn = () => {
      sinceTurn = 0;
      looking = setImmediate(turn);
    };
    let looking = setImmediate(turn);
    const calls = Array.from({ length: CALLS }, async (_, key) => {
      expect(await callers[kind](key)).toBe(key);
      longest = Math.max(longest, ++sinceTurn);
    });
    await Promise.all(calls);
    clearImmediate(looking);
    expect(longest).toBe(most);
  },
);
