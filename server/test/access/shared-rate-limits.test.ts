import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { memoryLimiter, openRedisLimiter } from '../../src/platform/rate-limit/index.js';
import {
  newOrganization,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
} from '../harness/index.js';
import { hasRedis, startRedis } from './redis-server.js';

describe.skipIf(!hasRedis)('two processes with one Redis', () => {
  let db: TestDatabase;
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let apis: TestApi[];
  const closing: (() => void)[] = [];
  /** The processes that currently count without Redis, and how often that happened. */
  const alone = new Set<string>();
  let fallbacks = 0;

  beforeAll(async () => {
    [db, redis] = await Promise.all([openTestDatabase(), startRedis()]);
    const open = async (name: string) => {
      const limiter = await openRedisLimiter({
        url: redis.url,
        windowMs: 60_000,
        prefix: 'lotward:rate:',
        fallback: memoryLimiter({ windowMs: 60_000, now: () => performance.now(), keysMax: 1_000 }),
        onFallback: () => {
          alone.add(name);
          fallbacks++;
        },
        onRecovered: () => alone.delete(name),
      });
      closing.push(() => limiter.close());
      return startApi(await db.another(), { limiter });
    };
    apis = await Promise.all([open('first'), open('second')]);
  });
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.close()));
    for (const close of closing) close();
    await redis.kill();
    await db.close();
  });

  /** As many as a process has places for: more would wait for one, on a busy host in vain. */
  const AT_ONCE = 40;

  /** So many calls, many at once, spread over the processes. */
  async function calls(
    count: number,
    headers: Record<string, string>,
    remoteAddress = '127.0.0.1',
  ): Promise<number[]> {
    const asked = { method: 'GET', url: '/v2/whoami', headers, remoteAddress } as const;
    const ask = async (i: number) => (await (apis[i % apis.length] as TestApi).app.inject(asked)).statusCode;
    const statuses: number[] = [];
    for (let from = 0; from < count; from += AT_ONCE) {
      const wave = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => ask(from + i));
      statuses.push(...(await Promise.all(wave)));
    }
    return statuses;
  }
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const tally = (statuses: readonly number[]) =>
    Object.fromEntries([...new Set(statuses)].sort().map((s) => [s, statuses.filter((t) => t === s).length]));

  /** On a busy host Redis may miss its time-out, and the process rightly counts alone: the test then starts over. */
  async function undisturbed<T>(run: () => Promise<T>): Promise<T> {
    const { key } = await newOrganization(db);
    const counted = async () => {
      await calls(2, bearer(key));
      expect([...alone]).toEqual([]);
    };
    for (let attempt = 0; attempt < 5; attempt++) {
      await vi.waitFor(counted, { timeout: 10_000, interval: 100 });
      const before = fallbacks;
      const result = await run();
      if (fallbacks === before) return result;
    }
    throw new Error('Redis never answered in time');
  }

  it('share the rate limit of a key', async () => {
    const answers = await undisturbed(async () => {
      const { key } = await newOrganization(db, { edition: 'ordinary' });
      return calls(110, bearer(key));
    });
    expect(tally(answers)).toEqual({ 200: 100, 429: 10 });
  });

  it('share the count of failing credentials of an address', async () => {
    let host = 0;
    const answers = await undisturbed(() => calls(120, bearer('lw_mistyped'), `192.0.2.${++host}`));
    expect(tally(answers)).toEqual({ 401: 100, 429: 20 });
    const { key } = await newOrganization(db);
    expect(tally(await calls(20, bearer(key), `192.0.2.${host}`))).toEqual({ 200: 20 });
  });

  it('count separately, without a failed request, when Redis dies', async () => {
    const { key } = await newOrganization(db, { edition: 'ordinary' });
    expect(tally(await undisturbed(() => calls(4, bearer(key))))).toEqual({ 200: 4 });
    const during = calls(40, bearer(key));
    await redis.kill();
    const after = await calls(240, bearer(key));
    expect(Object.keys(tally([...(await during), ...after])), 'served or limited').toEqual(['200', '429']);
    expect([...alone].sort()).toEqual(['first', 'second']);
    expect(tally(after)[200], 'each allows as much as is allowed alone').toBeLessThanOrEqual(200);
    expect(tally(await calls(10, bearer(key))), 'and the limit still holds').toEqual({ 429: 10 });
  });
});
