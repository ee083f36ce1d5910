import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  GTIN,
  newOrganization,
  openTestService,
  sized,
  stockCatalogue,
  type TestOrganization,
} from '../../test/harness/index.js';
import { verifyStock } from '../stock/index.js';
import { runImports } from './index.js';

interface Report {
  importId: string;
  status: string;
  accepted: number;
  refusedCount: number;
  stoppedReason: string | null;
  progress: { rows: number | null; done: number };
}

let service: Awaited<ReturnType<typeof openTestService>>;
let org: TestOrganization;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
beforeEach(async () => {
  org = await newOrganization(service.db);
  await stockCatalogue(service.api, org.key);
});
afterAll(() => service.close());

const failures: unknown[] = [];
const run = (database = service.db.database, signal?: AbortSignal) =>
  runImports(database, { onError: (error) => failures.push(error), ...(signal ? { signal } : {}) });
const send = async (kind: string, content: string, key = org.key) => {
  const body = { kind, format: 'csv', content };
  const answer = await service.api.call<Report>('POST', '/v2/imports', body, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.data.importId;
};
const read = async (importId: string, key = org.key) =>
  (await service.api.call<Report>('GET', `/v2/imports/${importId}`, undefined, key)).data;
const ROWS = sized(250, 3_000);
const opening = (rows = ROWS) =>
  `productCode,warehouse,batchNo,quantity,expiryDate\n${Array.from(
    { length: rows },
    (_, i) => `${GTIN},WH-1,B-${i},2,2030-01-01\n`,
  ).join('')}`;
const stock = async () => {
  const [row] = await service.db.sql<{ quantity: number; movements: number }>(
    `select sum(quantity)::int as quantity, (select count(*)::int from movements where org_id = $1) as movements
     from balances where org_id = $1`,
    [org.organization.orgId],
  );
  return row;
};
const once = (rows = ROWS) => ({ quantity: 2 * rows, movements: rows });

describe('an import of opening stock', () => {
  it('goes on where a worker died in the middle of a part, and writes every row once', async () => {
    const importId = await send('opening_stock', opening());
    const isDoing = async () => (await read(importId)).progress.done;
    // Ends the connection of the worker within its transaction, again and again: as if the process had died.
    let deaths = 0;
    let isOver = false;
    const killer = (async () => {
      while (!isOver && deaths < 6) {
        const killed = await service.db.sql(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
             and pid in (select pid from pg_locks where relation = 'movements'::regclass and mode = 'RowExclusiveLock')`,
        );
        if (killed.length > 0) deaths++;
      }
    })();
    for (let turn = 0; turn < 40 && (await isDoing()) < ROWS; turn++) {
      await run().catch((error: unknown) => failures.push(error));
      service.db.clock.advance(120_000);
    }
    isOver = true;
    await killer;
    expect(deaths).toBeGreaterThan(0);
    expect(await read(importId)).toMatchObject({ status: 'done', accepted: ROWS, refusedCount: 0 });
    expect(await stock()).toEqual(once());
    const verified = await verifyStock(service.db.database, org.organization.orgId);
    expect(verified).toMatchObject({ ok: true });
  });

  it('is shared by workers at work at once without a row done twice, in the order of the files', async () => {
    const first = await send('opening_stock', opening(150));
    service.db.clock.advance(1);
    const second = await send('opening_stock', opening(150));
    const other = await service.db.another();
    await Promise.all([run(), run(other), run()]);
    await run();
    expect(await read(first)).toMatchObject({ status: 'done', accepted: 150, refusedCount: 0 });
    // The same rows again: each has its stock from the first file.
    expect(await read(second)).toMatchObject({ status: 'done', accepted: 0, refusedCount: 150 });
    expect(await stock()).toEqual(once(150));
  });

  it('is retried when its product was locked, and only later', async () => {
    const importId = await send('opening_stock', opening(3));
    const writer = new pg.Client({ connectionString: service.db.url });
    await writer.connect();
    await writer.query('begin');
    await writer.query(`select 1 from lotward.products where org_id = $1 for update`, [
      org.organization.orgId,
    ]);
    failures.length = 0;
    await run();
    expect(failures).toHaveLength(1);
    expect(await read(importId)).toMatchObject({ status: 'running', progress: { rows: 3, done: 0 } });
    await writer.end();
    await run();
    expect((await read(importId)).progress.done).toBe(0);
    service.db.clock.advance(2_000);
    await run();
    expect(await read(importId)).toMatchObject({ status: 'done', accepted: 3 });
  }, 60_000);
});

describe('a large import', () => {
  it('of one organization lets the small one of another pass', async () => {
    const large = await send('opening_stock', opening());
    const neighbour = await newOrganization(service.db);
    const small = await send('products', 'productCode,productName\nX-1,X\n', neighbour.key);
    const working = run();
    await expect.poll(async () => (await read(small, neighbour.key)).status).toBe('done');
    // Either may begin first; both were sent at the same instant.
    expect((await read(large)).status).not.toBe('done');
    await working;
    expect((await read(large)).status).toBe('done');
  });

  it('ends after the part under way when the worker is stopped, and goes on later', async () => {
    const importId = await send('opening_stock', opening());
    const stopping = new AbortController();
    const working = run(service.db.database, stopping.signal);
    await expect.poll(async () => (await read(importId)).progress.done).toBeGreaterThan(0);
    stopping.abort();
    await working;
    expect(await read(importId)).toMatchObject({ status: 'running' });
    await run();
    expect(await read(importId)).toMatchObject({ status: 'done', accepted: ROWS });
    expect(await stock()).toEqual(once());
  });
});
