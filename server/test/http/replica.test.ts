import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/index.js';
import { secretBox } from '../../src/platform/secrets/index.js';
import {
  GTIN,
  newOrganization,
  startApi,
  stockCatalogue,
  type TestApi,
  type TestOrganization,
} from '../harness/index.js';
import { openReplicatedPostgres, type ReplicatedPostgres } from './replicated-postgres.js';

const WAIT = { timeout: 30_000, interval: 50 };
const LAG_MAX_MS = 60_000;

interface Operation {
  operationId: string;
  description?: string;
  'x-may-lag'?: true | { with: string };
}
const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, { get?: Operation }>;
};
const reads = Object.entries(paths).flatMap(([path, { get }]) => (get ? [{ path, ...get }] : []));
const mayLag = reads.filter((read) => read['x-may-lag'] !== undefined);

let servers: ReplicatedPostgres;
/** The process that reads from the replica, and another that only writes: the first does not know of its writes. */
let reader: { database: Database; api: TestApi };
let writer: { database: Database; api: TestApi };
let org: TestOrganization;
let recallId: string;
const now = () => writer.database.clock.now().toISOString();

async function openProcess(lagMaxMs: number | null, replica = servers.standby) {
  const url = servers.urlOf([servers.primary], '');
  const box = secretBox([servers.secretKey]);
  const database = await openDatabase({
    url,
    migrationsDirectory: fileURLToPath(new URL('../../migrations', import.meta.url)),
    box,
    replica:
      lagMaxMs === null
        ? null
        : { url: `postgres://127.0.0.1:${replica.port}/lotward`, lagMaxMs, everyMs: 50, retryMs: 100 },
  });
  // Every call computes the overview anew.
  let monotonic = 0;
  const monotonicMs = () => {
    monotonic += 2_001;
    return monotonic;
  };
  return { database, api: await startApi(database, { box, monotonicMs }) };
}
async function closeProcess(of: typeof reader | undefined): Promise<void> {
  await of?.api.close();
  await of?.database.close();
}

const stock = (batchNo: string, through = writer) =>
  through.api.call(
    'POST',
    '/v2/stock/adjustments',
    {
      productCode: GTIN,
      warehouse: 'WH-1',
      batchNo,
      expiryDate: '2030-01-01',
      quantityDelta: 1,
      reason: 'count',
    },
    org.key,
  );
const get = (path: string, { through = reader, key = org.key, headers = {} } = {}) =>
  through.api.call<Record<string, unknown>>('GET', path, undefined, key, headers);
const available = async () =>
  (await get(`/v2/inventory?productCode=${GTIN}&warehouse=WH-1`)).data.availableQuantity as number;
const movements = async (options?: Parameters<typeof get>[1]) =>
  ((await get('/v2/stock/movements?limit=200', options)).data.items as object[]).length;
const counted = (outcome: string) => reader.database.replica?.counts.get(outcome as 'replica') ?? 0;
const status = () => reader.database.replica?.state.status;
/** Until the replica holds everything that was committed before this call. */
async function caughtUp(): Promise<void> {
  const startedMs = performance.now();
  await expect
    .poll(() => performance.now() - (reader.database.replica?.state.lagMs ?? Number.NaN), WAIT)
    .toBeGreaterThan(startedMs);
}
const pauseReplay = () => servers.standby.sql('select pg_wal_replay_pause()');
const resumeReplay = () => servers.standby.sql('select pg_wal_replay_resume()');
async function whilePaused<T>(work: () => Promise<T>): Promise<T> {
  await caughtUp();
  await pauseReplay();
  return work().finally(resumeReplay);
}

/** A call of each operation that may lag. */
const CALLS: Readonly<Record<string, () => string>> = {
  getOverview: () => '/v2/overview',
  listStockMovements: () => '/v2/stock/movements',
  exportRecall: () => `/exports/recalls/${recallId}.csv`,
  exportNonconformities: () => '/exports/quality/nonconformities.csv',
  exportDispositions: () => '/exports/quality/dispositions.csv',
  traceUdi: () => `/v2/udi/${encodeURIComponent(`(01)${GTIN}(10)B-1`)}?at=${now()}`,
  traceUdiByParameter: () => `/v2/udi?code=${encodeURIComponent(`(01)${GTIN}(10)B-1`)}&at=${now()}`,
  listEnvironmentReadings: () => '/v2/environment/readings?pointId=P-1',
  getEnvironmentPointHistory: () => '/v2/environment/points/P-1/history',
  listAuditEntries: () => '/v2/audit',
  listRequests: () => '/v2/requests',
  getSettingsUsage: () => '/v2/settings/usage',
  getSettingsUsageSummary: () => '/v2/settings/usage/summary',
};

beforeAll(async () => {
  servers = await openReplicatedPostgres({ isSynchronous: false });
  writer = await openProcess(null);
  org = await newOrganization(writer);
  await stockCatalogue(writer.api, org.key);
  await stock('B-1');
  const must = async (method: string, path: string, body: object) => {
    const answer = await writer.api.call<Record<string, string>>(method, path, body, org.key);
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  };
  await must('PUT', '/v2/environment/points/P-1', {
    name: 'Cold',
    warehouse: 'WH-1',
    temperature: { min: 2, max: 8 },
  });
  const readings = [{ pointId: 'P-1', at: now(), temperature: 5 }];
  await must('POST', '/v2/environment/readings', { readings });
  const recall = { recallNo: 'RC-1', productCode: GTIN, batchNos: ['B-1'], class: 'II', reason: 'test' };
  recallId = (await must('POST', '/v2/recalls', recall)).recallId as string;
  reader = await openProcess(LAG_MAX_MS);
  await vi.waitFor(() => expect(status()).toBe('in use'), WAIT);
});
afterAll(async () => {
  await closeProcess(reader);
  await closeProcess(writer);
  await servers?.close();
});

describe('which reads may come from a replica', () => {
  it('every operation that may lag is tried here, and says so in its description', () => {
    expect(mayLag.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(CALLS).sort());
    for (const { description } of mayLag) expect(description).toContain('Cache-Control: no-cache');
  });

  it('the guide lists them all, and no other', () => {
    const guide = readFileSync(new URL('../../../docs/guides/scaling.md', import.meta.url), 'utf8');
    const [, table = ''] = /\| Operation \| Path \|\n(.*?)\n\n/s.exec(guide) ?? [];
    const named = [...table.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(Object.keys(CALLS).sort());
  });

  it.each(Object.keys(CALLS))(
    '%s reads from the replica, and from the primary when asked for the latest',
    async (id) => {
      await caughtUp();
      const before = [counted('replica'), counted('no_cache')];
      const answer = await get((CALLS[id] as () => string)());
      expect(answer.status, answer.text).toBe(200);
      const latest = await get((CALLS[id] as () => string)(), { headers: { 'cache-control': 'no-cache' } });
      expect(latest.status).toBe(200);
      expect([counted('replica'), counted('no_cache')]).toEqual(before.map((count) => count + 1));
    },
  );

  it('no other read asks the replica anything', async () => {
    const lastAsked = () =>
      servers.standby.sql(
        `select max(query_start) as at from pg_stat_activity where application_name = 'lotward replica'`,
      );
    await get('/v2/stock/movements');
    const before = await lastAsked();
    expect(before[0]?.at).toBeInstanceOf(Date);
    const live = reads.filter(({ operationId, path }) => !(operationId in CALLS) && path !== '/stream');
    for (const { path } of live) {
      const known = path.replace('{id}', GTIN).replace('{code}', 'WH-1').replace('{recallId}', recallId);
      const answer = await get(known.replace('{pointId}', 'P-1'));
      expect(answer.status, `${path} ${answer.text}`).toBeLessThan(500);
    }
    // A trace that is not of the past is live.
    expect((await get(`/v2/udi/${encodeURIComponent(`(01)${GTIN}(10)B-1`)}`)).status).toBe(200);
    expect(live.length).toBeGreaterThan(40);
    expect(await lastAsked()).toEqual(before);
  });
});

describe('while the replica lags within the limit', () => {
  it('history is read as it was, and stock as it is', () =>
    whilePaused(async () => {
      const before = { movements: await movements(), available: await available() };
      expect((await stock('B-2')).status).toBe(200);
      expect(await movements()).toBe(before.movements);
      expect(await available()).toBe(before.available + 1);
      expect(await movements({ headers: { 'cache-control': 'no-cache' } })).toBe(before.movements + 1);
    }));

  it('who has written through the process reads their own write, until the replica has it', async () => {
    await whilePaused(async () => {
      const before = await movements();
      expect((await stock('B-3', reader)).status).toBe(200);
      expect(await movements()).toBe(before + 1);
      expect(counted('recent_write')).toBeGreaterThan(0);
    });
    await caughtUp();
    const before = counted('replica');
    await movements();
    expect(counted('replica')).toBe(before + 1);
  });

  it('a record that the replica does not have yet is found on the primary', () =>
    whilePaused(async () => {
      const recall = { recallNo: 'RC-2', productCode: GTIN, batchNos: ['B-2'], class: 'II', reason: 'test' };
      const made = await writer.api.call<{ recallId: string }>('POST', '/v2/recalls', recall, org.key);
      expect((await get(`/exports/recalls/${made.data.recallId}.csv`)).status).toBe(200);
      expect((await get('/exports/recalls/rcl_of_nobody.csv')).status).toBe(404);
    }));
});

it('an organization sees nothing of another on the replica', async () => {
  const other = await newOrganization(writer);
  await caughtUp();
  const before = counted('replica');
  expect(await movements({ key: other.key })).toBe(0);
  expect(
    ((await get('/v2/audit', { key: other.key })).data.items as { actor: string }[]).map((e) => e.actor),
  ).toEqual(expect.not.arrayContaining([expect.stringContaining(org.organization.code)]));
  expect((await get(`/exports/recalls/${recallId}.csv`, { key: other.key })).status).toBe(404);
  expect(counted('replica')).toBe(before + 2);
  // Row-level security itself, without any condition in the statement.
  const seen = await reader.database.replica?.read(
    { orgId: other.organization.orgId, wantsLatest: false },
    async (from) =>
      from.app.query<{ rows: number }>({ name: '', text: 'select count(*) as rows from movements' }, []),
  );
  expect(seen).toEqual([{ rows: 0 }]);
});

it('beyond the limit of lag the primary is read, and the replica again once it has caught up', async () => {
  const strict = await openProcess(1_000);
  const { replica } = strict.database;
  try {
    await expect.poll(() => replica?.state.status, WAIT).toBe('in use');
    await pauseReplay();
    const before = await movements({ through: strict });
    await stock('B-4');
    await expect.poll(() => replica?.state.status, WAIT).toBe('lagging');
    expect(await movements({ through: strict })).toBe(before + 1);
    expect(replica?.counts.get('lagging')).toBe(1);
    expect((await get('/readyz', { through: strict })).json).toMatchObject({
      status: 'ready',
      replica: 'lagging',
    });
    await resumeReplay();
    await expect.poll(() => replica?.state.status, WAIT).toBe('in use');
  } finally {
    await resumeReplay();
    await closeProcess(strict);
  }
});

it('a server that is not a replica is not used as one', async () => {
  const promoted = await openProcess(LAG_MAX_MS, { ...servers.standby, port: servers.primary.port });
  const states: unknown[] = [];
  promoted.database.replica?.onChange(({ status, error }) => states.push([status, String(error)]));
  await expect.poll(() => states, WAIT).toEqual([['away', 'Error: the server is not a replica']]);
  expect((await get('/v2/stock/movements', { through: promoted })).status).toBe(200);
  await closeProcess(promoted);
});

it('a replica that dies is noticed by the first read, which the primary answers, as all that follow', async () => {
  await caughtUp();
  const states: string[] = [];
  reader.database.replica?.onChange(({ status }) => states.push(status));
  const before = await movements();
  await servers.standby.kill();
  for (let n = 0; n < 3; n++) expect(await movements()).toBe(before);
  expect(status()).toBe('away');
  expect(states).toEqual(['in use', 'away']);
  const ready = await get('/readyz');
  expect([ready.status, ready.json]).toEqual([200, { status: 'ready', replica: 'away' }]);
  const metrics = (await get('/metrics')).text;
  expect(metrics).toMatch(/^lotward_replica_in_use 0$/m);
  expect(metrics).toMatch(/^lotward_replica_reads_total\{outcome="away"\} [1-9]/m);
});
