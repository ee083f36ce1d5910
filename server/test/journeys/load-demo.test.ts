import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyAudit } from '../../src/audit/index.js';
import { demoAtStart } from '../../src/cli/demo-command.js';
import { readConfig } from '../../src/config/index.js';
import { revokeKey } from '../../src/credentials/index.js';
import { type Demo, loadDemo } from '../../src/demo/load-demo.js';
import { demoProducts } from '../../src/demo/products.rules.js';
import { openingHolds, openingStock } from '../../src/demo/stock.rules.js';
import { createUser } from '../../src/people/index.js';
import { type Database, transact } from '../../src/platform/database/index.js';
import { Unavailable } from '../../src/platform/errors/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { verifyStock } from '../../src/stock/index.js';
import {
  callApi,
  DEMO_ADMIN,
  fullTier,
  newOrganization,
  openDemoDatabase,
  openDemoWithoutKeys,
  openTestDatabase,
  startApi,
  type TestDatabase,
} from '../harness/index.js';

const TODAY = '2026-11-15';

const scratch = () => mkdtempSync(join(tmpdir(), 'lotward-demo-'));

const load = (
  database: Database,
  keysFile: string | null,
  onProgress: (message: string) => void = () => {},
): Promise<Demo> =>
  loadDemo(database, { adminEmails: ['boss@demo.example', 'admin@demo.example'], keysFile, onProgress });

/** On a busy host one may wait too long for a step of the other; it then begins again, as a supervisor has it do. */
async function loadPatiently(database: Database, keysFile: string): Promise<Demo> {
  for (;;) {
    try {
      return await load(database, keysFile);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}

/** Its people, its catalogue, and the stock of these products with which it opens, none of it doubled. */
async function expectOpened(
  db: TestDatabase,
  { stocked, holds }: { stocked: ReturnType<typeof demoProducts>; holds: number },
): Promise<void> {
  const units = stocked
    .flatMap((product) => openingStock(product, TODAY))
    .reduce((sum, { quantityDelta }) => sum + quantityDelta, 0);
  const [found] = await db.sql(`select (select count(*) from organizations)::integer as organizations,
    (select count(*) from users)::integer as users,
    (select count(*) from products)::integer as products, (select count(*) from holds where source = 'manual' and nc_id is null)::integer as holds,
    (select sum(quantity_delta) from movements where kind = 'adjustment' and quantity_delta > 0)::integer as units`);
  expect(found).toEqual({ organizations: 1, users: 6, products: demoProducts().length, holds, units });
}

/** Entries of every source and dispositions in every state, decided by two people each, and executed once. */
async function expectRegister(db: TestDatabase): Promise<void> {
  const entries = await db.sql(`select source_kind as source, status, count(*)::integer as count
    from nonconformities group by 1, 2 order by 1, 2`);
  expect(entries).toEqual([
    { source: 'manual', status: 'closed', count: 1 },
    { source: 'manual', status: 'open', count: 1 },
    { source: 'receipt', status: 'closed', count: 2 },
    { source: 'receipt', status: 'decided', count: 1 },
    { source: 'receipt', status: 'open', count: 2 },
    { source: 'return', status: 'open', count: 1 },
  ]);
  const dispositions = await db.sql(`select d.kind, d.status, count(*)::integer as count,
      count(d.witness)::integer as witnessed, sum(l.quantity)::integer as units
    from dispositions d join disposition_lines l on l.org_id = d.org_id and l.disposition_id = d.disposition_id
    where d.proposed_by <> coalesce(d.approved_by, d.rejected_by, '') group by 1, 2 order by 1, 2`);
  const recalled = expect.any(Number);
  expect(dispositions).toEqual([
    // One of them is that of the closed recall.
    { kind: 'destroy', status: 'executed', count: 3, witnessed: 3, units: recalled },
    { kind: 'destroy', status: 'proposed', count: 1, witnessed: 0, units: 2 },
    { kind: 'release', status: 'rejected', count: 1, witnessed: 0, units: 10 },
    { kind: 'return_to_supplier', status: 'approved', count: 1, witnessed: 0, units: 4 },
    { kind: 'return_to_supplier', status: 'executed', count: 1, witnessed: 0, units: 6 },
    { kind: 'rework', status: 'proposed', count: 1, witnessed: 0, units: 10 },
  ]);
  const [destroyed] = await db.sql<{ documents: number; units: number; adjustedOut: number }>(`select
    count(distinct document_id) filter (where kind = 'destruction')::integer as documents,
    sum(quantity) filter (where kind = 'destruction')::integer as units,
    count(*) filter (where kind = 'adjustment' and quantity_delta < 0)::integer as "adjustedOut" from movements`);
  // Goods rejected at acceptance were never in stock: no movement takes them out.
  expect(destroyed).toMatchObject({ documents: 2, adjustedOut: 0 });
  expect(destroyed?.units).toBeGreaterThan(3);
}

async function expectWhole(db: TestDatabase, orgId: string): Promise<void> {
  const products = demoProducts();
  const holds = products.flatMap((product) => openingHolds(product, TODAY)).length;
  await expectOpened(db, { stocked: products, holds });
  const [found] = await db.sql(`select (select count(*) from api_keys)::integer as keys,
    (select count(*) from orders)::integer as orders, (select count(*) from receipts)::integer as receipts,
    (select count(distinct status) from orders)::integer as statuses`);
  expect(found).toEqual({ keys: 2, orders: 92, receipts: 18, statuses: 7 });
  const [watched] = await db.sql(`select (select count(*) from monitoring_points)::integer as points,
    (select count(*) from readings)::integer as readings,
    (select count(*) from environment_alerts where closed_at is null)::integer as open,
    (select count(*) from environment_alerts where closed_at is not null)::integer as closed,
    (select count(*) from events where event_type = 'environment.alert')::integer as events`);
  expect(watched).toEqual({ points: 6, readings: 6 * 7 * 144, open: 1, closed: 1, events: 5 });
  const certificates = await db.sql(`select subject_type as subject, count(*)::integer as count,
    count(*) filter (where valid_to < date '${TODAY}' + 30)::integer as soon from certificates group by 1 order by 1`);
  const registered = products.filter(({ family }) => family.riskClass !== 'I').length;
  expect(certificates).toEqual([
    { subject: 'customer', count: 12, soon: 0 },
    { subject: 'product', count: registered, soon: 8 },
    { subject: 'supplier', count: 8, soon: 3 },
  ]);
  const recalls = await db.sql(`select r.recall_no as no, r.status,
    (select count(*) from recall_acknowledgements a where a.org_id = r.org_id and a.recall_id = r.recall_id)::integer as acknowledged,
    (select count(*) from recall_answers a where a.org_id = r.org_id and a.recall_id = r.recall_id)::integer as answered,
    (select count(*) from recall_unanswered u where u.org_id = r.org_id and u.recall_id = r.recall_id)::integer as excused,
    (select count(*) from recall_holds x join holds h on h.org_id = x.org_id and h.hold_id = x.hold_id
      where x.org_id = r.org_id and x.recall_id = r.recall_id and h.released_at is null)::integer as held from recalls r order by 1`);
  expect(recalls).toEqual([
    {
      no: 'RC-2001',
      status: 'closed',
      acknowledged: expect.any(Number),
      answered: expect.any(Number),
      excused: 1,
      held: 1,
    },
    { no: 'RC-2002', status: 'open', acknowledged: 2, answered: 1, excused: 0, held: 1 },
  ]);
  await expectRegister(db);
  // No order was dispatched twice.
  const [twice] = await db.sql(
    `select order_id from dispatches group by order_id having count(*) > 1 limit 1`,
  );
  expect(twice).toBeUndefined();
  // A trace begins with the arrival of the goods, and they reach nobody in the moment in which they leave.
  const [early] =
    await db.sql(`select d.batch_no from movements d where d.kind = 'dispatch' and d.occurred_at <=
    (select min(a.occurred_at) from movements a
      where a.org_id = d.org_id and a.product_code = d.product_code and a.batch_no = d.batch_no and a.quantity_delta > 0) limit 1`);
  expect(early).toBeUndefined();
  const [flying] = await db.sql(
    'select order_id from dispatches where delivered_at <= dispatched_at limit 1',
  );
  expect(flying).toBeUndefined();
  expect(await verifyStock(db.database, orgId)).toMatchObject({ ok: true, products: products.length });
  expect(await verifyAudit(db.database, orgId)).toMatchObject({ ok: true });
}

/** The demo runs the real commands for a month of business, which takes minutes on a busy host. */
const PATIENT = { timeout: 600_000 };

/** Two load until both have lost the database, in the middle of the stock. Returns the number of products with stock. */
async function beginAndDie(db: TestDatabase, file: string): Promise<number> {
  let killing: Promise<unknown> | undefined;
  const kill = (message: string) => {
    if (message.includes(' 80 of '))
      killing ??= db.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'lotward app'`,
      );
  };
  const doomed = [await db.another(), await db.another()];
  const ended = await Promise.allSettled(doomed.map((each) => load(each, file, kill)));
  await killing;
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const [half] = await db.sql<{ stocked: number }>(
    'select count(distinct product_code)::integer as stocked from balances',
  );
  return half?.stocked ?? 0;
}

/** The same keys and the same password. */
function expectSameDemo(one: Demo, other: Demo): void {
  expect([one, other].some(({ loadedNow }) => loadedNow)).toBe(true);
  expect(other.organization).toEqual(one.organization);
  expect(other.keys).toEqual(one.keys);
  expect(one.login?.password).toMatch(/^([a-z]{4}-){4}[a-z]{4}$/);
  expect(other.login).toEqual(one.login);
}

describe('the demo organization, begun by two processes at once and completed by two others', PATIENT, () => {
  let db: TestDatabase;
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = scratch();
    file = join(folder, 'demo.json');
  });
  afterEach(async () => {
    await db.drop();
    rmSync(folder, { recursive: true });
  });

  it.skipIf(!fullTier)('is whole and nothing in it doubled, and all of them know the same keys', async () => {
    db = await openTestDatabase();
    const stockedByDead = await beginAndDie(db, file);
    expect(stockedByDead).toBeGreaterThan(0);
    expect(stockedByDead).toBeLessThan(demoProducts().length);
    const [one, other] = await Promise.all([
      loadPatiently(db.database, file),
      loadPatiently(await db.another(), file),
    ]);
    expect(await load(db.database, file)).toMatchObject({ loadedNow: false });
    await expectWhole(db, one.organization.orgId);
    expectSameDemo(one, other);
  });

  it.skipIf(!fullTier)('has its people, its catalogue and its stock once', async () => {
    db = await openTestDatabase();
    // Some steps of the stock are enough here. The others count as done, and what follows them is not begun.
    const products = demoProducts();
    const stocked = products.slice(0, 12 * 20);
    await db.sql(
      `insert into instance_state (key, value) select 'demo/' || step, '{}' from unnest($1::text[]) step`,
      [['holds', 'certificates', ...products.slice(12).map((_, n) => `stock/${n + 12}`)]],
    );
    await db.sql('alter table monitoring_points add constraint no_more check (false) not valid');
    const stockedByDead = await beginAndDie(db, file);
    expect(stockedByDead).toBeGreaterThan(0);
    expect(stockedByDead).toBeLessThan(stocked.length);
    const others = [db.database, await db.another()].map((each) => loadPatiently(each, file));
    for (const ended of await Promise.allSettled(others))
      expect(ended).toMatchObject({ reason: { message: expect.stringContaining('no_more') } });
    await expectOpened(db, { stocked, holds: 0 });
    const [organization] = await db.sql<{ orgId: string }>('select org_id as "orgId" from organizations');
    const orgId = organization?.orgId ?? '';
    expect(await verifyStock(db.database, orgId)).toMatchObject({ ok: true });
    expect(await verifyAudit(db.database, orgId)).toMatchObject({ ok: true });
  });

  it('is whole when two complete what lacks its keys only, and both know the same', async () => {
    db = await openDemoWithoutKeys();
    const [one, other] = await Promise.all([
      loadPatiently(db.database, file),
      loadPatiently(await db.another(), file),
    ]);
    expect(await load(db.database, file)).toMatchObject({ loadedNow: false });
    await expectWhole(db, one.organization.orgId);
    expectSameDemo(one, other);
  });
});

describe('the demo organization', PATIENT, () => {
  let db: TestDatabase;
  let folder: string;
  let keysFile: string;
  beforeEach(async () => {
    db = await openTestDatabase();
    folder = scratch();
    keysFile = join(folder, 'demo.json');
  });
  afterEach(async () => {
    await db.drop();
    rmSync(folder, { recursive: true });
  });

  it.skipIf(!fullTier)('is as whole in Chinese, with its currency, time zone and texts', async () => {
    const options = { adminEmails: ['admin@demo.example'], keysFile, onProgress: () => {} } as const;
    const { organization } = await loadDemo(db.database, { ...options, language: 'zh' });
    expect(organization).toMatchObject({ timeZone: 'Asia/Shanghai', name: expect.stringMatching(/^康桥/) });
    await expectWhole(db, organization.orgId);
    const currencies = await db.sql<{ currency: string }>('select distinct currency from orders');
    expect(currencies).toEqual([{ currency: 'CNY' }]);
    const texts = await db.sql<{ text: string }>(`select reason as text from holds where source = 'manual'
      union select name from partners union select product_name from products union select name from warehouses
      union select reason from recalls union select reason from dispositions union select name from monitoring_points`);
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter(({ text }) => !/\p{Script=Han}/u.test(text))).toEqual([]);
    // A later start does not know the language, and need not.
    const again = await loadDemo(db.database, options);
    expect(again).toMatchObject({ loadedNow: false, organization: { orgId: organization.orgId } });
  });

  it('answers the greeting’s question by either of two keys, lets three in with one password, and remembers both', async () => {
    await db.drop();
    const opened = await openDemoDatabase();
    db = opened.db;
    const { keys, login } = opened.demo;
    expect(statSync(opened.keysFile).mode & 0o777).toBe(0o600);
    copyFileSync(opened.keysFile, keysFile);
    expect(keys.map((key) => key.owner)).toEqual(['warehouse@demo.example', 'quality@demo.example']);
    const api = await startApi(db.database);
    for (const key of keys) {
      const answer = await callApi<{
        batches: unknown[];
        availableQuantity: number;
        blockedQuantity: number;
      }>(
        api.url,
        'GET',
        '/v2/inventory?productCode=06901234567892&warehouse=WH-EAST',
        undefined,
        key.apiKey ?? '',
      );
      expect(answer.status).toBe(200);
      expect(answer.data.batches.length).toBeGreaterThanOrEqual(4);
      expect(answer.data.availableQuantity).toBeGreaterThan(0);
      expect(answer.data.blockedQuantity).toBeGreaterThan(0);
    }
    expect(login?.emails).toEqual([DEMO_ADMIN, 'warehouse@demo.example', 'quality@demo.example']);
    const signIn = (email: string, password: string) => api.call('POST', '/v2/session', { email, password });
    for (const [i, email] of (login?.emails ?? []).entries()) {
      const { data } = await signIn(email, login?.password ?? '');
      expect(data).toMatchObject({ status: i === 0 ? 'enrolment' : 'complete' });
    }
    expect((await signIn('sales@demo.example', login?.password ?? '')).status).toBe(401);
    expect(await load(db.database, keysFile)).toMatchObject({ keys, login });
    await db.sql(`update accounts set password_hash = null where email = $1`, [DEMO_ADMIN]);
    expect((await load(db.database, keysFile)).login).toBeNull();
    await api.close();
    rmSync(keysFile);
    const renewed = (await load(db.database, keysFile)).keys;
    expect(renewed.map((key) => key.keyId)).toEqual(keys.map((key) => key.keyId));
    expect(renewed.map((key) => key.apiKey)).not.toEqual(keys.map((key) => key.apiKey));
    expect((await load(db.database, keysFile)).keys).toEqual(renewed);
  });

  it('is begun by the first start on an embedded database, which is empty', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    // Nothing after its people is needed here.
    await db.sql('alter table products add constraint no_more check (false) not valid');
    const config = readConfig({ LOTWARD_DATA_DIR: folder });
    const { database, box } = db;
    await expect(demoAtStart({ config, database, box, close: async () => {} })).rejects.toThrow();
    expect(await db.sql('select code from organizations')).toEqual([{ code: 'demo' }]);
    expect(await db.sql('select 1 from users')).toHaveLength(6);
  });

  it('does not touch an organization of the same code that somebody made', async () => {
    await newOrganization(db, { code: 'demo' });
    await expect(load(db.database, keysFile)).rejects.toThrow('is not the demo');
    expect(await db.sql('select 1 from products')).toEqual([]);
  });

  it('shows its keys once where they may not be kept, and never one that was revoked; its administrator is nobody else’s', async () => {
    const other = await newOrganization(db, { code: 'acme' });
    const operator = systemPrincipal(other.organization.orgId, 'operator@test.example');
    await transact(db.database, operator, (tx) =>
      createUser(tx, { email: 'boss@demo.example', role: 'admin' }),
    );
    // Its people are the first step. Nothing of the second is needed here.
    await db.sql('alter table products add constraint no_more check (false) not valid');
    await expect(load(db.database, null)).rejects.toThrow();
    expect(
      await db.sql(`select email from users where org_id <> $1 and role = 'admin'`, [
        other.organization.orgId,
      ]),
    ).toEqual([{ email: 'admin@demo.example' }]);

    await db.drop();
    db = await openDemoWithoutKeys();
    const first = await load(db.database, null);
    expect(first.loadedNow).toBe(true);
    const { orgId } = first.organization;
    expect(first.keys.every((key) => key.apiKey?.startsWith('lw_'))).toBe(true);
    expect(first.login).not.toBeNull();
    const later = await load(db.database, null);
    expect(later.keys.map((key) => key.apiKey)).toEqual([null, null]);
    expect(later.login).toBeNull();
    const principal = systemPrincipal(orgId, 'admin@demo.example');
    await transact(db.database, principal, (tx) => revokeKey(tx, first.keys[0]?.keyId ?? ''));
    expect((await load(db.database, keysFile)).keys.map((key) => key.keyId)).toEqual([first.keys[1]?.keyId]);
  });
});
