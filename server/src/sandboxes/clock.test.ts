import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  newOrganization,
  newSandbox,
  openTestService,
  sized,
  startApi,
  type TestSandbox,
} from '../../test/harness/index.js';
import { createKey } from '../credentials/index.js';
import { addDays } from '../platform/calendar/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { performDueDailyRuns } from '../watch/index.js';
import { advanceClock, type ClockMove } from './advance-clock.js';

const TODAY = '2026-11-15';
let service: Awaited<ReturnType<typeof openTestService>>;
let production: string;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

/** A sandbox of an organization of its own. */
async function open(): Promise<TestSandbox> {
  production = (await newOrganization(service.db)).key;
  const sandbox = await newSandbox(service, production);
  await sandbox.must('PUT', '/v2/partners/SUP', { name: 'Acme', roles: ['supplier'] });
  await sandbox.must('PUT', '/v2/warehouses/WH', { name: 'Main' });
  return sandbox;
}
const advance = (sandbox: TestSandbox, duration: string) =>
  sandbox.must<ClockMove>('POST', '/v2/sandbox/clock', { advance: duration });
const certify = (sandbox: TestSandbox, certificateNo: string, validTo: string) =>
  sandbox.must<{ certificateId: string }>('POST', '/v2/certificates', {
    ...{ certificateNo, type: 'licence', subjectType: 'supplier', subjectCode: 'SUP', issuer: 'authority' },
    ...{ validFrom: '2020-01-01', validTo },
  });
const inside = (sandbox: TestSandbox) =>
  systemPrincipal(sandbox.sandboxId, 'test@test.example', { timeZone: 'UTC', sandbox: { daysAhead: 0 } });

interface Event {
  eventType: string;
  timestamp: string;
  data: Record<string, string | number>;
}
const eventsOf = async (sandbox: TestSandbox): Promise<Event[]> => {
  const all: Event[] = [];
  for (let cursor = ''; ; ) {
    const query = `limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await sandbox.must<{ items: Event[]; nextCursor: string; hasMore?: boolean }>(
      'GET',
      `/v2/events?${query}`,
    );
    all.push(...page.items);
    if (page.items.length < 200) return all;
    cursor = page.nextCursor;
  }
};

/** A repeatable choice: the same numbers in every run. */
function dice(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

interface Batch {
  productCode: string;
  batchNo: string;
  expires: number;
  quantity: number;
}
interface Product {
  productCode: string;
  near: number;
  safety: number;
}
interface Certificate {
  certificateId: string;
  expires: number;
}

/** Notifications that the calendar requires, day by day; day 0 is the day on which everything was entered. */
function expectedFrom(
  days: number,
  certificates: readonly Certificate[],
  products: readonly Product[],
  batches: readonly Batch[],
): string[] {
  const lines: string[] = [];
  for (let day = 0; day <= days; day++) {
    for (const { certificateId, expires } of certificates) {
      const left = expires - day;
      const threshold = [7, 15, 30].find((each) => left <= each);
      const isNew = day === 0 ? threshold !== undefined : [7, 15, 30].includes(left);
      if (isNew) lines.push(`${day} certificate.expiring ${certificateId} ${threshold} ${left}`);
    }
    for (const { productCode, near, safety } of products) {
      const own = batches.filter((batch) => batch.productCode === productCode);
      for (const { batchNo, expires } of own) {
        const left = expires - day;
        if (day === 0 ? left <= near : left === near)
          lines.push(`${day} expiry.warning ${productCode}/${batchNo} ${left}`);
      }
      const usable = own
        .filter(({ expires }) => expires >= day)
        .reduce((sum, each) => sum + each.quantity, 0);
      if (day > 0 && own.some(({ expires }) => expires === day - 1) && usable < safety)
        lines.push(`${day} inventory.low_stock ${productCode} ${usable}`);
    }
  }
  return lines.sort();
}

/** The same lines from the feed. The version of a notification is its day. */
async function seenIn(sandbox: TestSandbox): Promise<string[]> {
  const rows = await service.db.sql<{ version: string; body: string }>(
    'select entity_version::text as version, body from events where org_id = $1',
    [sandbox.sandboxId],
  );
  const dayOf = (version: string) =>
    Math.round((Date.parse(version.replace(/(....)(..)(..)/, '$1-$2-$3')) - Date.parse(TODAY)) / 86_400_000);
  return rows
    .map(({ version, body }) => {
      const { eventType, data } = JSON.parse(body) as Event;
      const day = dayOf(version);
      if (eventType === 'certificate.expiring')
        return `${day} ${eventType} ${data.certificateId} ${data.threshold} ${data.daysRemaining}`;
      if (eventType === 'expiry.warning')
        return `${day} ${eventType} ${data.productCode}/${data.batchNo} ${data.daysRemaining}`;
      return `${day} ${eventType} ${data.productCode} ${data.availableQuantity}`;
    })
    .sort();
}

const productionRows = async () => {
  const [row] = await service.db.sql(
    `select (select count(*) from events where org_id <> all($1)) as events,
       (select count(*) from movements where org_id <> all($1)) as movements,
       (select count(*) from daily_runs where org_id <> all($1)) as runs,
       (select count(*) from audit_entries where org_id <> all($1)) as entries,
       (select sum(days_ahead) from organizations where org_id <> all($1)) as "daysAhead"`,
    [(await service.db.sql<{ id: string }>('select sandbox_id as id from sandboxes')).map(({ id }) => id)],
  );
  return row;
};

describe('the clock of a sandbox', () => {
  it.each(Array.from({ length: sized(2, 12) }, (_, i) => i + 1))(
    'notifies, in steps of any length, of exactly what a calendar says, each once, and nothing in production (%i)',
    async (seed) => {
      const roll = dice(seed);
      const sandbox = await open();
      const products: Product[] = [];
      const batches: Batch[] = [];
      const certificates: Certificate[] = [];
      for (let i = 0; i < 6; i++) {
        // The first has a batch whose last day is the first day, and never enough stock after it.
        const product = { productCode: `P-${i}`, near: roll(40), safety: i === 0 ? 100 : roll(30) };
        products.push(product);
        await sandbox.must('PUT', `/v2/products/P-${i}`, {
          ...{ productName: 'Stent', nearExpiryDays: product.near, safetyStock: product.safety },
        });
        for (let b = 0; b < 1 + roll(4); b++) {
          const batch = {
            productCode: `P-${i}`,
            batchNo: `B-${b}`,
            expires: i + b === 0 ? 0 : roll(90),
            quantity: 1 + roll(20),
          };
          batches.push(batch);
          await sandbox.must('POST', '/v2/stock/adjustments', {
            ...{ productCode: batch.productCode, batchNo: batch.batchNo, warehouse: 'WH', reason: 'count' },
            ...{ expiryDate: addDays(TODAY, batch.expires), quantityDelta: batch.quantity },
          });
        }
      }
      for (let i = 0; i < 8; i++) {
        const expires = roll(95);
        const { certificateId } = await certify(sandbox, `C-${i}`, addDays(TODAY, expires));
        certificates.push({ certificateId, expires });
      }
      const before = await productionRows();
      const emitted: string[] = [];
      for (let day = 0; day < 60; ) {
        const step = Math.min(1 + roll(20), 60 - day);
        const moved = await advance(sandbox, `P${step}D`);
        day += step;
        expect(moved).toMatchObject({ businessDate: addDays(TODAY, day), daysAhead: day, days: step });
        expect(moved.counts.reduce((sum, { count }) => sum + count, 0)).toBe(moved.emitted.length);
        emitted.push(...moved.emitted.map((each) => `${each.eventType} ${each.entityId}`));
      }
      const expected = expectedFrom(60, certificates, products, batches);
      expect(await seenIn(sandbox)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(20);
      const later = expected.filter((line) => !line.startsWith('0 '));
      expect(emitted.sort()).toEqual(later.map((line) => line.split(' ').slice(1, 3).join(' ')).sort());
      expect(await productionRows()).toEqual(before);
      // A worker that comes by finds nothing left to do.
      const onError = (error: unknown) => expect(error).toBeUndefined();
      await performDueDailyRuns(service.db.database, { consoleUrl: '', onError });
      expect(await seenIn(sandbox)).toEqual(expected);
    },
  );

  it('counts at once in every process, for stock, certificates and new writes', async () => {
    const sandbox = await open();
    const second = await startApi(service.db.database);
    try {
      const there = async <D>(method: string, path: string, body?: object) =>
        (await second.call<D>(method, path, body, sandbox.apiKey)).data;
      const { certificateId } = await certify(sandbox, 'L', addDays(TODAY, 40));
      await sandbox.must('PUT', '/v2/products/P', { productName: 'Stent' });
      const entry = { productCode: 'P', warehouse: 'WH', batchNo: 'B', reason: 'count', quantityDelta: 5 };
      await sandbox.must('POST', '/v2/stock/adjustments', { ...entry, expiryDate: addDays(TODAY, 40) });
      const states = async () => [
        (await there<{ status: string }>('GET', `/v2/certificates/${certificateId}`)).status,
        (await there<{ availableQuantity: number }>('GET', '/v2/inventory?productCode=P')).availableQuantity,
        (await there<{ businessDate: string }>('GET', '/v2/whoami')).businessDate,
      ];
      expect(await states()).toEqual(['valid', 5, TODAY]);
      await advance(sandbox, 'P41D');
      expect(await states()).toEqual(['expired', 0, addDays(TODAY, 41)]);
      const recorded = await there<{ item?: unknown; movementId: string }>('POST', '/v2/stock/adjustments', {
        ...{ ...entry, batchNo: 'C', expiryDate: addDays(TODAY, 45) },
      });
      expect(recorded.movementId).toMatch(/^mov_/);
      const [notice] = await service.db.sql<{ day: string }>(
        `select entered_on::text as day from near_expiry_notices where org_id = $1 and batch_no = 'C'`,
        [sandbox.sandboxId],
      );
      expect(notice?.day).toBe(addDays(TODAY, 41));
    } finally {
      await second.close();
    }
  });

  it('does not move instants, the end of keys, or production', async () => {
    const sandbox = await open();
    const made = await transact(service.db.database, inside(sandbox), (tx) =>
      createKey(tx, { name: 'short', scopes: ['events:read'], owner: 'a@test.example', expires: TODAY }),
    );
    await certify(sandbox, 'L', addDays(TODAY, 40));
    await advance(sandbox, 'P1Y');
    expect((await service.call('GET', '/v2/events', undefined, made.apiKey)).status).toBe(200);
    expect((await eventsOf(sandbox)).map(({ timestamp }) => timestamp)).toEqual(
      Array.from({ length: 3 }, () => service.db.clock.now().toISOString()),
    );
    const who = await service.call('GET', '/v2/whoami', undefined, production);
    expect(who.data).toMatchObject({ sandbox: false, businessDate: TODAY });
  });

  it('is moved by two calls at once as by one after the other', async () => {
    const sandbox = await open();
    const { certificateId } = await certify(sandbox, 'L', addDays(TODAY, 50));
    const moves = await Promise.all([advance(sandbox, 'P25D'), advance(sandbox, 'P25D')]);
    expect(moves.map(({ daysAhead }) => daysAhead).sort()).toEqual([25, 50]);
    expect((await seenIn(sandbox)).map((line) => line.split(' ').slice(0, 4).join(' '))).toEqual(
      [20, 35, 43].map((day, i) => `${day} certificate.expiring ${certificateId} ${[30, 15, 7][i]}`),
    );
  });

  it('stays where it was if the process dies on the way, and goes on from there', async () => {
    const sandbox = await open();
    await certify(sandbox, 'L', addDays(TODAY, 35));
    const dying = transact(service.db.database, inside(sandbox), async (tx) => {
      const moved = await advanceClock(tx, 'P10D', { consoleUrl: '' });
      expect(moved.emitted).toHaveLength(1);
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await seenIn(sandbox)).toEqual([]);
    expect((await advance(sandbox, 'P5D')).emitted).toMatchObject([{ businessDate: addDays(TODAY, 5) }]);
  });

  it('has its moves in the audit trail, and repeats none under an Idempotency-Key', async () => {
    const sandbox = await open();
    const once = { 'idempotency-key': 'move-1' };
    const move = () =>
      service.call<ClockMove>('POST', '/v2/sandbox/clock', { advance: 'P3D' }, sandbox.apiKey, once);
    expect([(await move()).data.daysAhead, (await move()).data.daysAhead]).toEqual([3, 3]);
    const { items } = await sandbox.must<{ items: object[] }>(
      'GET',
      '/v2/audit?action=sandbox.advance_clock',
    );
    expect(items).toMatchObject([{ before: { businessDate: TODAY }, after: { daysAhead: 3 } }]);
  });

  it.each([
    ['P0D', 'clock_too_far'],
    ['P367D', 'clock_too_far'],
    ['P53W', 'clock_too_far'],
    ['PT24H', 'bad_format'],
    ['30', 'bad_format'],
    ['', 'bad_length'],
  ])('refuses to advance by %j', async (duration, reason) => {
    const sandbox = await open();
    const answer = await service.call('POST', '/v2/sandbox/clock', { advance: duration }, sandbox.apiKey);
    expect([answer.status, answer.reason]).toEqual([400, reason]);
  });

  it('moves ten years at most', async () => {
    const sandbox = await open();
    await service.db.sql('update organizations set days_ahead = 3650 where org_id = $1', [sandbox.sandboxId]);
    const answer = await service.call('POST', '/v2/sandbox/clock', { advance: 'P11D' }, sandbox.apiKey);
    expect([answer.status, answer.reason]).toEqual([400, 'clock_too_far']);
    expect((await advance(sandbox, 'P10D')).daysAhead).toBe(3660);
  });

  it('is no business of a production credential', async () => {
    for (const [path, body] of [
      ['/v2/sandbox/clock', { advance: 'P1D' }],
      ['/v2/sandbox/trigger', { eventType: 'expiry.warning' }],
    ] as const) {
      const answer = await service.call('POST', path, body);
      expect([answer.status, answer.reason]).toEqual([403, 'not_a_sandbox']);
    }
    const [row] = await service.db.sql<{ refused: string }>(
      `with tried as (select 1) select count(*)::text as refused from organizations where sandbox_of is null and days_ahead <> 0`,
    );
    expect(row?.refused).toBe('0');
  });
});
