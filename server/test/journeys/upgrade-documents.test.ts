import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../src/platform/database/migrate.js';
import { Servers } from '../../src/platform/database/servers.js';
import { secretBox } from '../../src/platform/secrets/index.js';
import { TEST_SECRET_KEY } from '../harness/index.js';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const OLD = '0011';
const NEW = '0012';

let client: pg.Client;
let directory: string;
const name = `upgrade_${randomBytes(6).toString('hex')}`;

const asAdmin = async (text: string) => {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(text).finally(() => admin.end());
};
const urlOf = () => {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.toString();
};
/** Brings the database to the migration with this number. */
async function migrateTo(number: string): Promise<void> {
  for (const file of await readdir(migrations))
    if (file.slice(0, 4) <= number) await cp(join(migrations, file), join(directory, file));
  await migrate({ servers: Servers.parse(urlOf()), directory, box: secretBox([TEST_SECRET_KEY]) });
}
const sql = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T10:00:00Z`;

let entries = 0;
const audit = (at: string, action: string, type: string, id: string, before: unknown, after: unknown) =>
  sql(
    `insert into audit_entries (org_id, entry_id, at, actor, credential_id, action, entity_type, entity_id, before, after)
     values ('org_1', $1, $2, 'somebody', 'key_1', $3, $4, $5, $6, $7)`,
    [`aud_${String(++entries).padStart(6, '0')}`, at, action, type, id, before, after],
  );
const product = (productName: string, more: object = {}) => ({
  productName,
  specification: null,
  model: null,
  manufacturer: null,
  registrationNo: null,
  unit: 'piece',
  ...more,
});

/** Data as the previous version stored it: names only in the catalogue, and the audit trail of their changes. */
async function fill(): Promise<void> {
  await sql(`insert into organizations (org_id, code, name, edition, time_zone, status, created_at, updated_at)
    values ('org_1', 'one', 'One', 'standard', 'UTC', 'active', now(), now())`);
  await sql(
    `insert into warehouses (org_id, code, name, created_at, updated_at) values ('org_1', 'WH', 'Main', now(), now())`,
  );
  await sql(`insert into partners (org_id, code, name, roles, status, created_at, updated_at) values
    ('org_1', 'HOSP', 'Hospital today', '{customer}', 'active', now(), now()),
    ('org_1', 'SUP', 'Supplier today', '{supplier}', 'active', now(), now())`);
  await sql(`insert into products (org_id, product_code, product_id, product_name, specification, unit, sterile, implantable,
      tracking, safety_stock, near_expiry_days, status, created_at, updated_at) values
    ('org_1', 'KNOWN', 'prd_1', 'Name today', 'spec today', 'box', false, false, 'batch', 0, 1, 'active', now(), now()),
    ('org_1', 'SILENT', 'prd_2', 'Silent today', null, 'box', false, false, 'batch', 0, 1, 'active', now(), now())`);
  const first = product('First name', { registrationNo: 'REG-1' });
  const second = product('Second name', { specification: 'spec 2' });
  await audit(day(1), 'product.put', 'product', 'KNOWN', null, first);
  // The same said again each night does not begin a new name.
  for (let n = 2; n < 5; n++) await audit(day(n), 'product.put', 'product', 'KNOWN', first, first);
  await audit(day(5), 'product.put', 'product', 'KNOWN', first, second);
  await audit(day(20), 'product.put', 'product', 'KNOWN', second, product('Name today'));
  // Its first entry is a change: before it, it had the name that entry found.
  await audit(
    day(10),
    'partner.put',
    'partner',
    'HOSP',
    { name: 'Hospital before' },
    { name: 'Hospital then' },
  );
  await audit(
    day(25),
    'partner.put',
    'partner',
    'HOSP',
    { name: 'Hospital then' },
    { name: 'Hospital today' },
  );
  for (const [id, at] of [
    // Dated before the trail knows of its product.
    ['ord_0', '2025-12-01T10:00:00Z'],
    ['ord_a', day(3)],
    ['ord_b', day(6)],
    ['ord_c', day(2)],
  ]) {
    await sql(
      `insert into orders (org_id, order_id, order_no, customer_code, warehouse, status, on_hold, currency, version, created_at,
        created_by, updated_at) values ('org_1', $1, $1, 'HOSP', 'WH', 'approved', false, 'EUR', 1, $2, 'x', $3)`,
      [id, at, day(28)],
    );
    await sql(
      `insert into order_lines (org_id, order_id, line_no, product_code, quantity, unit_price)
       values ('org_1', $1, 1, 'KNOWN', 5, 1), ('org_1', $1, 2, 'SILENT', 5, 1)`,
      [id],
    );
  }
  // Changed on the 12th: its content is of that day.
  await audit(day(12), 'order.update', 'order', 'ord_c', {}, {});
  await sql(`insert into receipts (org_id, receipt_id, receipt_no, kind, supplier_code, warehouse, status, version, created_at,
      created_by, updated_at, accepted_at, accepted_by) values
    ('org_1', 'rcp_a', 'R-1', 'purchase', 'SUP', 'WH', 'accepted', 2, '${day(2)}', 'x', '${day(7)}', '${day(7)}', 'x'),
    ('org_1', 'rcp_b', 'R-2', 'purchase', 'SUP', 'WH', 'pending_acceptance', 1, '${day(2)}', 'x', '${day(2)}', null, null)`);
  await sql(`insert into receipt_lines (org_id, receipt_id, line_no, product_code, batch_no, quantity, serials) values
    ('org_1', 'rcp_a', 1, 'KNOWN', 'B1', 5, '{}'), ('org_1', 'rcp_b', 1, 'KNOWN', 'B1', 5, '{}')`);
  await sql(`insert into dispatches (org_id, dispatch_id, order_id, status, version, created_at, created_by, updated_at,
      dispatched_at, cancelled_at) values
    ('org_1', 'dsp_a', 'ord_a', 'delivered', 3, '${day(4)}', 'x', '${day(28)}', '${day(11)}', null),
    ('org_1', 'dsp_b', 'ord_a', 'cancelled', 2, '${day(4)}', 'x', '${day(4)}', null, '${day(4)}'),
    ('org_1', 'dsp_c', 'ord_a', 'picking', 1, '${day(4)}', 'x', '${day(4)}', null, null)`);
  await sql(`insert into dispatch_lines (org_id, dispatch_id, order_id, line_no, quantity) values
    ('org_1', 'dsp_a', 'ord_a', 1, 1), ('org_1', 'dsp_b', 'ord_a', 1, 1), ('org_1', 'dsp_c', 'ord_a', 1, 1)`);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lotward-upgrade-'));
  await asAdmin(`create database ${name}`);
  await migrateTo(OLD);
  client = new pg.Client({ connectionString: urlOf(), options: '-c search_path=lotward,public' });
  await client.connect();
  await fill();
  await migrateTo(NEW);
});
afterAll(async () => {
  await client.end();
  await asAdmin(`drop database ${name} with (force)`);
  await rm(directory, { recursive: true });
});

const lineWords = 'product_name, specification, registration_no, unit, words_from';
const FIRST = ['First name', null, 'REG-1', 'piece', 'audit'];
const SECOND = ['Second name', 'spec 2', null, 'piece', 'audit'];
const rowsOf = async (text: string) =>
  (await client.query({ text, rowMode: 'array' })).rows as unknown as unknown[][];

describe('an installation with documents is upgraded so that they say', () => {
  it('in orders what things were called when their content was last written', async () => {
    expect(await rowsOf('select order_id, customer_name, words_from from orders order by 1')).toEqual([
      ['ord_0', 'Hospital before', 'audit'],
      ['ord_a', 'Hospital before', 'audit'],
      ['ord_b', 'Hospital before', 'audit'],
      ['ord_c', 'Hospital then', 'audit'],
    ]);
    expect(
      await rowsOf(`select order_id, ${lineWords} from order_lines where line_no = 1 order by 1`),
    ).toEqual([
      ['ord_0', ...FIRST],
      ['ord_a', ...FIRST],
      ['ord_b', ...SECOND],
      ['ord_c', ...SECOND],
    ]);
  });

  it('what things are called today where the trail does not tell, and that it is so', async () => {
    expect(await rowsOf(`select distinct ${lineWords} from order_lines where line_no = 2`)).toEqual([
      ['Silent today', null, null, 'box', 'current'],
    ]);
    expect(await rowsOf('select distinct partner_name, words_from from receipts')).toEqual([
      ['Supplier today', 'current'],
    ]);
  });

  it('in receipts what things were called at acceptance, or when a pending one was last entered', async () => {
    expect(await rowsOf(`select receipt_id, ${lineWords} from receipt_lines order by 1`)).toEqual([
      ['rcp_a', ...SECOND],
      ['rcp_b', ...FIRST],
    ]);
  });

  it('in dispatches what things were called when they left or were cancelled; open ones keep nothing yet', async () => {
    expect(await rowsOf('select dispatch_id, customer_name, words_from from dispatches order by 1')).toEqual([
      ['dsp_a', 'Hospital then', 'audit'],
      ['dsp_b', 'Hospital before', 'audit'],
      ['dsp_c', null, 'document'],
    ]);
    expect(await rowsOf(`select dispatch_id, ${lineWords} from dispatch_lines order by 1`)).toEqual([
      ['dsp_a', ...SECOND],
      ['dsp_b', ...FIRST],
      ['dsp_c', null, null, null, null, 'document'],
    ]);
  });

  it('while processes of the version before go on writing', async () => {
    await sql('begin');
    await sql(`insert into orders (org_id, order_id, order_no, customer_code, warehouse, status, on_hold, currency, version,
        created_at, created_by, updated_at)
      values ('org_1', 'ord_z', 'Z', 'HOSP', 'WH', 'approved', false, 'EUR', 1, now(), 'x', now())`);
    await sql(`insert into order_lines (org_id, order_id, line_no, product_code, quantity, unit_price)
      values ('org_1', 'ord_z', 1, 'KNOWN', 5, 1)`);
    await sql(
      "update dispatches set status = 'dispatched', dispatched_at = now() where dispatch_id = 'dsp_c'",
    );
    await sql(
      "insert into warehouses (org_id, code, name, created_at, updated_at) values ('org_1', 'W2', 'Two', now(), now())",
    );
    await sql('rollback');
  });

  it('and nothing else about them changed', async () => {
    expect(await rowsOf('select order_id, status, version, updated_at::text from orders order by 1')).toEqual(
      ['ord_0', 'ord_a', 'ord_b', 'ord_c'].map((id) => [
        id,
        'approved',
        1,
        expect.stringContaining('2026-01-28'),
      ]),
    );
    expect(await rowsOf('select count(*)::int from order_lines')).toEqual([[8]]);
    expect(
      await rowsOf("select count(*)::int from pg_class where relname in ('named_then', 'written_then')"),
    ).toEqual([[0]]);
  });
});

it('numbers the dispatches of each order and the dispositions of each organization as they were created', async () => {
  await migrateTo('0045');
  await sql(`insert into dispositions (org_id, disposition_id, kind, status, reason, proposed_at, proposed_by, updated_at) values
    ('org_1', 'dpn_b', 'release', 'proposed', 'x', '${day(5)}', 'x', '${day(5)}'),
    ('org_1', 'dpn_a', 'release', 'proposed', 'x', '${day(4)}', 'x', '${day(4)}')`);
  await migrateTo('0046');
  expect(await sql('select dispatch_id as id, number from dispatches order by 1')).toEqual([
    { id: 'dsp_a', number: 1 },
    { id: 'dsp_b', number: 2 },
    { id: 'dsp_c', number: 3 },
  ]);
  expect(await sql('select disposition_id as id, number from dispositions order by 1')).toEqual([
    { id: 'dpn_a', number: 1 },
    { id: 'dpn_b', number: 2 },
  ]);
});
