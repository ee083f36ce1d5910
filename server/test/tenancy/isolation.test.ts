import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '../../src/access/index.js';
import { sealAudit } from '../../src/audit/seal-audit.js';
import { sequenceEvents } from '../../src/events/sequence-events.js';
import { type Pool, statement, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import {
  GTIN,
  newOrganization,
  openTestService,
  stockCatalogue,
  type TestOrganization,
} from '../harness/index.js';
import { expectedGrants, tablesWithoutTenant } from './expected-grants.js';

type Service = Awaited<ReturnType<typeof openTestService>>;

let service: Service;
let ours: string;
let theirs: string;
let tables: { name: string; columns: string[] }[];

const FORBIDDEN = '42501';
const principal = (orgId: string) => systemPrincipal(orgId, 'operator@test.example');

type Must = <D>(path: string, body: object) => Promise<D>;

/** A receipt that was accepted, an order that is being picked, and what they leave behind. */
async function furnishDocuments(must: Must): Promise<void> {
  const lines = [{ lineNo: 1, productCode: GTIN, batchNo: 'LOT-1', expiryDate: null, quantity: 3 }];
  const { receiptId } = await must<{ receiptId: string }>('/v2/receipts', {
    receiptNo: 'R-1',
    supplierCode: 'SUP-1',
    warehouse: 'WH-1',
    lines,
  });
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
}

/** A row of every table, for one organization. */
async function furnish({ db, call }: Service, { organization, key }: TestOrganization): Promise<void> {
  const must = async <D>(path: string, body: object, method = 'POST'): Promise<D> => {
    const answer = await call<D>(method, path, body, key, { 'idempotency-key': randomUUID() });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.data;
  };
  const entry = { warehouse: 'WH-1', batchNo: 'LOT-1', expiryDate: null, reason: 'opening stock' };
  await must('/v2/stock/adjustments', { ...entry, productCode: GTIN, quantityDelta: 10 });
  const serials = ['SN-1', 'SN-2'];
  await must('/v2/stock/adjustments', { ...entry, productCode: 'PUMP-1', quantityDelta: 2, serials });
  await must('/v2/stock/holds', {
    productCode: 'PUMP-1',
    batchNo: 'LOT-1',
    serials: ['SN-1'],
    reason: 'check',
  });
  await transact(db.database, principal(organization.orgId), (tx) =>
    createUser(tx, { email: `admin@${organization.code}.example`, role: 'admin' }),
  );
  await furnishDocuments(must);
  await sealAudit(db.database, organization.orgId);
  await sequenceEvents(db.database, organization.orgId);
  // One entry and one event more, which have no place in their order yet.
  const gloves = { productName: 'Gloves', tracking: 'none', safetyStock: 5 };
  await must('/v2/products/GLOVE-1', gloves, 'PUT');
}

beforeAll(async () => {
  service = await openTestService();
  const { db, api, org } = service;
  const other = await newOrganization(db);
  await stockCatalogue(api, other.key);
  await furnish(service, org);
  await furnish(service, other);
  ours = org.organization.orgId;
  theirs = other.organization.orgId;
  tables = await db.sql<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns
     where table_schema = 'lotward' and table_name <> all($1) and is_generated = 'NEVER'
     group by 1 order by 1`,
    [[...tablesWithoutTenant]],
  );
});
afterAll(() => service.close());

/** The rows, or the error's code: whatever the database says to this statement in a transaction of `orgId`. */
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
    const client = await service.db.database.app.connect();
    try {
      await client.query('begin');
      await client.query('select set_org($1)', [ours]);
      expect((await client.query('select 1 from products')).rowCount).toBeGreaterThan(0);
      await client.query('commit');
      expect((await client.query('select 1 from products')).rowCount).toBe(0);
    } finally {
      client.release();
    }
  });

  it('a name of an organization is a value, never a piece of SQL', async () => {
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
    'dispatch_lines',
    'event_heads',
    'events',
    'low_stock_notices',
    'movement_serials',
    'movements',
    'order_status_changes',
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

  it('documents are never deleted, whatever becomes of them', async () => {
    for (const table of ['orders', 'dispatches', 'receipts'])
      expect(await say('app', ours, `delete from ${table}`), table).toBe(FORBIDDEN);
  });

  it('the app cannot take back a key, a code or an address from the directories', async () => {
    for (const table of tablesWithoutTenant.filter((name) => name.endsWith('_directory'))) {
      expect(await say('app', ours, `update ${table} set org_id = $1`, [ours]), table).toBe(FORBIDDEN);
      expect(await say('app', ours, `delete from ${table}`), table).toBe(FORBIDDEN);
    }
  });

  it('the app cannot widen a key: neither its scopes, nor its list, owner, customer or expiry', async () => {
    for (const column of ['scopes', 'allow_list', 'owner_email', 'customer_code', 'expires_at'])
      expect(await say('app', ours, `update api_keys set ${column} = ${column}`), column).toBe(FORBIDDEN);
  });

  it('no role reads the passwords of the roles', async () => {
    const { app, reader, worker } = service.db.database;
    for (const pool of [app, reader, worker])
      expect(await readAs(pool, 'select password_sealed from service_roles')).toBe(FORBIDDEN);
  });
});

describe('the reader', () => {
  it('writes nothing anywhere', async () => {
    const all = [...tables.map(({ name }) => name), ...tablesWithoutTenant];
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

  it('notes the use of keys, and changes nothing else about them', async () => {
    const note = 'update api_keys set last_used_at = now() where org_id = $1 returning 1 as noted';
    expect(await say('worker', null, note, [ours])).toEqual([{ noted: 1 }]);
    for (const column of ['revoked_at', 'secret_hash', 'previous_valid_until', 'scopes', 'expires_at'])
      expect(await say('worker', ours, `update api_keys set ${column} = ${column}`), column).toBe(FORBIDDEN);
  });

  it('gives an audit entry its place once, in the organization at hand, and changes nothing else about it', async () => {
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

  it('moves the head of the chain, and forgets answers, only in the organization at hand', async () => {
    const move = 'update audit_heads set position = position where org_id = $1 returning 1 as moved';
    expect(await say('worker', ours, move, [theirs])).toEqual([]);
    expect(await say('worker', ours, move, [ours])).toEqual([{ moved: 1 }]);
    const begin = "insert into audit_heads values ($1, 0, 'x', now()) on conflict do nothing";
    expect(await say('worker', ours, begin, [theirs])).toBe(FORBIDDEN);
    const forget = 'delete from idempotency_keys where org_id = $1 returning 1';
    expect(await say('worker', ours, forget, [theirs])).toEqual([]);
    expect(await say('worker', ours, forget, [ours])).not.toEqual([]);
  });

  it('gives an event its place once, in the organization at hand, and changes nothing else about it', async () => {
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

  it('moves the head of the feed, and removes events, only in the organization at hand', async () => {
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
});
