import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  newOrganization,
  newSession,
  openPushWorld,
  type PushWorld,
  type Subscriber,
  type TestOrganization,
  type WebhookData,
} from '../../test/harness/index.js';
import { revokeKey } from '../credentials/index.js';
import { inviteUser } from '../people/index.js';
import { removeUser } from '../people/manage-users.js';
import { type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { createWebhook, ORGANIZATION } from './index.js';

const HOUR = 3_600_000;
const BEGINNING = '2026-01-01T00:00:00Z';
const polled = { timeout: 60_000, interval: 40 };
const PATH = '/v2/webhooks';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
});
afterAll(async () => {
  expect(world?.worker.complaints).toEqual([]);
  await world?.close();
});

const asOperator = <T>(org: TestOrganization, work: (tx: Tx) => Promise<T>) =>
  transact(world.db.database, systemPrincipal(org.organization.orgId, 'operator@test.example'), work);

/** An organization with an administrator, and a webhook made with a key of its own; `hook` calls with another key. */
async function owned(given: { expires?: string; eventTypes?: string[] } = {}) {
  const { eventTypes, ...key } = given;
  const org = await newOrganization(world.db);
  const { orgId } = org.organization;
  const admin = await newSession(world.db, orgId);
  const { apiKey, keyId } = await org.newKey({ name: 'ERP', ...key });
  const made = await world.subscribe({ org, key: apiKey, ...(eventTypes ? { eventTypes } : {}) });
  const asAdmin = <D = WebhookData>(method: string, under = '', body?: object) =>
    world.api.call<D>(method, `${PATH}/${made.webhookId}${under}`, body, undefined, admin.headers);
  const call: Subscriber['call'] = (method, under = '', body) =>
    world.api.call(method, `${PATH}/${made.webhookId}${under}`, body, org.key);
  return {
    org,
    admin,
    keyId,
    made,
    asAdmin,
    call,
    read: async () => (await call('GET')).data as WebhookData,
    revoke: () => asOperator(org, (tx) => revokeKey(tx, keyId)),
  };
}

const mailsAbout = async (webhookId: string) =>
  (await world.worker.mails())
    .map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))
    .filter((mail) => mail.includes(webhookId));

const ENDED = { status: 'disabled', disabledReason: 'owner_ended' };

describe('a webhook belongs to its creator', () => {
  it('a key or a person at the console, and is listed under it', async () => {
    const { org, admin, keyId, made, read } = await owned();
    expect((await read()).owner).toEqual({ kind: 'key', id: keyId, name: 'ERP', onBehalfOf: null });
    const body = { callbackUrl: 'https://partner.example/', eventTypes: ['order.status_changed'] };
    const console = await world.api.call<WebhookData>('POST', PATH, body, undefined, admin.headers);
    const { userId, email } = admin;
    expect(console.data.owner).toEqual({ kind: 'user', id: userId, name: email, onBehalfOf: null });
    const ofAll = await asOperator(org, (tx) =>
      createWebhook(tx, world.db.box, {
        ...body,
        description: null,
        customerCode: null,
        owner: ORGANIZATION,
        secret: undefined,
      }),
    );
    expect(ofAll.webhook.owner).toEqual({ kind: 'organization', id: null, name: null, onBehalfOf: null });
    const listed = async (owner: string) =>
      (
        await world.api.call<{ items: WebhookData[] }>('GET', `${PATH}?owner=${owner}`, undefined, org.key)
      ).data.items.map(({ webhookId }) => webhookId);
    expect(await listed(keyId)).toEqual([made.webhookId]);
    expect(await listed(userId)).toEqual([console.data.webhookId]);
    expect(await listed('organization')).toEqual([ofAll.webhook.webhookId]);
    expect(await listed(org.keyId)).toEqual([]);
    const tooLong = await world.api.call('GET', `${PATH}?owner=${'x'.repeat(65)}`, undefined, org.key);
    expect(tooLong).toMatchObject({ status: 400, code: 1001 });
  });
});

describe('when its key is revoked, a webhook', () => {
  it('is disabled with it, and sends nothing more; the administrators are notified once', async () => {
    const { made, read, revoke, call, admin } = await owned();
    await call('PATCH', '', { description: 'see https://evil.example' });
    await made.happen({ entity: 'ord_1' });
    await made.expectPushes(1);
    await revoke();
    const endedAt = world.clock.now().toISOString();
    expect(await read()).toMatchObject({ ...ENDED, disabledAt: endedAt, updatedAt: endedAt });
    await made.happen({ entity: 'ord_2' }, { entity: 'ord_3' });
    await expect.poll(async () => (await mailsAbout(made.webhookId)).length, polled).toBe(1);
    await world.worker.looked();
    expect(made.pushes()).toHaveLength(1);
    const [mail = '', ...more] = await mailsAbout(made.webhookId);
    expect(more).toEqual([]);
    expect(mail).toContain(`To: ${admin.email}`);
    expect(mail).toContain('the credential or person they belong to has ended');
    expect(mail).toContain(`/v2/webhooks/${made.webhookId}/adopt`);
    expect(mail).not.toContain(' more: GET');
    expect(mail, 'chosen words become no link').not.toContain('evil.example');
    const log = await call<{ items: { status: string }[] }>('GET', '/deliveries');
    expect(log.data.items.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'delivered']);
  });

  it('skips its pending retries', async () => {
    const { made, revoke, call } = await owned();
    made.answer(500);
    await made.happen({});
    await made.expectPushes(1);
    const statuses = async () =>
      (await call<{ items: { status: string }[] }>('GET', '/deliveries')).data.items.map((d) => d.status);
    await expect.poll(statuses, polled).toEqual(['retrying']);
    await revoke();
    expect(await statuses()).toEqual(['skipped']);
    world.clock.advance(HOUR);
    await world.worker.looked();
    expect(made.pushes()).toHaveLength(1);
  });

  it('stays enabled if the revocation does not commit', async () => {
    const { org, keyId, made, read } = await owned();
    const failing = asOperator(org, async (tx) => {
      await revokeKey(tx, keyId);
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await read()).toMatchObject({ status: 'enabled', disabledReason: null });
    await made.happen({});
    await made.expectPushes(1);
  });

  it('cannot be enabled in any way, not even by an administrator', async () => {
    const { revoke, call, asAdmin, read } = await owned();
    await revoke();
    const ways = [
      await call('POST', '/enable', {}),
      await asAdmin('POST', '/enable', {}),
      await call('PATCH', '', { status: 'disabled' }),
      await call('PATCH', '', { status: 'enabled' }),
      await asAdmin('PATCH', '', { status: 'enabled' }),
    ];
    expect(ways.map(({ status, reason }) => [status, reason])).toEqual([
      [400, 'owner_ended'],
      [400, 'owner_ended'],
      [200, undefined],
      [400, 'owner_ended'],
      [400, 'owner_ended'],
    ]);
    expect(await read()).toMatchObject(ENDED);
  });

  it('and was disabled by hand before, keeps that reason, and cannot be enabled either', async () => {
    const { made, revoke, call, read } = await owned();
    await call('PATCH', '', { status: 'disabled' });
    await revoke();
    expect(await read()).toMatchObject({ status: 'disabled', disabledReason: 'manual' });
    for (const refused of [await call('POST', '/enable', {}), await call('PATCH', '', { status: 'enabled' })])
      expect([refused.status, refused.reason]).toEqual([400, 'owner_ended']);
    expect((await call('POST', '/adopt', {})).data).toMatchObject({
      status: 'disabled',
      disabledReason: 'manual',
    });
    expect((await call('POST', '/enable', {})).status).toBe(200);
    expect(await mailsAbout(made.webhookId)).toEqual([]);
  });

  it('leaves the webhooks of others alone, also those that belong to the organization since an upgrade', async () => {
    const { org, made, revoke } = await owned();
    const [others, older] = [await world.subscribe({ org }), await world.subscribe({ org })];
    await world.db.sql('update webhooks set owner_key_id = null where webhook_id = $1', [older.webhookId]);
    await revoke();
    await made.happen({});
    await others.expectPushes(1);
    await asOperator(org, (tx) => revokeKey(tx, org.keyId));
    await made.happen({});
    await older.expectPushes(2);
    await world.worker.looked();
    expect([made.pushes().length, others.pushes().length]).toEqual([0, 1]);
  });

  it('sends nothing even if it was made in the moment of the revocation', async () => {
    const { keyId, made, read } = await owned();
    // As if its transaction had committed after that of the revocation, which therefore did not see it.
    await world.db.sql('update api_keys set revoked_at = now() where key_id = $1', [keyId]);
    await made.happen({});
    await expect.poll(async () => (await read()).disabledReason, polled).toBe('owner_ended');
    await world.worker.looked();
    expect(made.pushes()).toEqual([]);
  });

  it('is reported in one mail with all others of the key', async () => {
    const { org, keyId, made, revoke } = await owned();
    await world.db.sql(
      `with w as (insert into webhooks (org_id, webhook_id, callback_url, event_types, secret, created_at, created_by, updated_at, owner_key_id)
         select org_id, 'whk_' || lpad(i::text, 26, '0'), callback_url, event_types, secret, created_at, created_by, updated_at, $2
         from webhooks, generate_series(1, 300) i where webhook_id = $1 returning org_id, webhook_id)
       insert into webhook_states (org_id, webhook_id, status, consecutive_failures, settled_to, send_from, version,
         delivered_total, failed_total, duration_ms_total)
       select org_id, webhook_id, 'enabled', 0, 0, 0, 1, 0, 0, 0 from w`,
      [made.webhookId, keyId],
    );
    await revoke();
    const [row] = await world.db.sql<{ left: number }>(
      `select count(*)::int as left from webhook_states where org_id = $1 and disabled_reason is distinct from 'owner_ended'`,
      [org.organization.orgId],
    );
    expect(row?.left).toBe(0);
    const mails = () =>
      world.db.sql<{ subject: string }>('select subject from mails where org_id = $1', [
        org.organization.orgId,
      ]);
    await expect.poll(async () => (await mails()).length, polled).toBe(1);
    expect(await mails()).toEqual([{ subject: '301 webhooks disabled' }]);
    // Fifty are described.
    const sent = async () =>
      (await world.worker.mails()).filter((mail) => mail.includes('Subject: 301 webhooks disabled'));
    await expect.poll(async () => (await sent()).length, polled).toBe(1);
    expect((await sent())[0]).toContain('and 251 more: GET');
  });
});

describe('when its key expires, a webhook', () => {
  it('sends nothing from that instant on, and is disabled', async () => {
    const expires = new Date(world.clock.now().getTime() + HOUR);
    const { made, read, call } = await owned({ expires: expires.toISOString() });
    world.clock.advance(HOUR);
    await made.happen({ entity: 'ord_1' });
    await made.expectPushes(1);
    world.clock.advance(1);
    await made.happen({ entity: 'ord_2' });
    // At once, before anything has noticed the end.
    const refused = await call('POST', '/enable', {});
    expect([refused.status, refused.reason]).toEqual([400, 'owner_ended']);
    await expect.poll(async () => (await read()).disabledReason, polled).toBe('owner_ended');
    await expect.poll(async () => (await mailsAbout(made.webhookId)).length, polled).toBe(1);
    await world.worker.looked();
    expect(made.pushes()).toHaveLength(1);
  });
});

describe('when its person is removed, a webhook', () => {
  it('is disabled, and stays so even if the person is invited again', async () => {
    const org = await newOrganization(world.db);
    const { orgId } = org.organization;
    const [leaving] = [await newSession(world.db, orgId), await newSession(world.db, orgId)];
    const hook = await world.subscribe({ org });
    const adopted = await world.api.call<WebhookData>(
      'POST',
      `${PATH}/${hook.webhookId}/adopt`,
      {},
      undefined,
      leaving.headers,
    );
    expect(adopted.data.owner).toMatchObject({ kind: 'user', id: leaving.userId });
    await asOperator(org, (tx) => removeUser(tx, leaving.userId));
    expect(await hook.read()).toMatchObject(ENDED);
    await asOperator(org, (tx) =>
      inviteUser(
        tx,
        { email: leaving.email, role: 'admin' },
        { url: () => 'https://x.example', box: world.db.box },
      ),
    );
    await world.db.sql(`update users set status = 'active' where user_id = $1`, [leaving.userId]);
    expect((await hook.call('POST', '/enable', {})).reason).toBe('owner_ended');
    await hook.happen({});
    await world.worker.looked();
    expect(hook.pushes()).toEqual([]);
  });
});

describe('adopting a webhook', () => {
  it('makes an administrator its owner and enables it; what it missed can be recovered', async () => {
    const { made, revoke, asAdmin, admin } = await owned();
    await revoke();
    await made.happen({ entity: 'ord_1' }, { entity: 'ord_2' });
    await world.worker.looked();
    const adopted = await asAdmin('POST', '/adopt', {});
    expect(adopted, adopted.text).toMatchObject({
      status: 200,
      data: {
        status: 'enabled',
        disabledReason: null,
        disabledAt: null,
        owner: { kind: 'user', id: admin.userId, name: admin.email, onBehalfOf: null },
      },
    });
    await made.happen({ entity: 'ord_3' });
    await made.expectPushes(1);
    const recovered = await asAdmin<{ total: number }>('POST', '/recover', { since: BEGINNING });
    expect(recovered.data.total).toBe(2);
    await made.expectPushes(3);
  });

  it('needs the scope of every area that it sends', async () => {
    const { org, made, revoke, read } = await owned({
      eventTypes: ['order.status_changed', 'expiry.warning'],
    });
    await revoke();
    const adopt = async (...scopes: 'orders:read'[] | ['orders:read', 'inventory:read']) => {
      const { apiKey, keyId } = await org.newKey({ scopes: ['webhooks:write', ...scopes] });
      const answer = await world.api.call('POST', `${PATH}/${made.webhookId}/adopt`, {}, apiKey);
      return { answer, keyId };
    };
    const refused = (await adopt('orders:read')).answer;
    expect([refused.status, refused.reason]).toEqual([403, 'scope_missing']);
    expect(await read()).toMatchObject(ENDED);
    const { answer, keyId } = await adopt('orders:read', 'inventory:read');
    expect(answer.status, answer.text).toBe(200);
    expect(await read()).toMatchObject({ status: 'enabled', owner: { kind: 'key', id: keyId } });
    await asOperator(org, (tx) => revokeKey(tx, keyId));
    expect(await read()).toMatchObject(ENDED);
  });

  it('hands it over before its owner ends, without a gap; the audit trail has both owners', async () => {
    const { org, made, keyId, admin, asAdmin, revoke, read } = await owned();
    expect((await asAdmin('POST', '/adopt', {})).status).toBe(200);
    await revoke();
    expect(await read()).toMatchObject({ status: 'enabled' });
    await made.happen({});
    await made.expectPushes(1);
    const entries = await world.api.call<{
      items: { action: string; before: WebhookData; after: WebhookData }[];
    }>('GET', `/v2/audit?entityType=webhook&entityId=${made.webhookId}`, undefined, org.key);
    const entry = entries.data.items.find(({ action }) => action === 'webhook.adopt');
    expect([entry?.before.owner.id, entry?.after.owner.id]).toEqual([keyId, admin.userId]);
  });

  it('by two at once leaves one of them the owner', async () => {
    const { org, made, revoke, read } = await owned();
    await revoke();
    const keys = await Promise.all(Array.from({ length: 6 }, () => org.newKey()));
    const answers = await Promise.all(
      keys.map(({ apiKey }) => world.api.call('POST', `${PATH}/${made.webhookId}/adopt`, {}, apiKey)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(keys.map(({ keyId }) => keyId)).toContain((await read()).owner.id);
  });
});
