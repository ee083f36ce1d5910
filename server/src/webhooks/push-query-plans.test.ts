import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../test/harness/index.js';
import type { Pool, Statement, Tx } from '../platform/database/index.js';
import { findWork, readEndpoints } from './delivery/lease.store.js';
import { refreshNextDue } from './delivery/results.store.js';
import { findRecovering, readDue, readFeed, readUrgent, readUrgentDue } from './delivery/supply.store.js';
import { listDeliveries, readHealth } from './delivery-log.store.js';

const EVENTS = 30_000;
const WEBHOOKS = 3;
/** Rows that a query may read to return a page of 51. */
const LOOKED_AT_MAX = 2_000;
const BIG = ['events', 'webhook_attempts', 'webhook_deliveries'];

interface Asked {
  text: string;
  values: readonly unknown[];
}
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const webhookOf = (i: number) => `whk_${String(i).padStart(26, '0')}`;

let db: TestDatabase;
let orgId: string;
let owner: pg.Client;
beforeAll(async () => {
  db = await openTestDatabase();
  orgId = (await newOrganization(db)).organization.orgId;
  await fill(orgId, EVENTS);
  // Other organizations have pushes too, so that no plan relies on a single organization.
  for (let i = 0; i < 3; i++) await fill((await newOrganization(db)).organization.orgId, 1_000);
  await db.sql('vacuum analyze');
  owner = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
  await owner.connect();
}, 120_000);
afterAll(async () => {
  await owner?.end();
  await db?.drop();
});

/** Every tenth push had trouble: of these some failed, some were skipped, some wait; the rest is delivered. The last webhook missed the newer half. */
async function fill(org: string, events: number): Promise<void> {
  const at = '2026-11-15T10:00:00Z';
  await db.sql(
    `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, customer_code, body, position)
     select $1, 'evt_' || lpad(i::text, 26, '0'), (array['order.status_changed', 'expiry.warning'])[1 + i % 2],
       $2::timestamptz + i * interval '1 second', 'order', 'ord_' || i % 1000, i, null, '{"n":' || i || '}', i
     from generate_series(1, $3::integer) i`,
    [org, at, events],
  );
  await db.sql(
    `insert into event_heads (org_id, position) values ($1, $2) on conflict (org_id) do update set position = $2`,
    [org, events],
  );
  for (let w = 1; w <= WEBHOOKS; w++) {
    const id = webhookOf(w);
    const attempted = w === WEBHOOKS ? events / 2 : events;
    await db.sql(
      `insert into webhooks (org_id, webhook_id, callback_url, event_types, secret, created_at, created_by, updated_at)
       values ($1, $2, 'https://partner.example/', '{order.status_changed,expiry.warning}', 'sealed', $3, 'a@b.example', $3)`,
      [org, id, at],
    );
    await db.sql(
      `insert into webhook_subscriptions values ($1, $2, 0, '{order.status_changed,expiry.warning}')`,
      [org, id],
    );
    await db.sql(
      `insert into webhook_states (org_id, webhook_id, status, consecutive_failures, settled_to, send_from, next_due_at,
         version, delivered_total, failed_total, duration_ms_total)
       values ($1, $2, 'enabled', 0, $3, 0, $4, 1, 0, 0, 0)`,
      [org, id, events, at],
    );
    await db.sql(
      `insert into webhook_attempts
       select $1, $2, i, 1, $3::timestamptz + i * interval '1 second', 20, i % 10 <> 0, 200, null, null
       from generate_series(1, $4::integer) i`,
      [org, id, at, attempted],
    );
    await db.sql(
      `insert into webhook_deliveries (org_id, webhook_id, position, status, attempts, tries, due_at, updated_at)
       select $1, $2, i, s, 1, 1, case s when 'retrying' then $3::timestamptz + i * interval '1 second' end, $3
       from (select i, (array['failed', 'skipped', 'retrying', 'skipped'])[1 + i / 10 % 4] as s
         from generate_series(10, $4::integer, 10) i) d`,
      [org, id, at, attempted],
    );
    await db.sql(
      `insert into webhook_deliveries (org_id, webhook_id, position, status, attempts, tries, updated_at)
       select $1, $2, i, 'skipped', 0, 0, $3 from generate_series($4::integer + 1, $5::integer) i`,
      [org, id, at, attempted, events],
    );
  }
}

/** Runs a read without a database and records its statements. */
async function asked(question: (ask: { pool: Pool; tx: Tx }) => Promise<unknown>): Promise<Asked[]> {
  const noted: Asked[] = [];
  const note = async (statement: Statement, values: readonly unknown[]) => {
    noted.push({ text: statement.text, values });
    return [];
  };
  await question({
    pool: { query: note, queryRows: note } as unknown as Pool,
    tx: { orgId, now: new Date('2026-11-15T12:00:00Z'), query: note, send: note } as unknown as Tx,
  });
  expect(noted.length).toBeGreaterThan(0);
  return noted;
}

/** The plan of a statement, executed as the role that runs it, then rolled back. */
async function planOf(kind: 'app' | 'worker', { text, values }: Asked): Promise<PlanNode[]> {
  const [role] = await db.sql<{ name: string }>('select name from service_roles where kind = $1', [kind]);
  await owner.query('begin');
  try {
    await owner.query(`set local role ${owner.escapeIdentifier(role?.name ?? '')}`);
    await owner.query('select set_org($1)', [orgId]);
    const { rows } = await owner.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${text}`,
      [...values],
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('no plan');
    return nodesOf(plan);
  } finally {
    await owner.query('rollback');
  }
}

function expectFewRows(nodes: readonly PlanNode[], max = LOOKED_AT_MAX): void {
  for (const node of nodes) {
    if (!BIG.includes(node['Relation Name'] ?? '')) continue;
    expect(node['Node Type']).not.toBe('Seq Scan');
    const rows = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
    expect(
      rows * (node['Actual Loops'] ?? 1),
      `${node['Relation Name']} by ${node['Index Name']}`,
    ).toBeLessThan(max);
  }
}

describe(`with ${EVENTS} events and as many pushes to each endpoint`, () => {
  const webhookId = webhookOf(2);
  const filters: [string, { eventType?: string[]; eventId?: string }, number | null][] = [
    ['the first page', {}, null],
    ['a page in the middle', {}, EVENTS / 2],
    ['one type', { eventType: ['expiry.warning'] }, null],
    ['one event', { eventId: `evt_${'777'.padStart(26, '0')}` }, null],
  ];
  it.each(filters)('the log of deliveries is read by index: %s', async (_, filter, before) => {
    const statements = await asked(({ tx }) => listDeliveries(tx, webhookId, filter, before, 51));
    for (const statement of statements) expectFewRows(await planOf('app', statement));
  });

  it.each([
    ['most, after many that were missed', webhookOf(3), ['delivered']],
    ['most', webhookOf(1), ['delivered']],
    ['all but those that wait', webhookOf(1), ['delivered', 'failed', 'skipped']],
  ] as const)('those that were delivered are found from the newest one: %s', async (_, id, status) => {
    const statements = await asked(({ tx }) => listDeliveries(tx, id, { status }, null, 51));
    for (const statement of statements) expectFewRows(await planOf('app', statement));
  });

  it.each(['failed', 'retrying'] as const)(
    'those that are %s are found among those with trouble',
    async (status) => {
      const statements = await asked(({ tx }) =>
        listDeliveries(tx, webhookId, { status: [status] }, null, 51),
      );
      for (const statement of statements) expectFewRows(await planOf('app', statement), EVENTS / 10 + 1);
    },
  );

  it.each(['pending', 'skipped'] as const)(
    'those that are %s are found among those with trouble and beyond the watermark',
    async (status) => {
      const statements = await asked(({ tx }) =>
        listDeliveries(tx, webhookId, { status: [status] }, null, 51),
      );
      for (const statement of statements) expectFewRows(await planOf('app', statement), EVENTS / 10 + 1);
    },
  );

  it('the health of a webhook is read among those with trouble, beyond the watermark and from the newest attempts', async () => {
    const statements = await asked(({ tx }) => readHealth(tx, webhookId).catch(() => {}));
    for (const statement of statements) expectFewRows(await planOf('app', statement), EVENTS / 10 + 1);
  });

  it('the attempts of a page are read by index', async () => {
    const positions = Array.from({ length: 51 }, (_, i) => EVENTS - i);
    const [, attempts] = await asked(({ tx }) => listDeliveries(tx, webhookId, {}, null, 51));
    if (!attempts) throw new Error('no statement for the attempts');
    const [org, webhook] = attempts.values;
    expectFewRows(await planOf('app', { ...attempts, values: [org, webhook, positions] }), 100);
  });

  it('a page of the feed is read by index', async () => {
    const statements = await asked(({ pool }) => readFeed(pool, orgId, EVENTS / 2, EVENTS, 256));
    for (const statement of statements) expectFewRows(await planOf('worker', statement), 300);
  });

  it.each([true, false])('due pushes are found by index, with recovery: %s', async (recovering) => {
    const key = { orgId, webhookId };
    const now = new Date('2026-11-15T10:10:00Z');
    const statements = await asked(({ pool }) => readDue(pool, key, now, [10, 20], 100, recovering));
    for (const statement of statements) {
      const nodes = await planOf('worker', statement);
      expectFewRows(nodes);
      expect(nodes.map((node) => node['Index Name'])).toContain('webhook_deliveries_due');
    }
  });

  it.each([null, 'HOSP-1'])(
    'urgent events of a backlog are found by index, for customer %s',
    async (customer) => {
      const statements = await asked(({ pool }) => readUrgent(pool, orgId, customer, 0, EVENTS, 100));
      for (const statement of statements) {
        const nodes = await planOf('worker', statement);
        expectFewRows(nodes);
        expect(nodes.map((node) => node['Index Name'])).toContain('events_urgent');
      }
    },
  );

  it('urgent pushes among those to be recovered are found by index', async () => {
    const now = new Date('2026-11-15T10:10:00Z');
    const statements = await asked(({ pool }) =>
      readUrgentDue(pool, { orgId, webhookId }, now, [], 50, true),
    );
    for (const statement of statements) {
      const nodes = await planOf('worker', statement);
      expectFewRows(nodes);
      expect(nodes.map((node) => node['Index Name'])).toContain('webhook_deliveries_urgent');
    }
  });

  it('the next due time is found by index', async () => {
    const statements = await asked(({ tx }) => refreshNextDue(tx, webhookId));
    for (const statement of statements) expectFewRows(await planOf('worker', statement));
  });

  it('older events to be recovered are found by index', async () => {
    const statements = await asked(({ tx }) => findRecovering(tx, webhookId, ['order ord_7']));
    for (const statement of statements) expectFewRows(await planOf('worker', statement));
  });

  it('pending work and the state for a new lease holder are found without reading pushes', async () => {
    const statements = await asked(async ({ pool }) => {
      await findWork(pool, new Date('2026-11-15T12:00:00Z'), null);
      await findWork(pool, new Date('2026-11-15T12:00:00Z'), [orgId]);
      await readEndpoints(pool, [{ orgId, webhookId }]);
    });
    expect(statements).toHaveLength(3);
    for (const statement of statements) expectFewRows(await planOf('worker', statement));
  });
});
