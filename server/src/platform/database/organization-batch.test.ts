import { expect, it } from 'vitest';
import { batchedByOrganization } from './organization-batch.js';
import { Pool } from './pool.js';

interface Key {
  orgId: string;
  n: number;
}

/** No connection is opened: what is read is decided here. */
const poolOf = (isDistributed: boolean) =>
  new Pool('postgres://nobody@127.0.0.1:1/none', 'batches', {}, { isDistributed });

/** Calls of four organizations in turns, as they come from many clients at once. */
const calls = Array.from({ length: 40 }, (_, n): Key => ({ orgId: `org_${n % 4}`, n }));

async function batchesOf(isDistributed: boolean): Promise<Key[][]> {
  const batches: Key[][] = [];
  const read = batchedByOrganization<Key, number>(
    poolOf(isDistributed),
    async (keys) => {
      batches.push([...keys]);
      return keys.map(({ n }) => n * 10);
    },
    { keysMax: 24, inFlightMax: 2 },
  );
  expect(await Promise.all(calls.map(read))).toEqual(calls.map(({ n }) => n * 10));
  return batches;
}

it('one database answers the calls of all organizations together', async () => {
  const batches = await batchesOf(false);
  expect(batches.map((keys) => keys.length)).toEqual([24, 16]);
});

it('a cluster answers each organization by itself, and those who wait for it together', async () => {
  const batches = await batchesOf(true);
  for (const keys of batches) expect(new Set(keys.map(({ orgId }) => orgId)).size).toBe(1);
  expect(batches.map((keys) => keys.length)).toEqual([1, 1, 1, 1, 9, 9, 9, 9]);
});
