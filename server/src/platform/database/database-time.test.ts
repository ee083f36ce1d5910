import { performance } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';
import { openPostgresProxy, type PostgresProxy } from '../../../test/http/postgres-proxy.js';
import { DatabaseTime, requireSameTime } from './database-time.js';
import { Pool } from './pool.js';

const HOUR_MS = 3_600_000;
/** Differences of what runs on one machine, however busy. */
const CLOSE_MS = 3_000;

let db: TestDatabase;
let proxy: PostgresProxy;
let pool: Pool;
const opened: DatabaseTime[] = [];
beforeAll(async () => {
  db = await openTestDatabase();
  proxy = await openPostgresProxy(db.url);
  pool = new Pool(proxy.url, 'database time test');
});
afterEach(async () => {
  for (const time of opened.splice(0)) await time.close();
});
afterAll(async () => {
  await pool.close();
  await proxy.close();
  await db.close();
});

/** The clocks of a process, which a test can move. */
async function openTime() {
  const shift = { systemMs: 0, monotonicMs: 0 };
  const clocks = {
    systemMs: () => Date.now() + shift.systemMs,
    monotonicMs: () => performance.now() + shift.monotonicMs,
  };
  const time = await DatabaseTime.open(pool, { clocks, everyMs: 20 });
  opened.push(time);
  return { time, shift, clocks };
}
/** How far it is from the instant that it is for the database. */
const errorMs = (time: DatabaseTime) => Math.abs(time.now().getTime() - Date.now());

describe('the database clock as a process keeps it', () => {
  it('is that of the database although the clock of the process is not', async () => {
    const clocks = { systemMs: () => Date.now() + 48 * HOUR_MS, monotonicMs: () => performance.now() };
    const time = await DatabaseTime.open(pool, { clocks });
    opened.push(time);
    expect(errorMs(time)).toBeLessThan(CLOSE_MS);
    expect(time.state).toMatchObject({ isReliable: false });
    expect(time.state.differenceMs).toBeGreaterThan(48 * HOUR_MS - CLOSE_MS);
  });

  it('does not follow a system clock that jumps, and is not reliable until that is right again', async () => {
    const { time, shift } = await openTime();
    const changes: boolean[] = [];
    time.onChange((state) => changes.push(state.isReliable));
    for (const jumpMs of [48 * HOUR_MS, -48 * HOUR_MS, 7_500, -7_500]) {
      shift.systemMs = jumpMs;
      expect(errorMs(time)).toBeLessThan(CLOSE_MS);
      await expect.poll(() => time.state.isReliable).toBe(false);
      expect(errorMs(time)).toBeLessThan(CLOSE_MS);
      shift.systemMs = 0;
      await expect.poll(() => time.state.isReliable).toBe(true);
    }
    expect(changes).toEqual([false, true, false, true, false, true, false, true]);
  });

  it('follows the database once both agree after the process slept', async () => {
    const { time, shift } = await openTime();
    // A monotonic clock stands still while the machine sleeps; the others go on.
    shift.monotonicMs = -8 * HOUR_MS;
    await expect.poll(() => errorMs(time)).toBeLessThan(CLOSE_MS);
    expect(time.state.isReliable).toBe(true);
  });

  it('never goes back by a little, and does go back by much', async () => {
    const { time, shift } = await openTime();
    const before = time.now().getTime();
    shift.monotonicMs = 2_000;
    const ahead = time.now().getTime();
    expect(ahead).toBeGreaterThanOrEqual(before + 2_000);
    for (let i = 0; i < 50; i++) {
      await pool.query({ name: '', text: 'select 1' }, []);
      expect(time.now().getTime()).toBeGreaterThanOrEqual(ahead);
    }
    shift.monotonicMs = 8 * HOUR_MS;
    await expect.poll(() => errorMs(time)).toBeLessThan(CLOSE_MS);
  });

  it('goes on while the database is away', async () => {
    const { time, shift } = await openTime();
    await proxy.cut();
    shift.systemMs = 48 * HOUR_MS;
    const before = time.now().getTime();
    await expect(pool.query({ name: '', text: 'select 1' }, [])).rejects.toThrow();
    expect(time.now().getTime()).toBeGreaterThanOrEqual(before);
    expect(errorMs(time)).toBeLessThan(CLOSE_MS);
    expect(time.state.isReliable).toBe(true);
    await proxy.restore();
    await expect.poll(() => time.state.isReliable, { timeout: 10_000 }).toBe(false);
  });

  it('a slow round trip is not taken for a difference', async () => {
    const { clocks, shift } = await openTime();
    const slow = {
      query: async () => {
        const rows = [{ now: new Date() }];
        // The answer takes twelve seconds by both clocks.
        shift.systemMs += 12_000;
        shift.monotonicMs += 12_000;
        return { rows };
      },
    };
    await requireSameTime(slow as never, { ...clocks, systemMs: () => Date.now() + shift.systemMs });
  });
});
