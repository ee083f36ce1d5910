import { afterAll, beforeAll, expect, it } from 'vitest';
import { newClient, userTokens } from '../access/oauth-world.js';
import { newSession, openTestService } from '../harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

/** Takes the schema back to what it was before, with the rows as the version before wrote them. */
async function takeBack(): Promise<void> {
  const added = ['belongs_to', 'owner_confirmed_at', 'disabled_at', 'disabled_reason'];
  const dropped = added.map((column) => `drop column ${column} cascade`).join(', ');
  for (const statement of [
    `alter table api_keys ${dropped}`,
    `alter table oauth_clients ${dropped}`,
    'alter table sessions drop column second_factor_at',
    'alter table oauth_artifacts drop column user_id cascade',
    'drop index oauth_artifacts_grants_of_client',
    "delete from schema_migrations where name like '0018%'",
  ])
    await service.db.sql(statement);
}

it('keys that exist at the upgrade are the organization’s and act for their owner; grants are found', async () => {
  const { orgId } = service.org.organization;
  const [admin, leaver] = [await newSession(service.db, orgId), await newSession(service.db, orgId)];
  const client = await newClient(service.db, service.org);
  const { access } = await userTokens(service.api, client, leaver);
  const { apiKey, keyId } = await service.org.newKey({ owner: leaver.email });
  await takeBack();
  await service.db.another();

  const as = <D>(headers: Record<string, string>, method: string, path: string) =>
    service.api.call<D>(method, path, undefined, undefined, headers);
  const key = await as(admin.headers, 'GET', `/v2/settings/keys/${keyId}`);
  expect(key.data).toMatchObject({ belongsTo: null, ownerConfirmed: true, owner: leaver.email });
  const apps = await as<{ items: { clientId: string }[] }>(
    leaver.headers,
    'GET',
    '/v2/session/connected-apps',
  );
  expect(apps.data.items).toMatchObject([{ clientId: client.clientId }]);
  const removed = await as(admin.headers, 'DELETE', `/v2/settings/users/${leaver.userId}`);
  expect(removed.status, removed.text).toBe(200);
  const whoami = (token: string) => service.api.call('GET', '/v2/whoami', undefined, token);
  await expect.poll(async () => (await whoami(access)).status, { timeout: 60_000, interval: 20 }).toBe(401);
  expect((await whoami(apiKey)).data).toMatchObject({ actor: leaver.email });
});
