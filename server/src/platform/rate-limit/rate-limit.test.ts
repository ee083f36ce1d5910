import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectWithin } from '../../../test/harness/index.js';
import type { Decision, Limiter } from './limiter.js';
import { type MemoryLimiter, memoryLimiter } from './memory.js';
import { serveLimiter } from './parent.js';
import { redisLimiter } from './redis.js';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const cleanups: (() => unknown)[] = [];
const afterwards = (cleanup: () => unknown) => cleanups.push(cleanup);
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const allowedOf = (decisions: readonly Decision[]) => decisions.filter(({ allowed }) => allowed).length;
const times = <T>(n: number, make: (i: number) => T) =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)));
const silent = { onFallback: () => {}, onRecovered: () => {} };

function fakeClock() {
  let time = 1000;
  return {
    now: () => time,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

const wallMemory = (windowMs = 60_000): MemoryLimiter =>
  memoryLimiter({ windowMs, now: () => performance.now(), keysMax: 1000 });

// Forked processes run the modules transpiled, because Node 20 cannot run TypeScript.
const folder = mkdtempSync(join(tmpdir(), 'rate-limit-'));
beforeAll(() => {
  for (const name of ['memory', 'outage', 'parent']) {
    const source = readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8');
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    writeFileSync(join(folder, `${name}.js`), ts.transpileModule(source, { compilerOptions }).outputText);
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  copyFileSync(join(import.meta.dirname, 'parent.fixture.mjs'), join(folder, 'worker.mjs'));
  cluster.setupPrimary({ exec: join(folder, 'worker.mjs'), execArgv: [], args: [], silent: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Reply {
  decisions: Decision[];
  said: string[];
}

async function forkWorker(): Promise<Worker> {
  const worker = cluster.fork().setMaxListeners(0);
  afterwards(() => {
    if (worker.isDead()) return undefined;
    worker.process.kill('SIGKILL');
    return once(worker, 'exit');
  });
  // Being online is earlier: what is sent before the process listens is lost.
  await once(worker, 'message');
  return worker;
}

let lastOrder = 0;
function takeIn(worker: Worker, key: string, limit: number, howOften = 1): Promise<Reply> {
  const order = ++lastOrder;
  return new Promise((resolve) => {
    const listen = (message: Reply & { order?: number }) => {
      if (message.order !== order) return;
      worker.off('message', listen);
      resolve(message);
    };
    worker.on('message', listen);
    worker.send({ order, key, limit, times: howOften });
  });
}

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

async function startRedis(port: number): Promise<ChildProcess> {
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawn('redis-server', ['--port', String(port), ...settings]);
  afterwards(() => killed(server));
  await new Promise<void>((resolve, reject) => {
    server.on('exit', () => reject(new Error('redis-server ended')));
    server.stdout.on('data', (text) => {
      if (String(text).includes('Ready to accept connections')) resolve();
    });
  });
  return server;
}

function killed(server: ChildProcess): Promise<unknown> | undefined {
  if (server.exitCode !== null || server.signalCode !== null) return undefined;
  server.kill('SIGKILL');
  return once(server, 'exit');
}

const urlOf = (port: number) => `redis://127.0.0.1:${port}`;

function openRedis(port: number, options: Partial<Parameters<typeof redisLimiter>[0]> = {}) {
  const limiter = redisLimiter({
    url: urlOf(port),
    windowMs: 60_000,
    prefix: 'test:',
    fallback: wallMemory(),
    ...silent,
    ...options,
  });
  afterwards(() => limiter.close());
  return limiter;
}

/** As if so much time had passed in Redis, where a window is the lifetime of its key. */
async function shortenWindows(port: number, byMs: number): Promise<void> {
  const admin = new Redis(urlOf(port));
  for (const key of await admin.keys('*')) await admin.pexpire(key, (await admin.pttl(key)) - byMs);
  admin.disconnect();
}

/** A limiter under test: each of `takers` is a process or machine of its own. */
interface Bench {
  takers: Limiter['take'][];
  pass: (ms: number) => unknown;
}

/** Processes that all tests of the parent's driver use, each with a count of its own. */
let sharing: Promise<Worker[]> | undefined;
let served: MemoryLimiter;
async function forkSharing(): Promise<Worker> {
  const worker = cluster.fork().setMaxListeners(0);
  await once(worker, 'message');
  serveLimiter(worker, {
    take: (key, limit) => served.take(key, limit),
    get size() {
      return served.size;
    },
  });
  return worker;
}
afterAll(async () => {
  for (const worker of (await sharing) ?? []) {
    worker.process.kill('SIGKILL');
    await once(worker, 'exit');
  }
});

const drivers: { name: string; missing?: boolean; open: (windowMs: number) => Promise<Bench> }[] = [
  {
    name: 'memory',
    open: async (windowMs) => {
      const { now, pass } = fakeClock();
      const limiter = memoryLimiter({ windowMs, now, keysMax: 1000 });
      return { takers: [limiter.take], pass };
    },
  },
  {
    name: 'parent',
    open: async (windowMs) => {
      const { now, pass } = fakeClock();
      served = memoryLimiter({ windowMs, now, keysMax: 1000 });
      sharing ??= times(4, forkSharing);
      const workers = await sharing;
      const takers = workers.map((worker) => async (key: string, limit: number) => {
        const { decisions } = await takeIn(worker, key, limit);
        return decisions[0] as Decision;
      });
      return { takers, pass };
    },
  },
  {
    name: 'redis',
    missing: !hasRedis,
    open: async (windowMs) => {
      const port = await freePort();
      await startRedis(port);
      const takers = Array.from({ length: 4 }, () => openRedis(port, { windowMs }).take);
      return { takers, pass: (ms) => shortenWindows(port, ms) };
    },
  },
];

for (const driver of drivers) {
  describe.skipIf(driver.missing)(`every driver: ${driver.name}`, () => {
    async function open(windowMs = 60_000) {
      const { takers, pass } = await driver.open(windowMs);
      let turn = 0;
      // Each take by another taker, so that every guarantee is one of all processes together.
      const take = (key: string, limit: number) =>
        (takers[turn++ % takers.length] as Limiter['take'])(key, limit);
      return { take, pass };
    }

    it('allows as many requests as the limit, and says how many remain', async () => {
      const { take } = await open();
      expect(await take('a', 2)).toMatchObject({ allowed: true, remaining: 1 });
      expect(await take('a', 2)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await take('a', 2)).toMatchObject({ allowed: false, remaining: 0 });
      expect(await take('b', 2), 'another key').toMatchObject({ allowed: true, remaining: 1 });
    });

    it('a refused request is not counted', async () => {
      const { take } = await open();
      await take('a', 1);
      for (let i = 0; i < 5; i++) expect((await take('a', 1)).allowed).toBe(false);
      expect(await take('a', 3)).toMatchObject({ allowed: true, remaining: 1 });
    });

    it('a limit of 0 refuses and begins no window', async () => {
      const { take, pass } = await open(60_000);
      expect(await take('a', 0)).toEqual({ allowed: false, remaining: 0, resetMs: 60_000 });
      await pass(20);
      expect(await take('a', 1)).toEqual({ allowed: true, remaining: 0, resetMs: 60_000 });
    });

    it('the window begins with the first request and is extended by none', async () => {
      const { take, pass } = await open(800);
      expect((await take('a', 2)).resetMs).toBe(800);
      await pass(200);
      expect((await take('a', 2)).resetMs).toBeLessThanOrEqual(600);
      const refused = await take('a', 2);
      expect(refused.allowed).toBe(false);
      expect(refused.resetMs).toBeGreaterThan(0);
      expect(refused.resetMs).toBeLessThanOrEqual(600);
      await pass(refused.resetMs + 1);
      expect(await take('a', 2)).toEqual({ allowed: true, remaining: 1, resetMs: 800 });
    });

    it('of 110 concurrent requests exactly 100 are allowed by a limit of 100', async () => {
      const { take } = await open();
      const decisions = await times(110, () => take('a', 100));
      expect(allowedOf(decisions)).toBe(100);
      const left = decisions.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
      expect(
        left.sort((a, b) => b - a),
        'each place given once',
      ).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i));
    });
  });
}

describe('memory', () => {
  const open = (keysMax: number) => {
    const { now, pass } = fakeClock();
    return { limiter: memoryLimiter({ windowMs: 60_000, now, keysMax }), pass };
  };

  it('answers at once, without a promise', () => {
    expect(open(10).limiter.take('a', 2)).toEqual({ allowed: true, remaining: 1, resetMs: 60_000 });
  });

  it('windows that ended do not pile up', () => {
    const { limiter, pass } = open(1_000_000);
    for (let i = 0; i < 10_000; i++) {
      limiter.take(`key ${i}`, 10);
      pass(60);
    }
    expect(limiter.size).toBeLessThanOrEqual(1001);
  });

  it('a burst of keys is evicted little by little, while others come and return', () => {
    const { limiter, pass } = open(1_000_000);
    for (let i = 0; i < 1000; i++) limiter.take(`burst ${i}`, 10);
    pass(60_000);
    for (let i = 0; i < 1000; i++)
      expect(limiter.take(`burst ${i % 500}`, 10).remaining).toBe(i < 500 ? 9 : 8);
    expect(limiter.size).toBe(500);
  });

  it('when full, evicts windows that ended before the oldest that runs', () => {
    const { limiter, pass } = open(3);
    for (const key of ['a', 'b', 'c']) limiter.take(key, 1);
    pass(60_000);
    limiter.take('a', 1);
    for (const key of ['d', 'e']) limiter.take(key, 1);
    expect(limiter.take('a', 1).allowed, 'a runs and is kept').toBe(false);
    limiter.take('f', 1);
    expect(limiter.size).toBe(3);
    for (const key of ['d', 'e', 'f']) expect(limiter.take(key, 1).allowed).toBe(false);
    expect(limiter.take('a', 1).allowed, 'a was the oldest').toBe(true);
  });
});

describe('parent', () => {
  it('two processes share one count, and four allow exactly the limit', async () => {
    const limiter = wallMemory();
    const workers = await times(4, forkWorker);
    for (const worker of workers) serveLimiter(worker, limiter);
    const replies = await times(4, (i) => takeIn(workers[i] as Worker, 'a', 100, i < 2 ? 28 : 27));
    expect(allowedOf(replies.flatMap(({ decisions }) => decisions))).toBe(100);
    expect(replies.flatMap(({ said }) => said)).toEqual([]);
  });

  it('all takes of one turn go in one message', async () => {
    const worker = await forkWorker();
    serveLimiter(worker, wallMemory());
    let messages = 0;
    worker.on('message', (message) => {
      if (message.topic) messages++;
    });
    await takeIn(worker, 'a', 100, 50);
    expect(messages).toBe(1);
  });

  it('a parent that does not answer is waited for once, said once, and used when it answers', async () => {
    const worker = await forkWorker();
    const started = performance.now();
    const first = await takeIn(worker, 'a', 2);
    expectWithin(1_500, started);
    expect(first.said).toEqual(['fallback: no response within 500 ms']);

    const next = performance.now();
    const { decisions } = await takeIn(worker, 'a', 2, 2);
    expectWithin(400, next);
    expect(allowedOf(decisions), 'counted on by the process itself').toBe(1);

    serveLimiter(worker, wallMemory());
    await vi.waitFor(async () => expect((await takeIn(worker, 'b', 1)).said).toHaveLength(2), 3000);
    const { decisions: shared, said } = await takeIn(worker, 'a', 2);
    expect(shared).toMatchObject([{ allowed: true, remaining: 1 }]);
    expect(said).toEqual(['fallback: no response within 500 ms', 'recovered']);
  });

  it('a closed channel falls back', async () => {
    const worker = await forkWorker();
    serveLimiter(worker, wallMemory());
    await takeIn(worker, 'a', 1);
    const exit = once(worker, 'exit');
    let output = '';
    worker.process.stdout?.on('data', (text) => {
      output += text;
    });
    worker.disconnect();
    await exit;
    const { decisions, said } = JSON.parse(output) as Reply;
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(said).toEqual(['fallback: no channel to the parent process']);
  });

  it('a process killed while it waits harms no other', async () => {
    const limiter = wallMemory();
    const [doomed, other] = (await times(2, forkWorker)) as [Worker, Worker];
    for (const worker of [doomed, other]) serveLimiter(worker, limiter);
    void takeIn(doomed, 'a', 1000, 500);
    let question: unknown;
    doomed.on('message', (message) => {
      question = message;
      doomed.process.kill('SIGKILL');
    });
    await once(doomed, 'exit');
    doomed.emit('message', question);
    const { decisions, said } = await takeIn(other, 'b', 5, 5);
    expect(allowedOf(decisions)).toBe(5);
    expect(said).toEqual([]);
  });
});

describe.skipIf(!hasRedis)('redis', () => {
  const FALLBACK_LIMIT = 1000;
  /** A limiter whose own counts begin elsewhere, so that an answer shows who gave it. */
  function watched(port: number) {
    const onFallback = vi.fn();
    const onRecovered = vi.fn();
    const fallback = { take: () => ({ allowed: true, remaining: FALLBACK_LIMIT, resetMs: 1 }) };
    const limiter = openRedis(port, { fallback, onFallback, onRecovered });
    const byRedis = async () => (await limiter.take('a', 100)).remaining < FALLBACK_LIMIT;
    const untilByRedis = () => vi.waitFor(async () => expect(await byRedis()).toBe(true), 30_000);
    return { limiter, byRedis, untilByRedis, onFallback, onRecovered };
  }

  it('Redis away at the start falls back, says so once, and is used when it comes', async () => {
    const port = await freePort();
    const { byRedis, untilByRedis, onFallback, onRecovered } = watched(port);
    expect(await times(20, byRedis)).not.toContain(true);
    await sleep(600);
    expect(await byRedis()).toBe(false);
    expect(onFallback).toHaveBeenCalledTimes(1);
    await startRedis(port);
    await untilByRedis();
    expect(onFallback).toHaveBeenCalledTimes(1);
    expect(onRecovered).toHaveBeenCalledTimes(1);
  });

  it('Redis killed falls back, says so once, and comes back', async () => {
    const port = await freePort();
    const server = await startRedis(port);
    const { byRedis, untilByRedis, onFallback, onRecovered } = watched(port);
    await untilByRedis();
    onFallback.mockClear();
    onRecovered.mockClear();
    const underway = times(50, byRedis);
    await killed(server);
    await underway;
    expect(await times(20, byRedis)).not.toContain(true);
    expect(onFallback).toHaveBeenCalledTimes(1);
    await startRedis(port);
    await untilByRedis();
    expect([onFallback.mock.calls.length, onRecovered.mock.calls.length]).toEqual([1, 1]);
  });

  it('a hanging Redis holds no request longer than the deadline, and only the first ones', async () => {
    const port = await freePort();
    const server = await startRedis(port);
    const { byRedis, untilByRedis, onFallback, onRecovered } = watched(port);
    expect(await byRedis()).toBe(true);
    server.kill('SIGSTOP');
    const answered = async (limitMs: number) => {
      const asked = performance.now();
      expect(await byRedis()).toBe(false);
      expectWithin(limitMs, asked);
      return performance.now() - asked;
    };
    // Spread over several turns: the later ones wait in line behind the first, but no longer than it does.
    const waits = await times(10, (i) => sleep(i * 15).then(() => answered(400)));
    expect(waits[0]).toBeGreaterThan(190);
    for (let i = 0; i < 15; i++) {
      await answered(150);
      await sleep(100);
    }
    expect(onFallback).toHaveBeenCalledTimes(1);
    expect(onFallback.mock.calls[0]?.[0]).toMatchObject({ message: 'no response within 200 ms' });
    server.kill('SIGCONT');
    await untilByRedis();
    expect([onFallback.mock.calls.length, onRecovered.mock.calls.length]).toEqual([1, 1]);
  });

  it('a connection on which nothing is answered is replaced by a new one', async () => {
    const port = await freePort();
    await startRedis(port);
    let connections = 0;
    const sockets: Socket[] = [];
    // The first two connections never get a response, as if the host had vanished.
    const door = createServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      if (++connections > 2) socket.pipe(connect(port, '127.0.0.1').on('error', () => {})).pipe(socket);
      else socket.resume();
    }).listen(0, '127.0.0.1');
    afterwards(() => {
      for (const socket of sockets) socket.destroy();
      door.close();
    });
    await once(door, 'listening');
    const { byRedis, untilByRedis, onFallback } = watched((door.address() as AddressInfo).port);
    expect(await byRedis()).toBe(false);
    await untilByRedis();
    expect(onFallback).toHaveBeenCalledTimes(1);
  });

  it('a pause of this process is not taken for an outage of Redis', async () => {
    const port = await freePort();
    await startRedis(port);
    const { byRedis, onFallback } = watched(port);
    expect(await byRedis()).toBe(true);
    const answer = byRedis();
    setImmediate(() => {
      const until = performance.now() + 300;
      while (performance.now() < until);
    });
    expect(await answer).toBe(true);
    expect(onFallback).not.toHaveBeenCalled();
  });

  it('a Redis that connects but refuses is one outage, not many', async () => {
    const port = await freePort();
    await startRedis(port);
    const admin = new Redis(urlOf(port));
    afterwards(() => admin.disconnect());
    await admin.config('SET', 'maxmemory', '1');
    const { byRedis, untilByRedis, onFallback, onRecovered } = watched(port);
    for (let i = 0; i < 15; i++) {
      expect(await byRedis()).toBe(false);
      await sleep(100);
    }
    expect([onFallback.mock.calls.length, onRecovered.mock.calls.length]).toEqual([1, 0]);
    await admin.config('SET', 'maxmemory', '0');
    await untilByRedis();
    expect([onFallback.mock.calls.length, onRecovered.mock.calls.length]).toEqual([1, 1]);
  });

  it('a Redis that forgot the script is given it again', async () => {
    const port = await freePort();
    await startRedis(port);
    const { byRedis, onFallback } = watched(port);
    await byRedis();
    const admin = new Redis(urlOf(port));
    afterwards(() => admin.disconnect());
    await admin.script('FLUSH');
    expect(await times(5, byRedis)).not.toContain(false);
    expect(await admin.info('commandstats')).toMatch(/cmdstat_evalsha/);
    expect(onFallback).not.toHaveBeenCalled();
  });

  it('once closed it falls back without a word', async () => {
    const port = await freePort();
    await startRedis(port);
    const { limiter, byRedis, onFallback } = watched(port);
    expect(await byRedis()).toBe(true);
    const underway = byRedis();
    limiter.close();
    await underway;
    expect(await byRedis()).toBe(false);
    await sleep(50);
    expect(onFallback).not.toHaveBeenCalled();
  });
});
