import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordDeliveredAttempts } from '../../src/webhooks/delivery/results.store.js';
import { newOrganization, openTestDatabase, type TestDatabase } from '../harness/index.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const WEBHOOK = 'whk_of_the_same_name';

/** A webhook of a new organization, leased under the token. */
async function leasedWebhook(token: string): Promise<string> {
  const { orgId } = (await newOrganization(db)).organization;
  await db.sql(
    `insert into webhooks (org_id, webhook_id, callback_url, event_types, secret, created_at, created_by, updated_at)
     values ($1, $2, 'https://partner.example/', '{order.created}', 'sealed', now(), 'test', now())`,
    [orgId, WEBHOOK],
  );
  await db.sql(
    `insert into webhook_states (org_id, webhook_id, status, consecutive_failures, settled_to, send_from, version,
       lease_token, delivered_total, failed_total, duration_ms_total)
     values ($1, $2, 'enabled', 0, 0, 0, 1, $3::text || ' ' || incarnation(), 0, 0, 0)`,
    [orgId, WEBHOOK, token],
  );
  return orgId;
}

it('a lease lets its holder write for its own organization only, though others have a webhook of the same id', async () => {
  const [ours, theirs] = [await leasedWebhook('ours'), await leasedWebhook('theirs')];
  const at = db.clock.now();
  const attempt = { position: 1, at, endedAt: at, durationMs: 1, delivered: true, status: 200 };
  const batch = {
    webhookId: WEBHOOK,
    token: 'ours',
    watermark: 1,
    version: 1,
    attempts: [{ ...attempt, error: null, responseExcerpt: null }],
  };
  const written = await recordDeliveredAttempts(db.database.worker, [
    { ...batch, orgId: ours },
    { ...batch, orgId: theirs },
  ]);
  expect(written).toEqual([{ orgId: ours, webhookId: WEBHOOK }]);
  expect(await db.sql('select org_id from webhook_attempts')).toEqual([{ org_id: ours }]);
  const settled = await db.sql('select org_id from webhook_states where settled_to > 0');
  expect(settled).toEqual([{ org_id: ours }]);
});
