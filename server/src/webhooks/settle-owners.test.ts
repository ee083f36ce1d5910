import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  newOrganization,
  openTestDatabase,
  type TestDatabase,
  type TestOrganization,
} from '../../test/harness/index.js';
import { type Database, openDatabase, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { createWebhook, ORGANIZATION, settleEndedOwners } from './index.js';

const HOUR = 3_600_000;
const addresses = { consoleUrl: 'https://lotward.example', adminEmail: 'operator@lotward.example' };

let db: TestDatabase;
/** The same database, for which work in the background does not wait ten seconds to lock a row. */
let impatient: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  impatient = await openDatabase({
    url: db.url,
    migrationsDirectory: fileURLToPath(new URL('../../migrations', import.meta.url)),
    box: db.box,
    clock: db.clock,
    limits: { worker: { lockMs: 100 } },
  });
});
afterAll(async () => {
  await impatient.close();
  await db.close();
});

/** An organization with so many webhooks of a key that expires in an hour. */
async function withExpiring(count: number): Promise<TestOrganization> {
  const org = await newOrganization(db);
  const { orgId } = org.organization;
  const expires = new Date(db.clock.now().getTime() + HOUR).toISOString();
  const { keyId } = await org.newKey({ expires });
  await transact(db.database, systemPrincipal(orgId, 'operator@test.example'), async (tx) => {
    for (let i = 0; i < count; i++)
      await createWebhook(tx, db.box, {
        callbackUrl: `https://receiver.example/${i}`,
        eventTypes: ['order.status_changed'],
        description: null,
        customerCode: null,
        owner: { ...ORGANIZATION, keyId },
        secret: undefined,
      });
  });
  return org;
}

const enabled = async () => {
  const rows = await db.sql<{ orgId: string }>(
    `select distinct org_id as "orgId" from webhook_states where status = 'enabled' order by 1`,
  );
  return rows.map(({ orgId }) => orgId);
};

it('owners that ended are settled organization by organization, however many there are', async () => {
  for (let i = 0; i < 5; i++) await withExpiring(2);
  expect(await settleEndedOwners(db.database, { ...addresses, organizationsMax: 2 })).toBe(0);
  db.clock.advance(HOUR + 1);
  expect(await settleEndedOwners(db.database, { ...addresses, organizationsMax: 2 })).toBe(10);
  expect(await enabled()).toEqual([]);
});

it('an organization whose webhooks are locked does not keep those of others from being settled', async () => {
  const orgIds: string[] = [];
  for (let i = 0; i < 2; i++) orgIds.push((await withExpiring(1)).organization.orgId);
  db.clock.advance(HOUR + 1);
  for (const locked of [...orgIds].sort()) {
    await db.sql(`update webhook_states set status = 'enabled', disabled_reason = null, disabled_at = null,
      end_notice_due = false`);
    await db.sql('delete from webhook_states where org_id <> all($1)', [orgIds]);
    const other = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward' });
    await other.connect();
    await other.query('begin');
    await other.query('select 1 from webhook_states where org_id = $1 for update', [locked]);
    await expect(settleEndedOwners(impatient, addresses)).rejects.toMatchObject({
      errors: [{ reason: 'record_locked' }],
    });
    expect(await enabled()).toEqual([locked]);
    await other.end();
  }
  expect(await settleEndedOwners(db.database, addresses)).toBe(1);
});
