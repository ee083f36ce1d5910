import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  newOrganization,
  newSession,
  openTestService,
  startApi,
  type TestApi,
} from '../../test/harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
/** The same database, as another process has it. */
let elsewhere: TestApi;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  elsewhere = await startApi(await service.db.another());
  ({ headers } = await newSession(service.db, service.org.organization.orgId));
});
afterAll(async () => {
  await elsewhere.close();
  await service.close();
});

interface KeyView {
  name: string;
  scopes: string[];
  allowList: string[];
  owner: string;
}
const change = (keyId: string, body: object) =>
  service.api.call<KeyView>('PATCH', `/v2/settings/keys/${keyId}`, body, undefined, headers);
const reads = (api: TestApi, key: string, path: string) => async () =>
  (await api.call('GET', path, undefined, key)).status;
const soon = { timeout: 60_000, interval: 20 };

describe('a change of a key', () => {
  it('takes and gives scopes and addresses in every process, under the same secret', async () => {
    const { apiKey, keyId } = await service.org.newKey({
      scopes: ['products:read'],
      owner: 'it@acme.example',
    });
    const both = [service.api, elsewhere];
    for (const api of both) {
      expect(await reads(api, apiKey, '/v2/products')()).toBe(200);
      expect(await reads(api, apiKey, '/v2/orders')()).toBe(403);
    }
    const changed = await change(keyId, { scopes: ['orders:read'] });
    expect(changed.data).toMatchObject({ scopes: ['orders:read'], name: 'test', owner: 'it@acme.example' });
    for (const api of both) {
      await expect.poll(reads(api, apiKey, '/v2/orders'), soon).toBe(200);
      expect(await reads(api, apiKey, '/v2/products')()).toBe(403);
    }
    expect((await change(keyId, { allowList: ['192.0.2.0/24'], name: 'ERP' })).data).toMatchObject({
      allowList: ['192.0.2.0/24'],
      scopes: ['orders:read'],
      name: 'ERP',
    });
    for (const api of both) await expect.poll(reads(api, apiKey, '/v2/orders'), soon).toBe(403);
    await change(keyId, { allowList: [] });
    for (const api of both) await expect.poll(reads(api, apiKey, '/v2/orders'), soon).toBe(200);
    const audit = await service.call<{ items: { before: KeyView; after: KeyView }[] }>(
      'GET',
      `/v2/audit?action=key.change&entityId=${keyId}`,
    );
    expect(audit.data.items.map(({ before, after }) => [before.allowList, after.allowList])).toContainEqual([
      [],
      ['192.0.2.0/24'],
    ]);
  });

  it.each([
    [{ scopes: [] }, 'bad_item_count'],
    [{ scopes: ['no:scope'] }, 'not_allowed'],
    [{ allowList: ['10'] }, 'bad_address'],
    [{ owner: 'other@acme.example' }, 'unknown_field'],
  ])('is refused: %j', async (body, reason) => {
    const { keyId } = await service.org.newKey();
    expect(await change(keyId, body)).toMatchObject({ status: 400, reason });
  });

  it('is refused for a key that was revoked, is of another organization or does not exist', async () => {
    const { keyId } = await service.org.newKey();
    await service.call('POST', `/v2/settings/keys/${keyId}/revoke`, {});
    expect(await change(keyId, { name: 'x' })).toMatchObject({ status: 400, reason: 'key_revoked' });
    const foreign = await (await newOrganization(service.db)).newKey();
    for (const id of [foreign.keyId, 'no-such-key'])
      expect((await change(id, { name: 'x' })).status).toBe(404);
    const byKey = await service.call('PATCH', `/v2/settings/keys/${keyId}`, { name: 'x' });
    expect(byKey).toMatchObject({ status: 403, reason: 'console_only' });
  });
});
