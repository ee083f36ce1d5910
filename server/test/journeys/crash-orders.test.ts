import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import { callApi, sized } from '../harness/index.js';
import { OrderLoad, type SentOrder, type Wire } from './order-load.js';
import { Installation, type RunningCommand } from './service-process.js';

const ROUNDS = sized(1, 30);
const PATIENCE_MS = 120_000;
const CLIENTS = 8;
const SEED = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));
const SCOPES = [
  'products:write',
  'inventory:read',
  'inventory:write',
  'orders:read',
  'orders:write',
  'orders:approve',
  'dispatches:write',
  'events:read',
] as const;
const BATCHES = ['B1', 'B2', 'B3', 'B4'];

interface Verdict {
  ok: boolean;
  firstDifference: object | null;
}
interface StoredOrder {
  orderNo: string;
  orderId: string;
  status: string;
  quantity: number;
  history: string[];
  dispatchIds: string[];
}
interface FeedPage {
  items: { eventId: string; eventType: string; data: Record<string, string> }[];
  nextCursor: string;
  hasMore: boolean;
}

let home: Installation;
let port: number;
let staff: { picker: string; checker: string }[];
let service: RunningCommand;

/** The same numbers for the same seed (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

async function must<D>(method: string, path: string, body?: object): Promise<D> {
  const answer = await callApi<D>(service.url, method, path, body, staff[0]?.picker);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
}

beforeAll(async () => {
  home = await new Installation().prepare();
  port = await freePort();
  service = home.start('start', port);
  await service.ready;
  const picker = { scopes: SCOPES, owner: 'picker@test.example' };
  const checker = { scopes: SCOPES, owner: 'checker@test.example' };
  // Two of each, so that the rate limit is not reached.
  const [first = '', second = '', third = '', fourth = ''] = await home.addOrganization('crash', [
    picker,
    checker,
    picker,
    checker,
  ]);
  staff = [
    { picker: first, checker: second },
    { picker: third, checker: fourth },
  ];
  await must('PUT', '/v2/warehouses/WH-1', { name: 'Main' });
  await must('PUT', '/v2/partners/HOSP-1', { name: 'City hospital', roles: ['customer'] });
  await must('PUT', '/v2/products/CRASH-1', { productName: 'Sturdy' });
  for (const [i, batchNo] of BATCHES.entries()) {
    const opening = { warehouse: 'WH-1', quantityDelta: 250_000, reason: 'opening' };
    const batch = { productCode: 'CRASH-1', batchNo, expiryDate: `203${i}-01-01` };
    await must('POST', '/v2/stock/adjustments', { ...opening, ...batch });
  }
});
afterAll(() => home?.remove());

async function rows<R>(text: string, values: unknown[] = []): Promise<R[]> {
  const owner = await home.owner();
  try {
    return (await owner.query(text, values)).rows as R[];
  } finally {
    await owner.end();
  }
}

const wire: Wire = {
  post: (path: string, body: object, key: string, idempotencyKey: string) =>
    callApi(service.url, 'POST', path, body, key, { 'idempotency-key': idempotencyKey }).catch(() => null),
  recovered: (idempotencyKey: string) =>
    vi.waitFor(
      async () => {
        await service.ready;
        expect((await callApi(service.url, 'GET', '/readyz')).status).toBe(200);
        const kept = await rows('select 1 from idempotency_keys where key = $1', [idempotencyKey]);
        return kept.length > 0;
      },
      { timeout: PATIENCE_MS, interval: 50 },
    ),
};

/** Waits until the load has taken hold, kills at the drawn moment, and starts again. */
async function killOnce(load: OrderLoad, withDatabase: boolean, afterMs: number): Promise<void> {
  await takeHold(load);
  const victim = service;
  const postmaster = home.postmasterPid;
  if (postmaster === null) throw new Error('no database runs');
  setTimeout(() => {
    victim.child.kill('SIGKILL');
    if (withDatabase) process.kill(postmaster, 'SIGKILL');
  }, afterMs);
  expect(await victim.exit).toEqual({ code: null, signal: 'SIGKILL' });
  service = home.start('start', port);
  await service.ready;
  expect(home.postmasterPid === postmaster).toBe(!withDatabase);
}

async function takeHold(load: OrderLoad): Promise<void> {
  const known = load.acknowledged;
  await vi.waitFor(() => {
    expect(load.failures).toEqual([]);
    expect(load.acknowledged).toBeGreaterThan(known + 3 * CLIENTS);
  }, PATIENCE_MS);
}

const storedOrders = () =>
  rows<StoredOrder>(`
    select order_no as "orderNo", order_id as "orderId", status,
      (select sum(quantity)::int from order_lines l where l.org_id = o.org_id and l.order_id = o.order_id) as quantity,
      array(select current_status from order_status_changes c where c.org_id = o.org_id and c.order_id = o.order_id
        order by version, step) as history,
      array(select dispatch_id::text from dispatches d where d.org_id = o.org_id and d.order_id = o.order_id
        order by 1) as "dispatchIds"
    from orders o order by order_no collate "C"`);

/** The orders that must be stored. Every outcome was resolved, so they are known exactly. */
const expectedOrders = (sent: readonly SentOrder[]): StoredOrder[] =>
  sent
    .map(({ orderNo, orderId, quantity, statuses, dispatchIds }) => ({
      orderNo,
      orderId: orderId ?? 'never acknowledged',
      status: statuses.at(-1) ?? '',
      quantity,
      history: statuses,
      dispatchIds,
    }))
    .sort((a, b) => (a.orderNo < b.orderNo ? -1 : 1));

async function feed(): Promise<FeedPage['items']> {
  const items: FeedPage['items'] = [];
  for (let after = ''; ; ) {
    const page: FeedPage = await must('GET', `/v2/events?limit=200${after}`);
    items.push(...page.items);
    if (!page.hasMore) return items;
    after = `&after=${page.nextCursor}`;
  }
}

async function expectOneEventPerChange(orders: readonly StoredOrder[]): Promise<void> {
  const items = await feed();
  expect(new Set(items.map((item) => item.eventId)).size).toBe(items.length);
  const published = items
    .filter((item) => item.eventType === 'order.status_changed')
    .map(({ data }) => `${data.orderNo} ${data.previousStatus} > ${data.currentStatus}`);
  const changes = orders.flatMap(({ orderNo, history }) =>
    history.slice(1).map((status, i) => `${orderNo} ${history[i]} > ${status}`),
  );
  expect(published.sort()).toEqual(changes.sort());
  const left = items.filter((item) => item.eventType === 'inventory.outbound_completed');
  const shipped = orders.filter(({ history }) => history.includes('dispatched'));
  expect(left.map(({ data }) => data.orderNo).sort()).toEqual(shipped.map(({ orderNo }) => orderNo).sort());
}

async function expectStock(orders: readonly StoredOrder[]): Promise<void> {
  const sum = (some: readonly StoredOrder[]) => some.reduce((total, order) => total + order.quantity, 0);
  const shipped = sum(orders.filter(({ history }) => history.includes('dispatched')));
  const reserved = sum(orders.filter(({ status }) => status === 'approved'));
  const record = await must<object>('GET', '/v2/inventory?productCode=CRASH-1&warehouse=WH-1');
  const totalQuantity = BATCHES.length * 250_000 - shipped;
  expect(record).toMatchObject({ totalQuantity, reservedQuantity: reserved, blockedQuantity: 0 });
  const sound = expect.objectContaining({ ok: true, firstDifference: null });
  for (const what of ['stock', 'audit'])
    expect([what, await home.cli<Verdict>(what, 'verify')]).toEqual([what, sound]);
}

describe('orders, while the service is killed at any moment', () => {
  it(
    `nothing acknowledged is lost, nothing invented, nothing done twice (${ROUNDS} kills, ${CLIENTS} clients, seed ${SEED})`,
    async () => {
      const beganMs = performance.now();
      const moment = seeded(SEED);
      const load = new OrderLoad(wire, staff, seeded(SEED + 1)).begin(CLIENTS);
      const moments: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const withDatabase = round % 2 === 1;
        const afterMs = moment(1_500);
        moments.push(`${afterMs} ms${withDatabase ? ' with the database' : ''}`);
        await killOnce(load, withDatabase, afterMs);
      }
      await takeHold(load);
      await load.finish();
      expect(load.failures).toEqual([]);
      const orders = await storedOrders();
      console.log(
        `crash of orders: N = ${ROUNDS} kills (${moments.join(', ')}), seed ${SEED}; ${load.sent.length} orders, ` +
          `${load.acknowledged} answers; ${load.unknown} outcomes unknown, of which ${load.unknownDone} had been done ` +
          `and ${load.unknownNotDone} not; ${((performance.now() - beganMs) / 1000).toFixed(1)} s`,
      );
      expect(load.unknown, 'invalid run: no outcome was ever unknown, so it proves nothing').toBeGreaterThan(
        0,
      );
      expect(orders).toEqual(expectedOrders(load.sent));
      await expectOneEventPerChange(orders);
      await expectStock(orders);
    },
    sized(300_000, 1_200_000),
  );
});
