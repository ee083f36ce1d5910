import { describe, expect, it } from 'vitest';
import { batched } from './batcher.js';

/** A query that returns only when the test says so. */
function heldQuery() {
  const batches: (readonly number[])[] = [];
  const waiting: ((outcome: 'answer' | Error) => void)[] = [];
  const run = (keys: readonly number[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push(keys);
      waiting.push((outcome) =>
        outcome === 'answer' ? resolve(keys.map((key) => `v${key}`)) : reject(outcome),
      );
    });
  return { batches, run, next: (outcome: 'answer' | Error = 'answer') => waiting.shift()?.(outcome) };
}

/** By then what was asked for in this turn of the event loop has been sent. */
const nextTurn = () => new Promise(setImmediate);

describe('gathering calls into queries', () => {
  it('a call on an idle server is sent in the same turn of the event loop', async () => {
    const query = heldQuery();
    const read = batched(query.run, { keysMax: 10, inFlightMax: 1 });
    const first = read(1);
    await nextTurn();
    expect(query.batches).toEqual([[1]]);
    query.next();
    expect(await first).toBe('v1');
  });

  it('calls that arrive meanwhile share the next query, and each gets its own value', async () => {
    const query = heldQuery();
    const read = batched(query.run, { keysMax: 10, inFlightMax: 1 });
    const calls = [read(1)];
    await nextTurn();
    calls.push(...[2, 3, 3].map(read));
    await nextTurn();
    expect(query.batches).toEqual([[1]]);
    query.next();
    await calls[0];
    await expect.poll(() => query.batches).toEqual([[1], [2, 3, 3]]);
    query.next();
    expect(await Promise.all(calls)).toEqual(['v1', 'v2', 'v3', 'v3']);
  });

  it('calls of one turn share a query, though another could be under way', async () => {
    const query = heldQuery();
    const read = batched(query.run, { keysMax: 10, inFlightMax: 2 });
    const calls = [1, 2, 3].map(read);
    await nextTurn();
    expect(query.batches).toEqual([[1, 2, 3]]);
    query.next();
    await Promise.all(calls);
  });

  it('what one query has no room for goes into the next at once', async () => {
    const query = heldQuery();
    const read = batched(query.run, { keysMax: 2, inFlightMax: 2 });
    const calls = [1, 2, 3].map(read);
    await expect.poll(() => query.batches).toEqual([[1, 2], [3]]);
    query.next();
    query.next();
    await Promise.all(calls);
  });

  it('no query takes more keys than allowed, and none is left behind', async () => {
    const sizes: number[] = [];
    const read = batched<number, number>(
      async (keys) => {
        sizes.push(keys.length);
        return keys.map((key) => key * 2);
      },
      { keysMax: 10, inFlightMax: 2 },
    );
    const keys = Array.from({ length: 95 }, (_, i) => i);
    expect(await Promise.all(keys.map(read))).toEqual(keys.map((key) => key * 2));
    expect(Math.max(...sizes)).toBe(10);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(95);
  });

  it('no more queries are under way at once than allowed', async () => {
    const query = heldQuery();
    const read = batched(query.run, { keysMax: 10, inFlightMax: 2 });
    const calls: Promise<string>[] = [];
    for (const key of [1, 2, 3, 4]) {
      calls.push(read(key));
      await nextTurn();
    }
    expect(query.batches).toEqual([[1], [2]]);
    query.next();
    await calls[0];
    await expect.poll(() => query.batches).toEqual([[1], [2], [3, 4]]);
    query.next();
    query.next();
    await Promise.all(calls);
  });

  it('a query that fails fails its own calls and no others', async () => {
    const query = heldQuery();
    const read = batched(query.run, { keysMax: 10, inFlightMax: 1 });
    const answerOf = (key: number) => read(key).catch((error: Error) => error.message);
    const first = answerOf(1);
    await nextTurn();
    const others = [2, 3].map(answerOf);
    query.next(new Error('away'));
    expect(await first).toBe('away');
    await expect.poll(() => query.batches.length).toBe(2);
    query.next();
    expect(await Promise.all(others)).toEqual(['v2', 'v3']);
  });
});
