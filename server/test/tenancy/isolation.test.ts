import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealAudit } from '../../src/audit/seal-audit.js';
import { sequenceEvents } from '../../src/events/sequence-events.js';
import { queueMail } from '../../src/mailing/index.js';
import { updateOrganization } from '../../src/organizations/index.js';
import { createUser } from '../../src/people/index.js';
import { type Pool, statement, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { performDueDailyRuns } from '../../src/watch/index.js';
import { deliverUntil, toLoopback } from '../access/pushes.js';
import {
  GTIN,
  newOrganization,
  openReceiver,
  openTestService,
  type Receiver,
  stockCatalogue,
  type TestOrganization,
} from '../harness/index.js';
import { expectedGrants, tablesOfPeople, tablesWithoutTenant } from './expected-grants.js';
import { furnishCertificates } from './furnish-certificates.js';
import { furnishImports } from './furnish-imports.js';

type Service = Awaited<ReturnType<typeof openTestService>>;

let service: Service;
let receiver: Receiver;
let ours: string;
let theirs: string;
let tables: { name: string; columns: string[] }[];

const FORBIDDEN = '42501';
const principal = (orgId: string) => systemPrincipal(orgId, 'operator@test.example');

type Must = <D>(path: string, body: object, method?: string) => Promise<D>;

/** An accepted receipt, an order in picking and nonconforming goods, with their events and movements. */
async function furnishDocuments(must: Must): Promise<void> {
  const lines = [{ lineNo: 1, udi: `(01)${GTIN}(10)LOT-1`, expiryDate: null, quantity: 3 }];
  const arrival = { receiptNo: 'R-1', supplierCode: 'SUP-1', warehouse: 'WH-1', lines };
  const { receiptId } = await must<{ receiptId: string }>('/v2/receipts', arrival);
  const verdict = { lineNo: 1, acceptedQuantity: 3, rejectedQuantity: 0 };
  await must(`/v2/receipts/${receiptId}/acceptance`, { lines: [verdict] });
  const { orderId } = await must<{ orderId: string }>('/v2/orders', {
    orderNo: 'SO-1',
    customerCode: 'HOSP-1',
    warehouse: 'WH-1',
    currency: 'EUR',
    lines: [{ lineNo: 1, productCode: GTIN, quantity: 2, unitPrice: '1' }],
  });
  await must(`/v2/orders/${orderId}/approve`, {});
  const { dispatchId } = await must<{ dispatchId: string }>('/v2/dispatches', { orderId });
  const pick = { lineNo: 1, batchNo: 'LOT-1', quantity: 2 };
  await must(`/v2/dispatches/${dispatchId}/picks`, { picks: [pick] });
  const goods = { productCode: GTIN, batchNo: 'LOT-1', warehouse: 'WH-1', quantity: 1, reason: 'wet' };
  const { ncId } = await must<{ ncId: string }>('/v2/quality/nonconformities', goods);
  await must('/v2/quality/dispositions', { kind: 'destroy', ncIds: [ncId], reason: 'wet' });
}

/** A cold room that was too warm, and a batch on hold because of it. */
async function furnishEnvironment(must: Must): Promise<void> {
  const tender = { productName: 'Reagent', tracking: 'none', storage: { temperatureMax: 8 } };
  await must('/v2/products/TENDER-1', tender, 'PUT');
  const entry = { productCode: 'TENDER-1', warehouse: 'WH-1', quantityDelta: 1, reason: 'opening stock' };
  await must('/v2/stock/adjustments', entry);
  const room = { name: 'Cold room', warehouse: 'WH-1', zone: 'COLD', temperature: { min: 2, max: 8 } };
  await must('/v2/environment/points/P-1', room, 'PUT');
  const readings = [{ pointId: 'P-1', at: '2026-11-15T09:00:00Z', temperature: 9 }];
  const { alerts } = await must<{ alerts: string[] }>('/v2/environment/readings', { readings });
  await must(`/v2/environment/alerts/${alerts[0]}/hold`, {});
}

/** Goods at a customer and in an open dispatch, recalled; the customer has answered. */
async function furnishRecalls(must: Must): Promise<void> {
  const productCode = 'RECALLED-1';
  await must(`/v2/products/${productCode}`, { productName: 'Valve', tracking: 'serial' }, 'PUT');
  const entry = { productCode, warehouse: 'WH-1', batchNo: 'LOT-1', expiryDate: null, reason: 'opening' };
  await must('/v2/stock/adjustments', { ...entry, quantityDelta: 2, serials: ['V-1', 'V-2'] });
  for (const serialNo of ['V-1', 'V-2']) {
    const line = { lineNo: 1, productCode, quantity: 1, unitPrice: '1' };
    const sale = { customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR', lines: [line] };
    const { orderId } = await must<{ orderId: string }>('/v2/orders', { orderNo: serialNo, ...sale });
    await must(`/v2/orders/${orderId}/approve`, {});
    const { dispatchId } = await must<{ dispatchId: string }>('/v2/dispatches', { orderId });
    const pick = { lineNo: 1, batchNo: 'LOT-1', quantity: 1, serials: [serialNo] };
    await must(`/v2/dispatches/${dispatchId}/picks`, { picks: [pick] });
    if (serialNo === 'V-1') await must(`/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
  }
  const correction = { expiryDate: '2030-01-01', reason: 'typing error' };
  await must(`/v2/stock/batches/${productCode}/LOT-1/corrections`, correction);
  const recall = { productCode, class: 'I', reason: 'leaks' };
  const { recallId } = await must<{ recallId: string }>('/v2/recalls', {
    ...recall,
    recallNo: 'RC-1',
    serials: ['V-1', 'V-2'],
  });
  await must(`/v2/recalls/${recallId}/acknowledgements`, { customerCode: 'HOSP-1' });
  const counts = { onHand: 1, used: 0, returned: 0, destroyed: 0, notFound: 0 };
  await must(`/v2/recalls/${recallId}/consignees/HOSP-1/answer`, counts);
  await must('/v2/recalls', { ...recall, recallNo: 'RC-2', batchNos: ['LOT-1'] });
  const last = { ...recall, recallNo: 'RC-3', serials: ['V-1'] };
  const second = await must<{ recallId: string }>('/v2/recalls', last);
  const unanswered = [{ customerCode: 'HOSP-1', reason: 'has closed down' }];
  await must(`/v2/recalls/${second.recallId}/close`, { reason: 'over', unanswered });
}

const mustAs =
  ({ call }: Service, { key }: TestOrganization): Must =>
  async <D>(path: string, body: object, method = 'POST'): Promise<D> => {
    const answer = await call<D>(method, path, body, key, { 'idempotency-key': randomUUID() });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.data;
  };

/** A row of every table for one organization; outcomes of pushes are written later, when they are sent. */
async function furnish(from: Service, org: TestOrganization, callbackUrl: string): Promise<void> {
  const must = mustAs(from, org);
  await must('/v2/webhooks', { callbackUrl, eventTypes: ['order.status_changed'] });
  const entry = { warehouse: 'WH-1', batchNo: 'LOT-1', expiryDate: null, reason: 'opening stock' };
  await must('/v2/stock/adjustments', { ...entry, productCode: GTIN, quantityDelta: 10 });
  const serials = ['SN-1', 'SN-2'];
  await must('/v2/stock/adjustments', { ...entry, productCode: 'PUMP-1', quantityDelta: 2, serials });
  const held = { productCode: 'PUMP-1', batchNo: 'LOT-1', serials: ['SN-1'] };
  await must('/v2/stock/holds', { ...held, reason: 'check' });
  await furnishDocuments(must);
  await furnishImports(from.db, must);
  for (const p of ['inventory/changes', 'search?q=a']) await from.call('GET', `/v2/${p}`, undefined, org.key);
  await furnishEnvironment(must);
  const { orgId } = org.organization;
  await updateOrganization(from.db.database, 'operator@test.example', orgId, { samePersonRecheck: true });
  await furnishRecalls(must);
  await furnishCertificates(from, org, must);
  const soon = { ...entry, batchNo: 'LOT-2', expiryDate: '2026-12-01', productCode: GTIN, quantityDelta: 1 };
  await must('/v2/stock/adjustments', soon);
}

/** Leaves work for a worker: a mail, an unsealed audit entry and an unnumbered event. */
async function leaveUnsettled(from: Service, org: TestOrganization): Promise<void> {
  const { database } = from.db;
  const { orgId, code } = org.organization;
  const email = `admin@${code}.example`;
  await transact(database, principal(orgId), async (tx) => {
    await createUser(tx, { email, role: 'admin' });
    await queueMail(tx, { dedupeKey: 'welcome', to: [email], subject: 'Welcome', text: 'Hello.' });
  });
  await sealAudit(database, orgId);
  await sequenceEvents(database, orgId);
  const must = mustAs(from, org);
  const gloves = { productName: 'Gloves', tracking: 'none', safetyStock: 5 };
  await must('/v2/products/GLOVE-1', gloves, 'PUT');
}

/** Somebody signed in, invited, and with codes to recover; an app that was given a token and lost it again. */
async function furnishAccess(
  { db }: Service,
  { organization: { orgId, code } }: TestOrganization,
): Promise<void> {
  const [user] = await db.sql<{ id: string }>('select user_id as id from users where org_id = $1', [orgId]);
  const rows = [
    "insert into user_tokens values ($1, 'hash', $2, 'reset', now(), now() + '1 h', 1)",
    "insert into refused_sign_ins values ($1, $2, now(), 1, 0, 0, '{::1}', now(), now())",
    "insert into credential_requests values ($1, 'console', $2, '2020-01-01', 'req_1', null, null, 'GET', '/', '/', 200, null, null, 1, 0, 1, 1)",
    "insert into sandboxes values ($1, $2, 'code', 'name', 'empty', now(), 'somebody', now())",
    "insert into sessions values ($1, 'ses_1', $2, 'hash', 'complete', now(), now(), now() + '1 h', '::1', null, null, 1)",
  ];
  for (const row of rows) await db.sql(row, [orgId, user?.id]);
  await db.sql(`insert into intake_messages values ($1, default, 'topic', '{}', now())`, [orgId]);
  await db.sql(
    `insert into oauth_clients (org_id, client_id, name, owner_email, scopes, redirect_uris, allow_list, secret_hash,
       created_at, created_by, owner_confirmed_at, updated_at)
     values ($1, $2, 'ERP', 'owner@test.example', '{}', '{}', '{}', 'hash', now(), 'somebody', now(), now())`,
    [orgId, `client-of-${code}`],
  );
  await db.sql("insert into oauth_revoked_tokens values ($1, 'token', now() + '1 h')", [orgId]);
  await db.sql("insert into credential_usage values ($1, 'api_key', 'somebody', '2020-01-01', 1, 0, 0, 0)", [
    orgId,
  ]);
}

beforeAll(async () => {
  service = await openTestService({ alone: true, webhooks: toLoopback });
  receiver = await openReceiver();
  receiver.answer = () => 500;
  const { db, api, org } = service;
  const other = await newOrganization(db);
  await stockCatalogue(api, other.key);
  await performDueDailyRuns(db.database, {
    consoleUrl: '',
    onError: (error) => expect(error).toBeUndefined(),
  });
  for (const each of [org, other]) await furnish(service, each, receiver.url());
  await deliverUntil(db, async () => {
    const owners = await db.sql(
      'select org_id from webhook_deliveries intersect select org_id from webhook_attempts',
    );
    return owners.length === 2;
  });
  await db.sql('insert into webhook_stock_cursors select org_id, webhook_id, 0 from webhooks');
  for (const each of [org, other]) {
    await leaveUnsettled(service, each);
    await furnishAccess(service, each);
  }
  ours = org.organization.orgId;
  theirs = other.organization.orgId;
  tables = await db.sql<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns
     join pg_class p on p.oid = format('%I.%I', table_schema, table_name)::regclass and not p.relispartition
     where table_schema = 'lotward' and table_name <> all($1) and is_generated = 'NEVER'
     group by 1 order by 1`,
    [[...tablesWithoutTenant, ...tablesOfPeople]],
  );
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Runs a statement in a transaction of `orgId` and returns its rows, or the error's code. */
async function say(as: 'app' | 'worker', orgId: string | null, text: string, values: unknown[] = []) {
  try {
    const work = transact(
      service.db.database,
      principal(orgId ?? ''),
      (tx) => tx.query<Record<string, unknown>>(statement(text), values),
      { as },
    );
    return await work;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
const readAs = async (pool: Pool, text: string) =>
  pool.query<Record<string, unknown>>(statement(text), []).catch((error: { code?: string }) => error.code);

describe('with rows of two organizations in every table', () => {
  it('(they are all there)', async () => {
    expect(tables.length).toBeGreaterThan(15);
    for (const { name } of tables) {
      const rows = await service.db.sql<{ org: string }>(
        `select distinct org_id as org from ${name} order by 1`,
      );
      expect(
        rows.map(({ org }) => org),
        name,
      ).toEqual([ours, theirs].sort());
    }
  });

  it('a transaction of one sees its own rows and none of the other', async () => {
    for (const { name } of tables) {
      expect(await say('app', ours, `select distinct org_id from ${name}`), name).toEqual([{ org_id: ours }]);
      expect(await say('app', theirs, `select distinct org_id from ${name}`), name).toEqual([
        { org_id: theirs },
      ]);
    }
  });

  it('without an organization nothing is seen at all', async () => {
    for (const { name } of tables) {
      expect(await say('app', null, `select 1 from ${name}`), name).toEqual([]);
      expect(await readAs(service.db.database.app, `select 1 from ${name}`), name).toEqual([]);
    }
  });

  it('the organization of a transaction does not outlive it on the connection', async () => {
    const { client, giveBack } = await service.db.database.app.lend();
    try {
      await client.query('begin');
      await client.query('select set_org($1)', [ours]);
      expect((await client.query('select 1 from products')).rowCount).toBeGreaterThan(0);
      await client.query('commit');
      expect((await client.query('select 1 from products')).rowCount).toBe(0);
    } finally {
      giveBack();
    }
  });

  it('a name of an organization is a value, never part of the SQL', async () => {
    const sly = `${ours}'; set local app.org = '${theirs}`;
    expect(await say('app', sly, 'select 1 from products')).toEqual([]);
    expect(await say('app', sly, "select current_setting('app.org') as org")).toEqual([{ org: sly }]);
  });

  it('a transaction of one can neither add rows to the other nor give it its own', async () => {
    for (const { name, columns } of tables) {
      const others = columns.filter((column) => column !== 'org_id').join(', ');
      const add = `insert into ${name} (org_id, ${others}) select $1, ${others} from ${name} limit 1`;
      expect(await say('app', ours, add, [theirs]), `insert into ${name}`).toBe(FORBIDDEN);
      expect(await say('app', ours, `update ${name} set org_id = $1`, [theirs]), `update ${name}`).toBe(
        FORBIDDEN,
      );
    }
  });

  it('a transaction of one changes and deletes nothing of the other', async () => {
    for (const { name, columns } of tables) {
      const may = expectedGrants.app[name] ?? '';
      const column = /update\((\w+)/.exec(may)?.[1] ?? columns.at(-1);
      const change = `update ${name} set ${column} = ${column} where org_id = $1 returning 1`;
      expect(await say('app', ours, change, [theirs]), change).toEqual(
        may.includes('update') ? [] : FORBIDDEN,
      );
      const remove = `delete from ${name} where org_id = $1 returning 1`;
      expect(await say('app', ours, remove, [theirs]), remove).toEqual(
        may.includes('delete') ? [] : FORBIDDEN,
      );
    }
  });
});

describe('what was written stays', () => {
  it.each([
    'audit_entries',
    'audit_heads',
    'batches',
    'certificate_coverage_changes',
    'certificate_status_changes',
    'dispatch_lines',
    'disposition_lines',
    'environment_alert_holds',
    'event_heads',
    'events',
    'low_stock_notices',
    'mails',
    'movement_serials',
    'movements',
    'order_status_changes',
    'readings',
    'webhook_attempts',
  ])('the app can neither change nor delete rows of %s', async (table) => {
    expect(await say('app', ours, `update ${table} set org_id = org_id`)).toBe(FORBIDDEN);
    expect(await say('app', ours, `delete from ${table}`)).toBe(FORBIDDEN);
    expect(await say('app', ours, `truncate ${table}`)).toBe(FORBIDDEN);
  });

  it('the app can change nothing about an event, column by column', async () => {
    const columns = tables.find(({ name }) => name === 'events')?.columns ?? [];
    expect(columns).toEqual(expect.arrayContaining(['body', 'position']));
    for (const column of columns)
      expect(await say('app', ours, `update events set ${column} = ${column}`), column).toBe(FORBIDDEN);
  });

  it('documents and webhooks can never be deleted', async () => {
    for (const table of [
      'orders',
      'dispatches',
      'receipts',
      'certificates',
      'webhooks',
      'webhook_subscriptions',
    ])
      expect(await say('app', ours, `delete from ${table}`), table).toBe(FORBIDDEN);
  });

  it('the app cannot take back a key, a code or an address from the directories', async () => {
    for (const table of tablesWithoutTenant.filter((name) => name.endsWith('_directory'))) {
      expect(await say('app', ours, `update ${table} set org_id = $1`, [ours]), table).toBe(FORBIDDEN);
      expect(await say('app', ours, `delete from ${table}`), table).toBe(FORBIDDEN);
    }
  });

  it('the app cannot free a key of its customer, expiry or creator', async () => {
    for (const column of ['customer_code', 'expires_at', 'created_by', 'created_at'])
      expect(await say('app', ours, `update api_keys set ${column} = ${column}`), column).toBe(FORBIDDEN);
  });

  it('the app cannot free a client of its customer or creator', async () => {
    for (const column of ['customer_code', 'created_by', 'created_at'])
      expect(await say('app', ours, `update oauth_clients set ${column} = ${column}`), column).toBe(
        FORBIDDEN,
      );
  });

  it('only the app changes the scopes, list and owner of a credential', async () => {
    for (const table of ['api_keys', 'oauth_clients'])
      for (const column of ['scopes', 'allow_list', 'owner_email', 'belongs_to', 'disabled_at'])
        expect(await say('worker', ours, `update ${table} set ${column} = ${column}`), column).toBe(
          FORBIDDEN,
        );
  });

  it('only the app reads passwords and second factors', async () => {
    const { reader, worker } = service.db.database;
    for (const pool of [reader, worker])
      for (const column of ['password_hash', 'totp_sealed', 'totp_last_step'])
        expect(await readAs(pool, `select ${column} from accounts`), column).toBe(FORBIDDEN);
    expect(await readAs(reader, 'select payload from oauth_artifacts')).toBe(FORBIDDEN);
  });

  it('no role reads the passwords of the roles', async () => {
    const { app, reader, worker } = service.db.database;
    for (const pool of [app, reader, worker])
      expect(await readAs(pool, 'select password_sealed from service_roles')).toBe(FORBIDDEN);
  });
});

describe('the reader', () => {
  it('writes nothing anywhere', async () => {
    const all = [...tables.map(({ name }) => name), ...tablesOfPeople, ...tablesWithoutTenant];
    for (const name of all) {
      for (const text of [
        `insert into ${name} default values`,
        `delete from ${name} where false`,
        `truncate ${name}`,
      ])
        expect(await readAs(service.db.database.reader, text), text).toBe(FORBIDDEN);
    }
    for (const { name } of tables)
      expect(await readAs(service.db.database.reader, `update ${name} set org_id = org_id`), name).toBe(
        FORBIDDEN,
      );
  });

  it('locks nothing either', async () => {
    const lock = 'select 1 from products for update';
    expect(await readAs(service.db.database.reader, lock)).toBe(FORBIDDEN);
  });
});

describe('the worker', () => {
  it('writes only to the tables of its tasks', async () => {
    for (const { name } of tables) {
      const may = expectedGrants.worker[name] ?? '';
      if (!may.includes('insert'))
        expect(await say('worker', ours, `insert into ${name} default values`), name).toBe(FORBIDDEN);
      if (!may.includes('delete'))
        expect(await say('worker', ours, `delete from ${name}`), name).toBe(FORBIDDEN);
      expect(await say('worker', ours, `update ${name} set org_id = $1`, [theirs]), name).toBe(FORBIDDEN);
    }
  });

  it('records the use of keys, and changes nothing else about them', async () => {
    const note = 'update api_keys set last_used_at = now() where org_id = $1 returning 1 as noted';
    expect(await say('worker', null, note, [ours])).toEqual([{ noted: 1 }]);
    for (const column of ['revoked_at', 'secret_hash', 'previous_valid_until', 'scopes', 'expires_at'])
      expect(await say('worker', ours, `update api_keys set ${column} = ${column}`), column).toBe(FORBIDDEN);
  });

  it('numbers an audit entry once, in the current organization, and changes nothing else about it', async () => {
    const seal = "update audit_entries set position = 99, hash = 'x' where org_id = $1 returning 1 as sealed";
    expect(
      await say('worker', ours, `${seal.replace('where', 'where position is not null and')}`, [ours]),
    ).toEqual([]);
    expect(await say('worker', ours, seal, [theirs])).toEqual([]);
    expect(await say('worker', null, seal, [ours])).toEqual([]);
    for (const column of ['actor', 'action', 'before', 'after', 'at'])
      expect(await say('worker', ours, `update audit_entries set ${column} = ${column}`), column).toBe(
        FORBIDDEN,
      );
    expect(await say('worker', ours, seal, [ours])).toEqual([{ sealed: 1 }]);
  });

  it('moves the audit head and removes stored responses only in the current organization', async () => {
    const move = 'update audit_heads set position = position where org_id = $1 returning 1 as moved';
    expect(await say('worker', ours, move, [theirs])).toEqual([]);
    expect(await say('worker', ours, move, [ours])).toEqual([{ moved: 1 }]);
    const begin = "insert into audit_heads values ($1, 0, 'x', now()) on conflict do nothing";
    expect(await say('worker', ours, begin, [theirs])).toBe(FORBIDDEN);
    const forget = 'delete from idempotency_keys where org_id = $1 returning 1';
    expect(await say('worker', ours, forget, [theirs])).toEqual([]);
    expect(await say('worker', ours, forget, [ours])).not.toEqual([]);
  });

  it('numbers an event once, in the current organization, and changes nothing else about it', async () => {
    const number = 'update events set position = 99 where org_id = $1 returning 1 as numbered';
    const again = number.replace('where', 'where position is not null and');
    expect(await say('worker', ours, again, [ours])).toEqual([]);
    expect(await say('worker', ours, number, [theirs])).toEqual([]);
    expect(await say('worker', null, number, [ours])).toEqual([]);
    const columns = tables.find(({ name }) => name === 'events')?.columns ?? [];
    for (const column of columns.filter((name) => name !== 'position'))
      expect(await say('worker', ours, `update events set ${column} = ${column}`), column).toBe(FORBIDDEN);
    expect(await say('worker', ours, number, [ours])).toEqual([{ numbered: 1 }]);
  });

  it('moves the head of the feed and removes events only in the current organization', async () => {
    const move = 'update event_heads set position = position where org_id = $1 returning 1 as moved';
    expect(await say('worker', ours, move, [theirs])).toEqual([]);
    expect(await say('worker', ours, move, [ours])).toEqual([{ moved: 1 }]);
    const begin = 'insert into event_heads values ($1, 0) on conflict do nothing';
    expect(await say('worker', ours, begin, [theirs])).toBe(FORBIDDEN);
    const remove = 'delete from events where org_id = $1 returning 1';
    expect(await say('worker', null, remove, [ours])).toEqual([]);
    expect(await say('worker', ours, remove, [theirs])).toEqual([]);
    expect(await say('worker', ours, remove, [ours])).not.toEqual([]);
  });

  it('queues, settles once and removes mail only in the current organization, and never changes its text', async () => {
    const columns = 'org_id, mail_id, dedupe_key, recipients, subject, body, created_at, due_at';
    const queue = `insert into mails (${columns}) values ($1, 'eml_2', 'second', '{a@b}', 's', 'b', now(), now())`;
    expect(await say('worker', ours, queue, [theirs])).toBe(FORBIDDEN);
    expect(await say('worker', null, queue, [ours])).toBe(FORBIDDEN);
    expect(await say('worker', ours, queue, [ours])).toEqual([]);
    for (const column of ['recipients', 'subject', 'body', 'dedupe_key', 'created_at'])
      expect(await say('worker', ours, `update mails set ${column} = ${column}`), column).toBe(FORBIDDEN);
    const settle = 'update mails set due_at = null, sent_at = now() where org_id = $1 returning 1 as settled';
    const remove = 'delete from mails where org_id = $1 returning 1 as removed';
    expect(await say('worker', ours, remove, [ours])).toEqual([]);
    expect(await say('worker', null, settle, [ours])).toEqual([]);
    expect(await say('worker', ours, settle, [theirs])).toEqual([]);
    expect(await say('worker', ours, settle, [ours])).toEqual([{ settled: 1 }, { settled: 1 }]);
    expect(await say('worker', ours, settle, [ours])).toEqual([]);
    expect(await say('worker', theirs, remove, [ours])).toEqual([]);
    expect(await say('worker', ours, remove, [ours])).toEqual([{ removed: 1 }, { removed: 1 }]);
  });

  it('stores the progress of all webhooks, and changes neither their organization nor their starting position', async () => {
    const renew = 'update webhook_states set leased_until = now(), settled_to = settled_to returning org_id';
    const renewed = (await say('worker', null, renew)) as { org_id: string }[];
    expect(renewed.map((row) => row.org_id).sort()).toEqual([ours, theirs].sort());
    for (const column of ['org_id', 'webhook_id', 'send_from'])
      expect(await say('worker', ours, `update webhook_states set ${column} = ${column}`), column).toBe(
        FORBIDDEN,
      );
  });

  it('records attempts of all organizations, and removes them only in the current one', async () => {
    const note = `insert into webhook_attempts (org_id, webhook_id, position, attempt, at, duration_ms, delivered)
      select org_id, webhook_id, 999, 1, now(), 5, true from webhook_states`;
    expect(await say('worker', null, note)).toEqual([]);
    const remove = 'delete from webhook_attempts where org_id = $1 and position = 999 returning 1 as removed';
    expect(await say('worker', null, remove, [ours])).toEqual([]);
    expect(await say('worker', ours, remove, [theirs])).toEqual([]);
    expect(await say('worker', ours, remove, [ours])).toEqual([{ removed: 1 }]);
    expect(await say('worker', theirs, remove, [theirs])).toEqual([{ removed: 1 }]);
    expect(await say('worker', ours, 'update webhook_attempts set attempt = attempt')).toBe(FORBIDDEN);
  });

  it('counts the use of credentials of all organizations, and removes the counts only in the current one', async () => {
    const add = 'update credential_usage set requests = requests + 1 where org_id = $1 returning 1 as added';
    expect(await say('worker', null, add, [ours])).toContainEqual({ added: 1 });
    for (const column of ['org_id', 'kind', 'credential_id', 'hour'])
      expect(await say('worker', ours, `update credential_usage set ${column} = ${column}`), column).toBe(
        FORBIDDEN,
      );
    const remove =
      "delete from credential_usage where org_id = $1 and hour = '2020-01-01' returning 1 as removed";
    expect(await say('worker', null, remove, [ours])).toEqual([]);
    expect(await say('worker', ours, remove, [theirs])).toEqual([]);
    expect(await say('worker', ours, remove, [ours])).toEqual([{ removed: 1 }]);
  });

  it('stores outcomes of pushes only in the current organization', async () => {
    const settle =
      "update webhook_deliveries set updated_at = now() where org_id = $1 returning 'settled' as is";
    expect(await say('worker', null, settle, [ours])).toEqual([]);
    expect(await say('worker', ours, settle, [theirs])).toEqual([]);
    expect(await say('worker', ours, settle, [ours])).toContainEqual({ is: 'settled' });
    const add = `insert into webhook_deliveries (org_id, webhook_id, position, status, attempts, tries, updated_at)
      select org_id, webhook_id, 999, 'skipped', 0, 0, now() from webhook_states where org_id = $1`;
    expect(await say('worker', ours, add, [theirs])).toBe(FORBIDDEN);
    expect(await say('worker', null, add, [ours])).toBe(FORBIDDEN);
    expect(await say('worker', ours, add, [ours])).toEqual([]);
    const remove = "delete from webhook_deliveries where org_id = $1 returning 'removed' as is";
    expect(await say('worker', ours, remove, [theirs])).toEqual([]);
    expect(await say('worker', null, remove, [ours])).toEqual([]);
    expect(await say('worker', ours, remove, [ours])).toContainEqual({ is: 'removed' });
  });

  it('removes only deleted webhooks, in the current organization', async () => {
    const [kept] = await service.db.sql<{ id: string }>(
      'select webhook_id as id from webhooks where org_id = $1',
      [ours],
    );
    const { webhookId } = await mustAs(service, service.org)<{ webhookId: string }>('/v2/webhooks', {
      callbackUrl: receiver.url(),
      eventTypes: ['order.status_changed'],
    });
    expect((await service.call('DELETE', `/v2/webhooks/${webhookId}`)).status).toBe(200);
    for (const table of ['webhook_subscriptions', 'webhooks']) {
      const remove = `delete from ${table} where webhook_id = $1 returning 1 as removed`;
      expect(await say('worker', null, remove, [webhookId]), table).toEqual([]);
      expect(await say('worker', theirs, remove, [webhookId]), table).toEqual([]);
      expect(await say('worker', ours, remove, [webhookId]), table).toEqual([{ removed: 1 }]);
    }
    expect(
      await say('worker', ours, 'delete from webhooks where webhook_id = $1 returning 1', [kept?.id]),
    ).toEqual([]);
  });

  it('writes audit entries only in the current organization', async () => {
    const columns = 'org_id, entry_id, at, actor, credential_id, action, entity_type, entity_id';
    const values =
      "$1, 'aud_1', now(), 'worker@lotward.invalid', 'system', 'webhook.disable', 'webhook', 'whk_1'";
    const record = `insert into audit_entries (${columns}) values (${values})`;
    expect(await say('worker', ours, record, [theirs])).toBe(FORBIDDEN);
    expect(await say('worker', null, record, [ours])).toBe(FORBIDDEN);
    expect(await say('worker', ours, record, [ours])).toEqual([]);
    const sealed = `insert into audit_entries (${columns}, position, hash) values (${values}, 7, 'x')`;
    expect(await say('worker', ours, sealed, [ours])).toBe(FORBIDDEN);
  });
});
