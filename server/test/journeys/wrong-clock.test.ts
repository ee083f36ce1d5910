import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import {
  callApi,
  fullTier,
  GTIN,
  newOrganization,
  openTestDatabase,
  runCommand,
  startApi,
  stockCatalogue,
  TEST_SECRET_KEY,
  type TestDatabase,
  type TestOrganization,
  testClock,
} from '../harness/index.js';
import { Installation } from './service-process.js';

const DAY_MS = 86_400_000;
const WAIT = { timeout: 60_000, interval: 100 };
const preload = fileURLToPath(new URL('./shifted-clock.fixture.mjs', import.meta.url));

let db: TestDatabase;
let org: TestOrganization;
let key: string;
let installation: Installation;

beforeAll(async () => {
  db = await openTestDatabase(testClock(new Date().toISOString()));
  org = await newOrganization(db);
  const api = await startApi(db.database);
  await stockCatalogue(api, org.key);
  await api.close();
});
afterAll(() => db.close());
beforeEach(async () => {
  installation = new Installation();
  key = randomBytes(6).toString('hex');
  db.clock.set(new Date().toISOString());
});
afterEach(() => installation.remove());

/** The real program, whose clock the test can move by two days. */
const start = async (command: 'start' | 'api' | 'worker', settings: Record<string, string> = {}) =>
  installation.start(command, await freePort(), {
    DATABASE_URL: db.url,
    LOTWARD_SECRET_KEY: TEST_SECRET_KEY,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import ${preload}`,
    LOTWARD_TEST_SHIFT_MS: String(2 * DAY_MS),
    ...settings,
  });

/** A command reads the same clock in this process as in one of its own. */
const setClockAhead = () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY_MS });
  onTestFinished(() => void vi.useRealTimers());
};

const book = (url: string) =>
  callApi(
    url,
    'POST',
    '/v2/stock/adjustments',
    {
      productCode: GTIN,
      warehouse: 'WH-1',
      batchNo: key,
      expiryDate: '2099-01-01',
      quantityDelta: 1,
      reason: 'count',
    },
    org.key,
    { 'idempotency-key': key },
  );
const booked = async () => (await db.sql('select 1 from movements where batch_no = $1', [key])).length;
const isKept = async () =>
  (await db.sql('select 1 from idempotency_keys where key = $1', [key])).length === 1;

describe('a process whose clock is two days ahead of the database', () => {
  const saysWhy =
    /The clock of this machine \(\d{4}-\S+Z\) is 17\d{4} seconds ahead of that of the database \(\d{4}-\S+Z\)\. .*Set the clock/;

  /** The exit code and the words of a worker that should not start; by default within this process. */
  async function refusal(): Promise<[number | null, string]> {
    if (!fullTier) {
      setClockAhead();
      const { exitCode, err } = await runCommand(db, 'worker');
      vi.useRealTimers();
      return [exitCode, err];
    }
    const running = await start('worker', { LOTWARD_TEST_SHIFT_AT_START: '1' });
    await running.ready.catch(() => {});
    return [(await running.exit).code, running.output];
  }

  it('does not start as worker, says why, ends, and has removed nothing', async () => {
    const api = await startApi(db.database);
    expect((await book(api.url)).status).toBe(200);
    expect(await refusal()).toEqual([1, expect.stringMatching(saysWhy)]);
    expect(await isKept()).toBe(true);
    expect((await book(api.url)).status).toBe(200);
    expect(await booked()).toBe(1);
    await api.close();
  });

  it('does not start as API either, and says why', async () => {
    setClockAhead();
    const { exitCode, err } = await runCommand(db, 'api');
    expect([exitCode, err]).toEqual([1, expect.stringMatching(saysWhy)]);
  });

  it('runs no daily run; other commands say so and go by the database', async () => {
    setClockAhead();
    const daily = await runCommand(db, 'daily');
    expect([daily.exitCode, daily.err]).toEqual([1, expect.stringContaining('Set the clock that is wrong')]);
    expect(await db.sql('select from daily_runs')).toEqual([]);
    const list = await runCommand(db, 'org', 'list', '--json');
    expect([list.exitCode, list.err]).toEqual([0, expect.stringContaining('ahead of that of the database')]);
    expect(list.out).toContain(org.organization.orgId);
  });

  it('that jumped there while running books nothing twice, pauses its timed work and takes it up again', async () => {
    const running = await start('start');
    await running.ready;
    const readiness = async () => (await callApi(running.url, 'GET', '/readyz')).json;
    const metric = async () =>
      /^lotward_timed_work_paused (\d)$/m.exec((await callApi(running.url, 'GET', '/metrics')).text)?.[1];
    const first = await book(running.url);
    expect(first.status).toBe(200);

    running.child.kill('SIGUSR2');
    const again = await book(running.url);
    expect([again.status, again.text, await booked()]).toEqual([200, first.text, 1]);
    await expect.poll(readiness, WAIT).toMatchObject({
      status: 'ready',
      timedWork: 'paused',
      reason: expect.stringContaining('ahead of that of the database'),
    });
    expect(await metric()).toBe('1');
    await expect.poll(() => running.output, WAIT).toContain('clock difference detected, timed work paused');
    expect([(await book(running.url)).text, await booked()]).toEqual([first.text, 1]);

    // The record of the last run is removed: no run follows while the work is paused.
    await db.sql('delete from daily_runs');
    running.child.kill('SIGUSR2');
    await expect.poll(readiness, WAIT).toEqual({ status: 'ready' });
    expect(await metric()).toBe('0');
    await expect.poll(() => running.output, WAIT).toContain('clocks agree again, timed work resumed');
    const [run] = await expect
      .poll(() => db.sql<{ day: string }>('select day::text from daily_runs'), WAIT)
      .toHaveLength(1)
      .then(() => db.sql<{ day: string }>('select day::text from daily_runs'));
    expect(run?.day).toBe(new Date().toISOString().slice(0, 10));
    expect(await isKept()).toBe(true);
  });
});
