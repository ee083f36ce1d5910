import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';
import { statement } from './statement.js';
import { removeInBatches, sweepOrganizations } from './sweep.js';

/** A table of `rows` rows, and the sizes of the batches that were removed from it. */
function table(rows: number) {
  let left = rows;
  const batches: number[] = [];
  const removeBatch = async (rowsMax: number) => {
    const count = Math.min(left, rowsMax);
    left -= count;
    batches.push(count);
    return count;
  };
  return { batches, removeBatch, left: () => left };
}

describe('removing old rows', () => {
  it.each([0, 1, 9, 10, 11, 95])(
    'of %i rows leaves none, and takes no more than a batch at once',
    async (rows) => {
      const old = table(rows);
      expect(await removeInBatches(old.removeBatch, { rowsMax: 10 })).toBe(rows);
      expect(old.left()).toBe(0);
      expect(Math.max(0, ...old.batches)).toBeLessThanOrEqual(10);
    },
  );

  it('ends after the number of batches allowed, and is continued by the next sweep', async () => {
    const old = table(25);
    expect(await removeInBatches(old.removeBatch, { rowsMax: 10, batchesMax: 2 })).toBe(20);
    expect(await removeInBatches(old.removeBatch, { rowsMax: 10, batchesMax: 2 })).toBe(5);
  });

  it('ends after the batch under way when the service stops', async () => {
    const old = table(95);
    const stopping = new AbortController();
    const removeBatch = (rowsMax: number) => {
      stopping.abort();
      return old.removeBatch(rowsMax);
    };
    expect(await removeInBatches(removeBatch, { rowsMax: 10, signal: stopping.signal })).toBe(10);
    expect(old.left()).toBe(85);
  });
});

describe('a sweep over organizations', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterAll(() => db.close());

  const removeBatch = statement(`
    delete from idempotency_keys where org_id = $1 and key in (
      select key from idempotency_keys where org_id = $1 order by key limit $2) returning 1`);

  it('removes more than a batch of each, and nothing of the others', async () => {
    const orgIds: string[] = [];
    for (let i = 0; i < 3; i++) orgIds.push((await newOrganization(db)).organization.orgId);
    for (const orgId of orgIds)
      for (let i = 0; i < 5; i++)
        await db.sql(
          `insert into idempotency_keys (org_id, credential_id, key, request_hash, created_at)
           values ($1, 'key_x', $2, '\\x00', now())`,
          [orgId, `k${i}`],
        );
    const swept = orgIds.slice(0, 2);
    const removed = await sweepOrganizations(
      db.database,
      swept,
      async (tx, rowsMax) => (await tx.query(removeBatch, [tx.orgId, rowsMax])).length,
      { rowsMax: 2 },
    );
    expect(removed).toBe(10);
    const left = await db.sql<{ orgId: string }>('select org_id as "orgId" from idempotency_keys');
    expect(left.map(({ orgId }) => orgId)).toEqual(Array(5).fill(orgIds[2]));
  });
});
