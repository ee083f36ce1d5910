import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';
import { openPools, openPostgresProxy } from '../../../test/http/postgres-proxy.js';
import { runAsLeader } from './index.js';

describe('what only one process does at a time', () => {
  let db: TestDatabase;
  const doing: string[] = [];
  const open: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterEach(async () => {
    for (const turns of open.splice(0)) await turns.stop();
    doing.length = 0;
  });
  afterAll(() => db.close());

  const join = (name: string, leaseMs: number, begin = async () => {}, pool = db.database.worker) => {
    const turns = runAsLeader({
      pool,
      name: 'something',
      leaseMs,
      onError: () => {},
      begin: async () => {
        await begin();
        doing.push(name);
        return async () => {
          doing.splice(doing.indexOf(name), 1);
        };
      },
    });
    open.push(turns);
    return turns;
  };
  const becomes = (...names: string[]) => expect.poll(() => [...doing], { timeout: 60_000 }).toEqual(names);

  it('is done by the one who holds the lease, and at once by another when that one stops', async () => {
    const first = join('first', 60_000);
    await becomes('first');
    const second = join('second', 150);
    const third = join('third', 150);
    await first.stop();
    await expect.poll(() => doing.length).toBe(1);
    expect(['second', 'third']).toContain(doing[0]);
    await Promise.all([second.stop(), third.stop()]);
    expect(doing).toEqual([]);
  });

  it('is taken over from a process that died when its lease has run out, and stopped by one that lost it', async () => {
    join('first', 150);
    await becomes('first');
    const other = (until: string) =>
      db.sql(`update leases set holder = 'somebody else', held_until = now() + interval '${until}'`);
    await other('1 hour');
    await becomes();
    await other('-1 second');
    await becomes('first');
  });

  it('is stopped by one that has not reached the database for as long as its lease lasts', async () => {
    const proxy = await openPostgresProxy(db.url);
    const cutOff = await openPools(proxy.url, db.clock, { worker: { silenceMs: 2_000 } });
    const turns = join('cut off', 600, undefined, cutOff.worker);
    await becomes('cut off');
    await proxy.cut();
    await becomes();
    await proxy.restore();
    await becomes('cut off');
    await turns.stop();
    await cutOff.close();
    await proxy.close();
  });

  it('is tried again when it could not be begun', async () => {
    let tries = 0;
    join('stubborn', 60, async () => {
      if (++tries < 3) throw new Error('not yet');
    });
    await becomes('stubborn');
    expect(tries).toBe(3);
  });
});
