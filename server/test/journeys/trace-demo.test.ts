import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fullTier,
  openDemoDatabase,
  sized,
  startApi,
  type TestApi,
  type TestDatabase,
} from '../harness/index.js';
import type { TraceAnswer, TracedItem } from './trace-world.js';

let db: TestDatabase;
let api: TestApi;
let key: string;
let orgId: string;
beforeAll(async () => {
  const opened = await openDemoDatabase();
  db = opened.db;
  const { demo } = opened;
  orgId = demo.organization.orgId;
  key = demo.keys[0]?.apiKey ?? '';
  api = await startApi(db.database);
});
afterAll(async () => {
  await api.close();
  await db.close();
});

/** The change that each step makes to the stock, or to the goods at customers. */
const ADDS: Record<string, number> = {
  received: 1,
  returned: 1,
  added: 1,
  moved_in: 1,
  removed: -1,
  moved_out: -1,
  destroyed: -1,
  returned_to_supplier: -1,
  dispatched: -1,
};
const GIVES: Record<string, number> = { dispatched: 1, returned: -1 };

async function traceAll(code: string): Promise<TraceAnswer> {
  const items: TracedItem[] = [];
  let cursor: string | null = null;
  for (;;) {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const path = `/v2/udi/${encodeURIComponent(code)}?limit=200${query}`;
    const { status, data, text } = await api.call<TraceAnswer>('GET', path, undefined, key);
    if (status !== 200) throw new Error(`${code}: ${text}`);
    items.push(...data.chain.items);
    cursor = data.chain.nextCursor;
    if (cursor === null) return { ...data, chain: { items, nextCursor: null } };
  }
}

/** The quantity of each holder, computed from the steps alone. */
function heldBy(items: readonly TracedItem[]): Record<string, number> {
  const held: Record<string, number> = {};
  const count = (who: string, quantity: number) => {
    held[who] = (held[who] ?? 0) + quantity;
  };
  for (const { step, location, from, to, quantity } of items) {
    const customer = [from, to].find((party) => party?.kind === 'customer');
    if (location !== null) count(`warehouse ${location}`, quantity * (ADDS[step] ?? 0));
    const delta = quantity * (GIVES[step] ?? 0);
    // Goods that the customer did not hold are taken in as an unmatched return, which takes nothing from it.
    if (customer)
      count(`customer ${customer.code}`, Math.max(delta, -(held[`customer ${customer.code}`] ?? 0)));
  }
  return Object.fromEntries(Object.entries(held).filter(([, quantity]) => quantity !== 0));
}
const shownHolders = ({ holders }: TraceAnswer) =>
  Object.fromEntries(holders.map(({ kind, code, quantity }) => [`${kind} ${code}`, quantity]));

/** By default every thirtieth, from one that differs from run to run, and the one with most movements. */
function sampleOf<B extends { movements: number }>(batches: readonly B[]): B[] {
  if (fullTier) return [...batches];
  const first = randomInt(30);
  const most = Math.max(...batches.map(({ movements }) => movements));
  const longest = batches.find(({ movements }) => movements === most);
  return batches.filter((batch, i) => i % 30 === first || batch === longest);
}

describe('every trace of the demo organization', () => {
  it('of a batch adds up to the ledger, and to what its holders are said to have', async () => {
    const batches = await db.sql<{ di: string; batchNo: string; movements: number; stock: number }>(
      `select d.udi_di as di, m.batch_no as "batchNo", count(*)::integer as movements, sum(m.quantity_delta)::integer as stock
       from movements m join device_identifiers d on d.org_id = m.org_id and d.product_code = m.product_code and d.level is null
       where m.org_id = $1 and m.batch_no <> '' group by 1, 2 order by 1, 2`,
      [orgId],
    );
    expect(batches.length).toBeGreaterThan(500);
    for (const { di, batchNo, movements, stock } of sampleOf(batches)) {
      const trace = await traceAll(`(01)${di}(10)${batchNo}`);
      const inStock = trace.holders
        .filter(({ kind }) => kind === 'warehouse')
        .reduce((sum, { quantity }) => sum + quantity, 0);
      expect([di, batchNo, trace.chain.items.length, inStock]).toEqual([di, batchNo, movements, stock]);
      expect([di, batchNo, shownHolders(trace)]).toEqual([di, batchNo, heldBy(trace.chain.items)]);
    }
  }, 300_000);

  it('of a serialized unit leads to the one who has it', async () => {
    const units = await db.sql<{ di: string; serialNo: string; warehouse: string | null }>(
      `select d.udi_di as di, s.serial_no as "serialNo", s.warehouse from serials s
       join device_identifiers d on d.org_id = s.org_id and d.product_code = s.product_code and d.level is null
       where s.org_id = $1
       order by row_number() over (partition by s.warehouse order by md5(s.serial_no)), s.warehouse limit $2`,
      [orgId, sized(20, 100_000)],
    );
    expect(units.some((unit) => unit.warehouse === null)).toBe(true);
    expect(units.some((unit) => unit.warehouse !== null)).toBe(true);
    for (const { di, serialNo, warehouse } of units) {
      const trace = await traceAll(`(01)${di}(21)${serialNo}`);
      expect([serialNo, shownHolders(trace)]).toEqual([serialNo, heldBy(trace.chain.items)]);
      if (warehouse !== null) expect(shownHolders(trace)).toEqual({ [`warehouse ${warehouse}`]: 1 });
      else expect(['dispatched', 'delivered', 'recalled', 'removed']).toContain(trace.status);
    }
  }, 300_000);

  it('there are a batch and a serialized unit that go all the way from receipt to customer', async () => {
    const whole = await db.sql<{ di: string; batchNo: string; serialNo: string | null }>(
      `select distinct d.udi_di as di, m.batch_no as "batchNo", s.serial_no as "serialNo" from movements m
       join device_identifiers d on d.org_id = m.org_id and d.product_code = m.product_code and d.level is null
       left join movement_serials s on s.org_id = m.org_id and s.movement_id = m.movement_id
       where m.org_id = $1 and m.kind = 'delivery' and exists (select from movements r where r.org_id = m.org_id
         and r.product_code = m.product_code and r.batch_no = m.batch_no and r.kind = 'receipt')`,
      [orgId],
    );
    expect(whole.length).toBeGreaterThan(0);
    const codes = new Set(whole.map(({ di, batchNo }) => `(01)${di}(10)${batchNo}`));
    for (const code of codes) {
      const steps = (await traceAll(code)).chain.items.map(({ step }) => step);
      expect(steps[0]).toBe('received');
      expect(steps).toContain('delivered');
    }
    expect(whole.some(({ serialNo }) => serialNo !== null)).toBe(true);
  });
});
