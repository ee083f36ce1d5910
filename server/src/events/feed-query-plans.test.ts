import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { costOf, type Planning } from '../../test/harness/explained.js';
import { newOrganization, openTestDatabase, sized, type TestDatabase } from '../../test/harness/index.js';
import type { Tx } from '../platform/database/index.js';
import { readEvents, readFirstSince, readPositionsOf } from './event.store.js';

const EVENTS = sized(10_000, 30_000);
const LIMIT = 51;
const FIRST = Date.parse('2026-11-01T00:00:00Z');
/** Six a minute. */
const instantOf = (position: number) => new Date(FIRST + position * 10_000).toISOString();
const PLANNINGS: readonly Planning[] = ['force_custom_plan', 'force_generic_plan'];
const types = ['order.status_changed', 'inventory.low_stock'];

describe(`with ${EVENTS} events of each organization the feed`, () => {
  let db: TestDatabase;
  let orgId: string;
  let owner: pg.Client;
  let role: string;
  beforeAll(async () => {
    db = await openTestDatabase();
    for (let i = 0; i < 2; i++) {
      orgId = (await newOrganization(db)).organization.orgId;
      await db.sql(
        `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, customer_code, body, position)
         select $1, 'evt_' || n, 'order.status_changed', $2::timestamptz + n * interval '10 seconds', 'order', 'ord_' || n, 1,
           case when n % 100 = 0 then 'HOSP-1' end, '{}', n from generate_series(1, ${EVENTS}) n`,
        [orgId, new Date(FIRST)],
      );
    }
    await db.sql('vacuum analyze events');
    const [app] = await db.sql<{ name: string }>(`select name from service_roles where kind = 'app'`);
    role = app?.name ?? '';
    owner = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
    await owner.connect();
  });
  afterAll(async () => {
    await owner?.end();
    await db?.drop();
  });

  /** Rows looked at, by the worse of the two ways to plan it. */
  async function rowsFor(work: (tx: Tx) => Promise<unknown>): Promise<number> {
    let rows = 0;
    for (const planning of PLANNINGS)
      rows = Math.max(
        rows,
        (await costOf(owner, role, { orgId, now: new Date(FIRST), planning }, work)).rows,
      );
    return rows;
  }

  const head = { from: 1, to: EVENTS };
  const tail = { from: EVENTS / 2, to: EVENTS };
  it.each([
    ['the oldest', head, 'asc', null],
    ['the newest', head, 'desc', null],
    ['those from the middle', tail, 'asc', null],
    ['those before the middle', { from: 1, to: EVENTS / 2 }, 'desc', null],
    ['the newest of a customer', head, 'desc', 'HOSP-1'],
  ] as const)('shows %s without looking at the others', async (_what, range, order, customerCode) => {
    const filter = { types, customerCode };
    const rows = await rowsFor((tx) => readEvents(tx, filter, range, { order, limit: LIMIT }));
    expect(rows).toBeLessThanOrEqual(4 * LIMIT);
  });

  const about = (ids: string[], customerCodes: string[] = []) => ({
    ...{ eventId: 'none', customerCodes },
    entities: [
      { type: 'order', ids },
      { type: 'batch', ids: ['P/B'] },
      { type: 'point', ids: [] },
    ],
  });
  it.each([
    ['one old order', about(['ord_7']), 1],
    ['orders and a customer', about(['ord_7', 'ord_9'], ['HOSP-1']), LIMIT],
    ['everything', about(Array.from({ length: 1_000 }, (_, n) => `ord_${EVENTS - n}`)), LIMIT],
  ] as const)('finds the events about %s without looking at the others', async (_what, subjects, count) => {
    const options = { orgId, now: new Date(FIRST), planning: 'force_custom_plan' as const };
    let newest: number[] = [];
    const { rows } = await costOf(owner, role, options, async (tx) => {
      const filter = { types, customerCode: null, subjects };
      const events = await readEvents(tx, filter, head, { order: 'desc', limit: LIMIT });
      newest = events.map((event) => event.position);
      expect(await readPositionsOf(tx, subjects, null, LIMIT)).toEqual(newest);
    });
    expect(newest).toHaveLength(count);
    // One event in a hundred is the customer's. Two statements read and sort those, or walk from the newest until they have enough.
    expect(rows).toBeLessThanOrEqual(2 * 100 * (LIMIT + 1));
  });

  it('finds where an instant begins, and shows what happened since, in either order', async () => {
    const since = instantOf(EVENTS / 2);
    expect(await rowsFor((tx) => readFirstSince(tx, since))).toBeLessThanOrEqual(50);
    for (const order of ['asc', 'desc'] as const) {
      const filter = { types, customerCode: null, since };
      const rows = await rowsFor((tx) => readEvents(tx, filter, tail, { order, limit: LIMIT }));
      expect(rows).toBeLessThanOrEqual(4 * LIMIT);
    }
  });
});
