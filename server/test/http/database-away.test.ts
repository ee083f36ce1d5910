import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/platform/database/index.js';
import { type UnavailableReason, unavailableReasons } from '../../src/platform/errors/index.js';
import { CITUS_URL } from '../harness/cluster.js';
import { type Answer, openTestService, startApi, type TestApi } from '../harness/index.js';
import { expectFailure, faultsOf, headerOf } from './error-table.js';
import { openPools, openPostgresProxy, type PostgresProxy } from './postgres-proxy.js';

/** Far enough apart for a busy machine: the time a refusal takes shows which limit ended it. */
const SILENCE_MS = 5_000;
const WAIT_MS = 4_000;
const STATEMENT_MS = 15_000;

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

/** Through the reading role; an adjustment goes through the other. */
const read = (api: TestApi) => api.call('GET', '/v2/products/GLOVE-1', undefined, service.org.key);
const adjust = (api: TestApi, quantityDelta: number) =>
  api.call(
    'POST',
    '/v2/stock/adjustments',
    { productCode: 'GLOVE-1', warehouse: 'WH-1', quantityDelta, expiryDate: null, reason: 'count' },
    service.org.key,
  );

/** Needs a connection, and no lock of the product. */
const rename = (api: TestApi) => api.call('PUT', '/v2/warehouses/WH-2', { name: 'Second' }, service.org.key);

function expectUnavailable(answer: Answer, reason: UnavailableReason): void {
  expectFailure(answer, 500, [{ path: null, reason, message: unavailableReasons[reason].meaning }]);
  expect(headerOf(answer, 'retry-after')).toBe(reason === 'too_slow' ? '5' : '1');
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const from = performance.now();
  const result = await work();
  return { result, ms: performance.now() - from };
}

describe('when the database is unavailable', () => {
  let proxy: PostgresProxy;
  let database: Database;
  let api: TestApi;
  beforeAll(async () => {
    proxy = await openPostgresProxy(service.db.url);
    const limits = { waitMs: SILENCE_MS, silenceMs: SILENCE_MS };
    database = await openPools(proxy.url, service.db.clock, { app: limits, reader: limits, worker: limits });
    api = await startApi(database);
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await api.close();
    await database.close();
    await proxy.close();
  });
  const recovers = () =>
    expect
      .poll(async () => (await Promise.all([read(api), adjust(api, 1)])).map((answer) => answer.status), {
        timeout: 60_000,
      })
      .toEqual([200, 200]);

  it('every request gets 500 / 9999 with Retry-After at once, and succeeds when the database is back', async () => {
    expect((await read(api)).status).toBe(200);
    await proxy.cut();
    const { result, ms } = await timed(() =>
      Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? read(api) : adjust(api, 1)))),
    );
    for (const answer of result) expectUnavailable(answer, 'database_unavailable');
    expect(ms).toBeLessThan(SILENCE_MS);
    await proxy.restore();
    await recovers();
  });

  it('requests in flight get a response of the error table, and the process survives', async () => {
    await recovers();
    for (let round = 0; round < 3; round++) {
      const calls = Array.from({ length: 40 }, (_, i) => (i % 2 ? read(api) : adjust(api, 1)));
      // Some have responses, some wait for a connection, some for a statement.
      await Promise.race(calls);
      await proxy.cut();
      for (const answer of await Promise.all(calls)) {
        expect(faultsOf(answer)).toEqual([]);
        expect([200, 500]).toContain(answer.status);
      }
      await proxy.restore();
      await recovers();
    }
  });

  it('a database that has gone silent does not hang its callers', async () => {
    await recovers();
    proxy.freeze();
    const { result, ms } = await timed(() => Promise.all([read(api), adjust(api, 1)]));
    for (const answer of result) expectUnavailable(answer, 'database_unavailable');
    // One silence, not one for the statement and another for its rollback.
    expect(ms).toBeLessThan(2 * SILENCE_MS);
    // These connections stay open with unanswered statements, so they must not be used again.
    proxy.thaw();
    await recovers();
  });

  it('readiness fails while liveness does not', async () => {
    await recovers();
    expect((await api.call('GET', '/readyz')).status).toBe(200);
    await proxy.cut();
    expect((await api.call('GET', '/readyz')).status).toBe(500);
    expect((await api.call('GET', '/healthz')).status).toBe(200);
  });
});

describe.skipIf(CITUS_URL)('when the database is busy', () => {
  let database: Database;
  let api: TestApi;
  let blocker: pg.Client;
  beforeAll(async () => {
    const limits = {
      connectionsMax: 2,
      waitersMax: 2,
      waitMs: WAIT_MS,
      statementMs: STATEMENT_MS,
      lockMs: 10 * STATEMENT_MS,
    };
    database = await openPools(service.db.url, service.db.clock, { app: limits });
    api = await startApi(database);
    await api.call('POST', '/v2/stock/adjustments', {}, service.org.key);
    blocker = new pg.Client({ connectionString: service.db.url });
    await blocker.connect();
  });
  afterAll(async () => {
    await blocker.end();
    await api.close();
    await database.close();
  });

  /** Holds the rows that every adjustment of the product needs for as long as `work` takes. */
  const whileLocked = async <T>(work: () => Promise<T>): Promise<T> => {
    await blocker.query('begin');
    await blocker.query(
      `select from lotward.products where org_id = $1 and product_code = 'GLOVE-1' for update`,
      [service.org.organization.orgId],
    );
    try {
      return await work();
    } finally {
      await blocker.query('rollback');
    }
  };
  const waiting = async (): Promise<number[]> => {
    const rows = await service.db.sql<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.map((row) => row.pid);
  };

  /** Two statements that wait for the lock until they take too long, and what happens beside them meanwhile. */
  async function crowdTheLock() {
    const before = await stockOf('GLOVE-1');
    // They return at all: the lock is held until then.
    const outcome = await whileLocked(async () => {
      const holding = [adjust(api, 5), adjust(api, 5)];
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(2), {
        timeout: 60_000,
        interval: 20,
      });
      const late = await timed(() => rename(api));
      const crowd = [rename(api), rename(api), rename(api)];
      const first = await timed(() => Promise.race(crowd));
      return { late, first, crowd: await Promise.all(crowd), holding: await Promise.all(holding) };
    });
    return { ...outcome, before, after: await stockOf('GLOVE-1') };
  }
  let crowded: Awaited<ReturnType<typeof crowdTheLock>>;
  beforeAll(async () => {
    crowded = await crowdTheLock();
  });

  it('a statement that takes too long gives 500 with Retry-After and no effect', async () => {
    for (const answer of crowded.holding) expectUnavailable(answer, 'too_slow');
    expect(crowded.after).toBe(crowded.before);
    expect((await adjust(api, 5)).status).toBe(200);
  });

  it('a pool without a free connection refuses promptly instead of hanging', async () => {
    const { late, first, crowd } = crowded;
    expectUnavailable(late.result, 'overloaded');
    expect(late.ms).toBeLessThan(STATEMENT_MS);
    // Two may wait; the next is refused without waiting.
    expectUnavailable(first.result, 'overloaded');
    expect(first.ms).toBeLessThan(WAIT_MS);
    for (const answer of crowd) expectUnavailable(answer, 'overloaded');
    expect((await adjust(api, 1)).status).toBe(200);
  });

  it('a connection killed in the middle of a transaction gives 500 and is not used again', async () => {
    const before = await stockOf('GLOVE-1');
    await whileLocked(async () => {
      const call = adjust(api, 7);
      await expect.poll(async () => (await waiting()).length).toBe(1);
      const [killed] = await waiting();
      await service.db.sql('select pg_terminate_backend($1::integer)', [killed]);
      expectUnavailable(await call, 'database_unavailable');
    });
    const after = await Promise.all([adjust(api, 1), adjust(api, 1), adjust(api, 1)]);
    for (const answer of after) expect(answer.status).toBe(200);
    expect(await stockOf('GLOVE-1')).toBe(before + 3);
  });

  const stockOf = async (productCode: string): Promise<number> =>
    (
      await service.call<{ totalQuantity: number }>(
        'GET',
        `/v2/inventory?productCode=${productCode}&warehouse=WH-1`,
      )
    ).data.totalQuantity;
});
