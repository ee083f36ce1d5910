import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';
import { ApiError, Unavailable } from '../errors/index.js';
import { systemPrincipal } from '../principal.js';
import { organizationRow } from './organization-row.js';
import { connectionLost } from './pool.js';
import { statement } from './statement.js';
import { type Tx, transact } from './transact.js';

let db: TestDatabase;
let principal: ReturnType<typeof systemPrincipal>;
beforeAll(async () => {
  db = await openTestDatabase();
  const { organization } = await newOrganization(db);
  principal = systemPrincipal(organization.orgId, 'somebody@test.example');
});
afterAll(() => db.close());

const work = <T>(run: (tx: Tx) => Promise<T>) => transact(db.database, principal, run);
const insert = statement(
  `insert into warehouses (org_id, code, name, created_at, updated_at) values ($1, $2, $2, $3, $3)`,
);
const put = (tx: Tx, code: string) => tx.query(insert, [tx.orgId, code, tx.now]);
const codes = async (prefix: string) =>
  (
    await db.sql<{ code: string }>('select code from warehouses where code like $1 order by code', [
      `${prefix}%`,
    ])
  ).map((row) => row.code);
const backend = statement('select pg_backend_pid() as pid');
const pidOf = async (tx: Tx) => (await tx.query<{ pid: number }>(backend, []))[0]?.pid;

const insertFor = statement(`
  insert into warehouses (org_id, code, name, created_at, updated_at)
  select g.org_id, u.code, u.code, $3::timestamptz, $3::timestamptz from ${organizationRow('g')}, unnest($2::text[]) as u(code)
  on conflict do nothing returning 1`);

describe('an insert for the organization of its transaction', () => {
  const insertOf = (orgId: string, wanted: readonly string[]) => (tx: Tx) =>
    tx.query(insertFor, [orgId, wanted, tx.now]);

  it('fails when the transaction does not see the organization', async () => {
    await expect(work(insertOf('org_of_nobody', ['lost-1']))).rejects.toThrow('organization');
    expect(await codes('lost-')).toEqual([]);
  });

  it('may add nothing when there is nothing to add', async () => {
    expect(await work(insertOf(principal.orgId, []))).toEqual([]);
    expect(await work(insertOf(principal.orgId, ['once-1']))).toHaveLength(1);
    expect(await work(insertOf(principal.orgId, ['once-1']))).toEqual([]);
  });
});

describe('a transaction', () => {
  it('is there as a whole, at one instant', async () => {
    const at = await work(async (tx) => {
      await put(tx, 'ok-1');
      await put(tx, 'ok-2');
      return tx.now;
    });
    expect(at).toEqual(db.clock.now());
    expect(await codes('ok-')).toEqual(['ok-1', 'ok-2']);
  });

  it('is not there at all when its work throws, and what it threw comes out unchanged', async () => {
    const refusal = new ApiError('invalid', []);
    const failed = work(async (tx) => {
      await put(tx, 'no-1');
      throw refusal;
    });
    await expect(failed).rejects.toBe(refusal);
    expect(await codes('no-')).toEqual([]);
    expect(db.database.app.figures.total).toBe(db.database.app.figures.idle);
  });

  it('whose failed statement was swallowed is not taken for committed', async () => {
    const swallowing = work(async (tx) => {
      await put(tx, 'lost-1');
      await put(tx, 'lost-1').catch(() => {});
      return 'done';
    });
    await expect(swallowing).rejects.toThrow('swallowed');
    expect(await codes('lost-')).toEqual([]);
  });

  it('goes on after a savepoint that was undone', async () => {
    const refusal = new ApiError('invalid', []);
    await work(async (tx) => {
      await put(tx, 'save-1');
      const inner = tx.savepoint(async () => {
        await put(tx, 'save-2');
        await put(tx, 'save-2');
      });
      await expect(inner).rejects.toMatchObject({ code: '23505' });
      const refused = tx.savepoint(async () => {
        await put(tx, 'save-3');
        throw refusal;
      });
      await expect(refused).rejects.toBe(refusal);
      await tx.savepoint(() => put(tx, 'save-4'));
    });
    expect(await codes('save-')).toEqual(['save-1', 'save-4']);
  });

  it('leaves nothing of its organization on the connection', async () => {
    const setting = statement(`select current_setting('app.org', true) as org, pg_backend_pid() as pid`);
    const pids = await Promise.all(Array.from({ length: 5 }, () => work((tx) => pidOf(tx))));
    const left = await db.database.app.query<{ org: string | null; pid: number }>(setting, []);
    expect(pids).toContain(left[0]?.pid);
    expect(left[0]?.org ?? '').toBe('');
  });
});

describe('a statement that is only sent', () => {
  const send = (tx: Tx, code: string) => tx.send(insert, [tx.orgId, code, tx.now]);

  it('is committed with the rest', async () => {
    await work(async (tx) => send(tx, 'sent-1'));
    await work(async (tx) => {
      send(tx, 'sent-2');
      await put(tx, 'sent-3');
      send(tx, 'sent-4');
    });
    expect(await codes('sent-')).toEqual(['sent-1', 'sent-2', 'sent-3', 'sent-4']);
  });

  it.each(['last', 'before another'])('fails the transaction with its own error: %s', async (where) => {
    const failed = work(async (tx) => {
      send(tx, 'twice-1');
      send(tx, 'twice-1');
      if (where !== 'last') await put(tx, 'twice-2');
    });
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    expect(await codes('twice-')).toEqual([]);
  });

  it('fails the savepoint it belongs to, and no more', async () => {
    await work(async (tx) => {
      send(tx, 'part-1');
      const inner = tx.savepoint(async () => {
        send(tx, 'part-2');
        send(tx, 'part-2');
      });
      await expect(inner).rejects.toMatchObject({ code: '23505' });
      await tx.savepoint(async () => send(tx, 'part-3'));
      send(tx, 'part-4');
    });
    expect(await codes('part-')).toEqual(['part-1', 'part-3', 'part-4']);
  });

  it('leaves every later statement of its connection usable, also one first tried behind it', async () => {
    const rename = statement(`update warehouses set name = 'again' where org_id = $1 and code = $2`);
    let pid: number | undefined;
    const failing = work(async (tx) => {
      pid = await pidOf(tx);
      send(tx, 'ok-1');
      tx.send(rename, [tx.orgId, 'ok-2']);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    await work(async (tx) => {
      tx.send(rename, [tx.orgId, 'ok-2']);
      expect(await pidOf(tx)).toBe(pid);
    });
    const [row] = await db.sql<{ name: string }>(`select name from warehouses where code = 'ok-2'`);
    expect(row?.name).toBe('again');
  });
});

describe('statements that are not awaited one by one', () => {
  it('run in the order of their calls', async () => {
    const rename = statement(
      'update warehouses set name = name || $3 where org_id = $1 and code = $2 returning name',
    );
    const names = await work(async (tx) => {
      await put(tx, 'row-');
      const step = (mark: string) => tx.query<{ name: string }>(rename, [tx.orgId, 'row-', mark]);
      return (await Promise.all([step('a'), step('b'), step('c')])).map(([row]) => row?.name);
    });
    expect(names).toEqual(['row-a', 'row-ab', 'row-abc']);
  });

  it('all fail with the error of the first that failed', async () => {
    let outcomes: PromiseSettledResult<unknown>[] = [];
    const failed = work(async (tx) => {
      outcomes = await Promise.allSettled([put(tx, 'both-1'), put(tx, 'both-1'), put(tx, 'both-2')]);
      await tx.query(backend, []);
    });
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: { code: '23505' } });
    expect(await codes('both-')).toEqual([]);
  });

  it('are refused once the transaction has ended: the connection may be that of another', async () => {
    let late: Promise<unknown> = Promise.resolve();
    let letGo = () => {};
    const ended = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const failed = work(async (tx) => {
      late = ended.then(() => put(tx, 'late-1'));
      late.catch(() => {});
      throw new ApiError('invalid', []);
    });
    await expect(failed).rejects.toBeInstanceOf(ApiError);
    letGo();
    await expect(late).rejects.toThrow('after the end of its transaction');
    expect(await codes('late-')).toEqual([]);
  });
});

const lockWarehouse = statement('select 1 from warehouses where org_id = $1 and code = $2 for update');

it('a transaction waits for a lock no longer than it says, on whichever node the lock is', async () => {
  await work((tx) => put(tx, 'held-1'));
  const lock = (tx: Tx) => tx.query(lockWarehouse, [tx.orgId, 'held-1']);
  const ended: string[] = [];
  const waiter = (name: string, options: { lockMs?: number }) =>
    expect(
      transact(db.database, principal, lock, options).finally(() => ended.push(name)),
    ).rejects.toMatchObject({
      reason: 'record_locked',
    });
  await work(async (holder) => {
    await lock(holder);
    const patient = waiter('patient', { lockMs: 1_500 });
    await waiter('hasty', { lockMs: 100 });
    await patient;
  });
  expect(ended).toEqual(['hasty', 'patient']);
});

describe('when two block each other', () => {
  it('one is tried again by itself, and both are done', async () => {
    await work(async (tx) => {
      await put(tx, 'dead-1');
      await put(tx, 'dead-2');
    });
    const rename = statement('update warehouses set name = name || $3 where org_id = $1 and code = $2');
    let runs = 0;
    const bothHoldOne = meeting(2);
    const lockBoth = (first: string, second: string, mark: string, other: () => Promise<unknown>) => {
      let tries = 0;
      return work(async (tx) => {
        runs++;
        // On a slow machine the one tried again could otherwise be back before the other has moved on.
        if (tries++ > 0) await other();
        await tx.query(rename, [tx.orgId, first, mark]);
        await bothHoldOne();
        await tx.query(rename, [tx.orgId, second, mark]);
      });
    };
    const a: Promise<void> = lockBoth('dead-1', 'dead-2', '+a', () => b);
    const b: Promise<void> = lockBoth('dead-2', 'dead-1', '+b', () => a);
    await Promise.all([a, b]);
    expect(runs).toBe(3);
    const names = await db.sql<{ name: string }>(`select name from warehouses where code like 'dead-%'`);
    for (const { name } of names) expect(name.replace(/^dead-\d/, '')).toMatch(/^(\+a\+b|\+b\+a)$/);
  });

  it('one is tried again by itself, also when nobody waited for the statement that failed', async () => {
    const rename = statement('update warehouses set name = $3 where org_id = $1 and code = $2');
    const bothHoldOne = meeting(2);
    const lockBoth = (first: string, second: string) =>
      work(async (tx) => {
        await tx.query(rename, [tx.orgId, first, 'sent']);
        await bothHoldOne();
        tx.send(rename, [tx.orgId, second, 'sent']);
      });
    await Promise.all([lockBoth('dead-1', 'dead-2'), lockBoth('dead-2', 'dead-1')]);
    const names = await db.sql<{ name: string }>(`select name from warehouses where code like 'dead-%'`);
    expect(names.map((row) => row.name)).toEqual(['sent', 'sent']);
  });

  it('one that never gets through may retry later', async () => {
    let runs = 0;
    const always = work(async () => {
      runs++;
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    await expect(always).rejects.toBeInstanceOf(Unavailable);
    expect(runs).toBe(3);
  });
});

/** Lets nobody through before so many have come; later comers are not held up. */
function meeting(size: number): () => Promise<void> {
  let come = 0;
  let open: () => void = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    if (++come === size) open();
    return all;
  };
}

describe('a connection that is lost', () => {
  it.each(['between two statements', 'inside a savepoint'])(
    '%s: the caller may try again, nothing is kept, and it is not used again',
    async (where) => {
      let pid: number | undefined;
      const failed = work(async (tx) => {
        await put(tx, 'gone-1');
        pid = await pidOf(tx);
        await db.sql('select pg_terminate_backend($1::integer)', [pid]);
        const next = () => put(tx, 'gone-2');
        await (where === 'inside a savepoint' ? tx.savepoint(next) : next());
      });
      await expect(failed).rejects.toBeInstanceOf(Unavailable);
      expect(await codes('gone-')).toEqual([]);
      const later = await Promise.all(Array.from({ length: 10 }, () => work(pidOf)));
      expect(later).not.toContain(pid);
    },
  );

  it('while idle is replaced without anybody noticing', async () => {
    await Promise.all(Array.from({ length: 5 }, () => work(pidOf)));
    await db.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'lotward app'`,
    );
    await expect.poll(() => db.database.app.figures.total).toBe(0);
    expect(await work(pidOf)).toBeGreaterThan(0);
  });

  it('is distinguished from an orderly refusal', () => {
    const refusal = (code: string) => Object.assign(new pg.DatabaseError('no', 1, 'error'), { code });
    for (const code of ['23505', '40P01', '57014', '55P03', 'P0001'])
      expect(connectionLost(refusal(code))).toBeUndefined();
    for (const code of ['57P01', '08006', '25P03']) expect(connectionLost(refusal(code))).toBeDefined();
    for (const code of ['EPIPE', 'ECONNRESET', undefined])
      expect(connectionLost(Object.assign(new Error('broken'), { code }))).toBeDefined();
  });
});
