import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import { type Answer, callApi, fullTier, sized } from '../harness/index.js';
import { Installation, isAlive, type RunningCommand } from './service-process.js';

const ROUNDS = sized(1, 20);
const PATIENCE_MS = 120_000;
const CLIENTS = 8;
const SCOPES = [
  'products:read',
  'products:write',
  'inventory:read',
  'inventory:write',
  'audit:read',
] as const;
const BATCHES = ['B1', 'B2', 'B3', 'B4'];
const PRODUCT = 'CRASH-1';

interface Verdict {
  ok: boolean;
  firstDifference: object | null;
  organizations: { organization: string; head?: string }[];
}
interface Adjusted {
  movementId: string;
  batchNo: string;
  quantityDelta: number;
}
interface MovementPage {
  items: (Adjusted & { kind: string })[];
  nextCursor: string | null;
}

let home: Installation;
let port: number;
let keys: string[];
let service: RunningCommand;

const call = <D = unknown>(method: string, path: string, body?: object, key = keys[0], headers = {}) =>
  callApi<D>(service.url, method, path, body, key, headers);

async function must(method: string, path: string, body: object): Promise<void> {
  const answer = await call(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
}

beforeAll(async () => {
  home = await new Installation().prepare();
  port = await freePort();
  service = home.start('start', port);
  await service.ready;
  const key = { scopes: SCOPES, owner: 'crash@test.example' };
  // Several keys, so that the rate limit is not reached.
  keys = await home.addOrganization('crash', [key, key, key]);
  await must('PUT', '/v2/warehouses/WH-1', { name: 'Main' });
  await must('PUT', `/v2/products/${PRODUCT}`, { productName: 'Sturdy' });
  for (const batchNo of BATCHES) {
    const opening = { warehouse: 'WH-1', quantityDelta: 1_000, expiryDate: null, reason: 'opening' };
    await must('POST', '/v2/stock/adjustments', { productCode: PRODUCT, batchNo, ...opening });
  }
});
afterAll(() => home?.remove());

/** Clients that repeat a request with the same idempotency key until its outcome is known. */
class Load {
  readonly acknowledged: Adjusted[] = [];
  refused = 0;
  unknown = 0;
  #stopping = false;
  #clients: Promise<void>[] = [];

  begin(): this {
    this.#clients = Array.from({ length: CLIENTS }, (_, i) => this.#client(keys[1 + (i % 2)] ?? ''));
    return this;
  }

  async finish(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#clients);
  }

  async #client(key: string): Promise<void> {
    while (!this.#stopping) {
      const batchNo = BATCHES[randomInt(BATCHES.length)];
      const quantityDelta = randomInt(2) === 0 ? randomInt(1, 6) : -randomInt(1, 6);
      const body = { productCode: PRODUCT, warehouse: 'WH-1', batchNo, quantityDelta, reason: 'load' };
      const answer = await this.#untilKnown(body, key, randomUUID());
      if (answer.status === 200) this.acknowledged.push(answer.data);
      else this.refused++;
    }
  }

  async #untilKnown(body: object, key: string, idempotencyKey: string): Promise<Answer<Adjusted>> {
    for (;;) {
      const asked = service;
      const answer = await call<Adjusted>('POST', '/v2/stock/adjustments', body, key, {
        'idempotency-key': idempotencyKey,
      }).catch(() => null);
      if (answer?.status === 200 || answer?.reason === 'insufficient_stock') return answer;
      if (answer && answer.status !== 500) throw new Error(`not an answer to expect: ${answer.text}`);
      this.unknown++;
      await vi.waitFor(() => expect(service !== asked || answer !== null).toBe(true), PATIENCE_MS);
      await service.ready;
    }
  }
}

async function ledger(): Promise<(Adjusted & { kind: string })[]> {
  const rows: (Adjusted & { kind: string })[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { data } = await call<MovementPage>('GET', `/v2/stock/movements?limit=200${at}`);
    rows.push(...data.items);
    cursor = data.nextCursor;
  } while (cursor !== null);
  return rows;
}

async function balances(): Promise<Record<string, number>> {
  const { data } = await call<{ batches: { batchNo: string; quantity: number }[] }>(
    'GET',
    `/v2/inventory?productCode=${PRODUCT}&warehouse=WH-1`,
  );
  return Object.fromEntries(data.batches.map((batch) => [batch.batchNo, batch.quantity]));
}

const sums = (rows: readonly Adjusted[]): Record<string, number> => {
  const total: Record<string, number> = {};
  for (const row of rows) total[row.batchNo] = (total[row.batchNo] ?? 0) + row.quantityDelta;
  return total;
};

async function expectSound(): Promise<void> {
  for (const what of ['stock', 'audit'])
    expect([what, await home.cli<Verdict>(what, 'verify')]).toEqual([
      what,
      expect.objectContaining({ ok: true, firstDifference: null }),
    ]);
}

describe('killed at any moment', () => {
  it(
    `nothing acknowledged is lost, nothing is done twice (${ROUNDS} rounds, ${CLIENTS} clients)`,
    async () => {
      const before = await ledger();
      const load = new Load().begin();
      const moments: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const known = load.acknowledged.length;
        // The moment is drawn after the load has taken hold again.
        await vi.waitFor(
          () => expect(load.acknowledged.length).toBeGreaterThan(known + CLIENTS),
          PATIENCE_MS,
        );
        const afterMs = randomInt(0, 1_500);
        // The one kill of a usual run takes the database along; `crash-orders` has one that does not.
        const withDatabase = !fullTier || round % 2 === 1;
        const victim = service;
        const postmaster = home.postmasterPid;
        expect(postmaster).not.toBeNull();
        setTimeout(() => {
          victim.child.kill('SIGKILL');
          if (withDatabase && postmaster !== null) process.kill(postmaster, 'SIGKILL');
        }, afterMs);
        expect(await victim.exit).toEqual({ code: null, signal: 'SIGKILL' });
        moments.push(`${afterMs} ms${withDatabase ? ' with the database' : ''}`);
        service = home.start('start', port);
        await service.ready;
        // The database that went on is taken over, one that was killed is replaced.
        expect(home.postmasterPid === postmaster).toBe(!withDatabase);
      }
      const known = load.acknowledged.length;
      await vi.waitFor(() => expect(load.acknowledged.length).toBeGreaterThan(known + CLIENTS), PATIENCE_MS);
      await load.finish();
      console.log(
        `crash: ${ROUNDS} kills (${moments.join(', ')}), ${load.acknowledged.length} acknowledged, ` +
          `${load.refused} refused, ${load.unknown} unknown and resolved`,
      );
      expect(load.unknown, 'no outcome was ever unknown: the run proves nothing').toBeGreaterThan(0);
      const rows = await ledger();
      const ids = rows.map((row) => row.movementId).sort();
      const expected = [...before, ...load.acknowledged].map((row) => row.movementId).sort();
      expect(ids).toEqual(expected);
      expect(sums([...before, ...load.acknowledged])).toEqual(await balances());
      expect(sums(rows)).toEqual(await balances());
      await expectSound();
    },
    sized(300_000, 900_000),
  );

  it('the database alone: requests fail with 500 / 9999 until it is back by itself', async () => {
    const postmaster = home.postmasterPid;
    if (postmaster === null) throw new Error('no database runs');
    process.kill(postmaster, 'SIGKILL');
    const statuses = new Set<number>();
    await vi.waitFor(
      async () => {
        const answer = await call('GET', `/v2/inventory?productCode=${PRODUCT}`);
        statuses.add(answer.status);
        if (answer.status === 500)
          expect([answer.code, answer.headers.get('retry-after')]).toEqual([9999, expect.any(String)]);
        expect(home.postmasterPid).not.toBe(postmaster);
        expect(answer.status).toBe(200);
      },
      { timeout: PATIENCE_MS, interval: 20 },
    );
    expect([...statuses].every((status) => status === 200 || status === 500)).toBe(true);
    expect(service.child.exitCode).toBeNull();
    await expectSound();
  });
});

describe('stopped by a signal', () => {
  it('under load every started request is answered, and a restart continues with the same data', async () => {
    const before = await balances();
    const outcomes: { key: string; answered: boolean; delta: number }[] = [];
    let stopping = false;
    const clients = Array.from({ length: CLIENTS }, async (_, i) => {
      while (!stopping) {
        const key = randomUUID();
        const body = {
          productCode: PRODUCT,
          warehouse: 'WH-1',
          batchNo: 'B2',
          quantityDelta: 1,
          reason: 'load',
        };
        const answer = await call('POST', '/v2/stock/adjustments', body, keys[1 + (i % 2)], {
          'idempotency-key': key,
        }).catch(() => null);
        outcomes.push({ key, answered: answer !== null, delta: answer?.status === 200 ? 1 : 0 });
        if (answer === null) return;
        expect([answer.status, answer.code]).toEqual(answer.status === 200 ? [200, 0] : [500, 9999]);
      }
    });
    await vi.waitFor(() => expect(outcomes.length).toBeGreaterThan(40), PATIENCE_MS);
    const postmaster = home.postmasterPid ?? 0;
    service.child.kill('SIGTERM');
    expect(await service.exit).toEqual({ code: 0, signal: null });
    stopping = true;
    await Promise.all(clients);
    expect(isAlive(postmaster)).toBe(false);

    service = home.start('api', port);
    await service.ready;
    const owner = await home.owner();
    const unanswered = outcomes.filter((outcome) => !outcome.answered).map((outcome) => outcome.key);
    const { rows } = await owner.query('select key from idempotency_keys where key = any($1)', [unanswered]);
    await owner.end();
    expect(rows).toEqual([]);
    const acknowledged = outcomes.reduce((sum, outcome) => sum + outcome.delta, 0);
    expect((await balances()).B2).toBe((before.B2 ?? 0) + acknowledged);
    console.log(
      `stop under load: ${acknowledged} acknowledged, ${unanswered.length} never taken, of ${outcomes.length}`,
    );
  });
});

describe('verifying by command, beside the running server', () => {
  const verdict = async (...args: string[]) => {
    const { exitCode, out } = await home.command(...args, '--json');
    return { code: exitCode, ...(JSON.parse(out) as Verdict) };
  };

  it('names the first difference of a balance that was tampered with, and exits with 1', async () => {
    const owner = await home.owner();
    const change = 'update balances set quantity = quantity + $1 where batch_no = $2';
    await owner.query(change, [5, 'B4']);
    const place = { organization: 'crash', productCode: PRODUCT, warehouse: 'WH-1', batchNo: 'B4' };
    // In a process of its own, for its exit code.
    const { code, stdout } = await home.run('stock', 'verify', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, firstDifference: place });
    await owner.query(change, [-5, 'B4']);
    await owner.end();
    expect(await verdict('stock', 'verify', '--org', 'crash')).toMatchObject({ code: 0, ok: true });
  });

  it('notices by the head noted before that the end of the audit was cut off, head and all', async () => {
    const noted = (await verdict('audit', 'verify', '--org', 'crash')).organizations[0]?.head ?? '';
    const expecting = ['audit', 'verify', '--org', 'crash', '--expect-head', noted];
    expect(await verdict(...expecting)).toMatchObject({ code: 0, ok: true });
    const owner = await home.owner();
    await owner.query(
      'delete from audit_entries where position > (select max(position) - 3 from audit_heads)',
    );
    await owner.query(
      `update audit_heads h set (position, hash) = (
         select e.position, e.hash from audit_entries e where e.org_id = h.org_id order by e.position desc limit 1)`,
    );
    await owner.end();
    expect(await verdict('audit', 'verify', '--org', 'crash')).toMatchObject({ code: 0, ok: true });
    expect(await verdict(...expecting)).toMatchObject({
      code: 1,
      ok: false,
      firstDifference: { organization: 'crash', problem: 'the expected head is not in the chain' },
    });
  });
});

describe('two on one folder', () => {
  it('a port that is taken is said so in one line, and the exit code is 1', async () => {
    const late = home.start('start', port);
    expect(await late.exit).toEqual({ code: 1, signal: null });
    expect(late.output.trim().split('\n')).toEqual([
      expect.stringContaining(`Port ${port} on 127.0.0.1 is taken.`),
    ]);
    expect((await call('GET', '/v2/products')).status).toBe(200);
  });

  it('a second process serves the same stock on its own port, and the database stays for the one that stays', async () => {
    const other = home.start('start', await freePort());
    await other.ready;
    const path = `/v2/inventory?productCode=${PRODUCT}`;
    const [here, there] = await Promise.all([
      call('GET', path),
      callApi(other.url, 'GET', path, undefined, keys[0]),
    ]);
    expect(there.data).toEqual(here.data);
    const postmaster = home.postmasterPid ?? 0;
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(isAlive(postmaster)).toBe(true);
    const body = {
      productCode: PRODUCT,
      warehouse: 'WH-1',
      batchNo: 'B3',
      quantityDelta: 1,
      reason: 'alone',
    };
    expect((await callApi(other.url, 'POST', '/v2/stock/adjustments', body, keys[0])).status).toBe(200);
    service = other;
  });
});

describe('the last one on a folder, stopped by a signal', () => {
  it('requests in flight are answered, then the process exits with 0 and stops its database', async () => {
    const blocker = await home.owner();
    const watcher = await home.owner();
    await blocker.query('begin');
    await blocker.query('select from products where product_code = $1 for update', [PRODUCT]);
    const body = { productCode: PRODUCT, warehouse: 'WH-1', batchNo: 'B1', quantityDelta: 1, reason: 'last' };
    const inFlight = Array.from({ length: 5 }, () => call<Adjusted>('POST', '/v2/stock/adjustments', body));
    await vi.waitFor(async () => {
      const { rows } = await watcher.query(
        `select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = 'lotward'`,
      );
      expect(rows).toEqual([{ count: 5 }]);
    }, PATIENCE_MS);
    const postmaster = home.postmasterPid ?? 0;
    service.child.kill('SIGTERM');
    // It no longer takes new callers, but it still knows the old ones.
    await vi.waitFor(() => expect(callApi(service.url, 'GET', '/healthz')).rejects.toThrow(), PATIENCE_MS);
    expect(service.child.exitCode).toBeNull();
    await blocker.query('commit');
    await Promise.all([blocker.end(), watcher.end()]);
    expect((await Promise.all(inFlight)).map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(isAlive(postmaster)).toBe(false);
    // Every command works without a server too.
    await expectSound();
    expect(home.postmasterPid).toBeNull();
  });
});
