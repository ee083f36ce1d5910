import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';
import { Unavailable } from '../errors/index.js';
import { systemPrincipal } from '../principal.js';
import { Pool } from './pool.js';
import { statement } from './statement.js';
import { type Tx, transact } from './transact.js';

let db: TestDatabase;
const principals: ReturnType<typeof systemPrincipal>[] = [];
beforeAll(async () => {
  db = await openTestDatabase();
  for (let n = 0; n < 2; n++) {
    const { organization } = await newOrganization(db);
    principals.push(systemPrincipal(organization.orgId, 'somebody@test.example'));
  }
});
afterAll(() => db.close());

const one = statement('select 1 as one');
const lock = statement('select pg_advisory_xact_lock($1)');
const asOrganization = <T>(n: number, work: (tx: Tx) => Promise<T>) =>
  transact(db.database, principals[n] as (typeof principals)[number], work);

/** Work that keeps its connection until it is let go, at the latest at the end of the test. */
const held = () => {
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { letGo, until };
};
let letGo = () => {};
afterEach(() => letGo());

describe('connections are shared', () => {
  it('one organization that holds all it gets leaves some to another', async () => {
    const { letGo, until } = held();
    let inside = 0;
    const noisy = Array.from({ length: 30 }, () =>
      asOrganization(0, async (tx) => {
        inside++;
        await tx.query(one, []);
        await until;
      }),
    );
    await expect.poll(() => inside).toBe(7);
    expect(await asOrganization(1, (tx) => tx.query(one, []))).toEqual([{ one: 1 }]);
    expect(inside).toBe(7);
    expect(db.database.app.figures.waiting).toBe(23);
    letGo();
    await Promise.all(noisy);
    expect(inside).toBe(30);
  });

  it('one organization cannot fill the queue of all', async () => {
    const { letGo, until } = held();
    const noisy = Array.from({ length: 300 }, () => asOrganization(0, () => until).catch((error) => error));
    expect(await asOrganization(1, (tx) => tx.query(one, []))).toEqual([{ one: 1 }]);
    letGo();
    const refused = (await Promise.all(noisy)).filter((each) => each instanceof Unavailable);
    expect(refused).toHaveLength(300 - 7 - 250);
    expect(refused[0]).toMatchObject({
      issues: [{ reason: 'overloaded' }],
      headers: { 'retry-after': '1' },
    });
  });

  it('a connection that cannot be opened leaves its place', async () => {
    const nowhere = new Pool('postgres://nobody@127.0.0.1:1/nothing', 'test', { connectionsMax: 1 });
    for (let n = 0; n < 3; n++)
      await expect(nowhere.query(one, [])).rejects.toMatchObject({ reason: 'database_unavailable' });
    expect(nowhere.figures.waiting).toBe(0);
    await nowhere.close();
  });
});

describe('a failure says why, so that the caller knows what to do', () => {
  it('another request holds the lock', async () => {
    const { letGo, until } = held();
    let isLocked = false;
    const holder = asOrganization(0, async (tx) => {
      await tx.query(lock, [77]);
      isLocked = true;
      await until;
    });
    await expect.poll(() => isLocked).toBe(true);
    await expect(asOrganization(0, (tx) => tx.query(lock, [77]))).rejects.toMatchObject({
      reason: 'record_locked',
    });
    letGo();
    await holder;
  });

  it.each([
    ['53100', 'storage_full'],
    ['53300', 'overloaded'],
    ['57014', 'too_slow'],
    ['25006', 'database_read_only'],
    ['57P01', 'database_unavailable'],
    ['40001', 'record_locked'],
  ])('%s is %s', async (code, reason) => {
    const raise = statement(`do $$ begin raise exception 'as a test' using errcode = '${code}'; end $$`);
    await expect(asOrganization(0, (tx) => tx.query(raise, []))).rejects.toMatchObject({ reason });
  });
});

/** In one packet: logged in, ready, and ended because its postmaster was killed. */
function readyAndGone(): Buffer {
  const fields = 'SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0';
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + fields.length);
  return Buffer.concat([
    Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1'),
    Buffer.from('E'),
    length,
    Buffer.from(fields),
  ]);
}

it('a server killed at the moment of the log-in fails the statement, and does not end this process', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(readyAndGone()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pool = new Pool(`postgres://somebody@127.0.0.1:${port}/lotward`, 'test');
  await expect(pool.query(one, [])).rejects.toBeInstanceOf(Unavailable);
  await pool.close();
  await new Promise((resolve) => server.close(resolve));
  process.off('uncaughtException', note);
  expect(uncaught).toEqual([]);
});
