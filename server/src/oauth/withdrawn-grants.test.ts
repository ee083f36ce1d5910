import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizeQuery,
  basic,
  browser,
  locationOf,
  newClient,
  newPkce,
  send,
  sendAs,
  type TestClient,
  userTokens,
} from '../../test/access/oauth-world.js';
import {
  countingLimiter,
  newOrganization,
  newSession,
  openTestService,
  startApi,
  type TestSession,
} from '../../test/harness/index.js';
import { artifactsOf } from './artifacts.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let session: TestSession;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  session = await newSession(service.db, service.org.organization.orgId, { role: 'warehouse' });
});
afterAll(() => service.close());

describe('an app that is revoked before the person decides', () => {
  it.each([
    ['revoked', 'update oauth_clients set revoked_at = now() where client_id = $1'],
    ['unknown', 'delete from oauth_clients where client_id = $1'],
  ])('is given nothing: %s', async (_how, sql) => {
    const client = await newClient(service.db, service.org);
    const tab = browser(service.api, session);
    const query = new URLSearchParams(authorizeQuery(client, newPkce()));
    const page = locationOf(await tab.open(`/oauth/authorize?${query}`));
    expect((await tab.open(page)).status).toBe(200);
    await service.db.sql(sql, [client.clientId]);
    for (const form of [undefined, { decision: 'allow', csrf: session.csrfToken }]) {
      const answer = await tab.open(page, form);
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain('Stock');
    }
  });
});

describe('a grant that ends', () => {
  const alreadyUsed = (message: string) => new Error(message);
  const memory = (model: string) => artifactsOf(service.db.database, model, alreadyUsed);
  const newGrant = async (grantId: string) => {
    const { clientId } = await newClient(service.db, service.org);
    await memory('Grant').upsert(grantId, { jti: grantId, clientId }, 60);
    return (token: string) => memory('RefreshToken').upsert(token, { jti: token, grantId, clientId }, 60);
  };

  it('during the creation of a token leaves no token', async () => {
    const save = await newGrant('grant-1');
    await save('first');
    await memory('RefreshToken').revokeByGrantId('grant-1');
    await expect(save('second')).rejects.toThrow('the grant has ended');
    for (const id of ['first', 'second']) expect(await memory('RefreshToken').find(id)).toBeUndefined();
  });

  it('by the removal of the grant itself takes its tokens with it', async () => {
    const save = await newGrant('grant-2');
    await save('third');
    await memory('Grant').destroy('grant-2');
    expect(await memory('RefreshToken').find('third')).toBeUndefined();
  });
});

describe('introspection reports a refresh token as inactive', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await newClient(service.db, service.org);
  });
  const isActive = async (token: string) => {
    const { status, json } = await sendAs(service.api, client, '/oauth/introspect', { token });
    expect(status).toBe(200);
    return json.active;
  };

  it('once it was used', async () => {
    const { refresh } = await userTokens(service.api, client, session);
    expect(await isActive(refresh)).toBe(true);
    const used = await sendAs(service.api, client, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: refresh,
    });
    expect(used.status).toBe(200);
    expect([await isActive(refresh), await isActive(used.json.refresh_token)]).toEqual([false, true]);
  });

  it('once the grant has ended', async () => {
    const { refresh } = await userTokens(service.api, client, session);
    await service.db.sql("delete from oauth_artifacts where model = 'Grant'");
    expect(await isActive(refresh)).toBe(false);
  });

  it('once the person was removed', async () => {
    const leaving = await newSession(service.db, service.org.organization.orgId, { role: 'warehouse' });
    const { refresh } = await userTokens(service.api, client, leaving);
    expect(await isActive(refresh)).toBe(true);
    await service.db.sql("update users set status = 'removed' where user_id = $1", [leaving.userId]);
    expect(await isActive(refresh)).toBe(false);
  });
});

describe('the endpoints of OAuth', () => {
  it('reject two credentials in one request', async () => {
    const client = await newClient(service.db, service.org);
    const good = basic(client.clientId, client.clientSecret);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const url = new URL('/oauth/token', service.api.url);
      const call = request(url, { method: 'POST' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      call.on('error', reject);
      call.setHeader('content-type', 'application/x-www-form-urlencoded');
      call.setHeader('authorization', [good, basic(client.clientId, 'wrong')]);
      call.end('grant_type=client_credentials');
    });
    expect(status).toBe(400);
  });

  it('take forms only, with or without a charset', async () => {
    const client = await newClient(service.db, service.org);
    const authorization = basic(client.clientId, client.clientSecret);
    const ask = (type: string) =>
      send(service.api, '/oauth/token', 'grant_type=client_credentials', {
        authorization,
        'content-type': type,
      });
    expect((await ask('application/x-www-form-urlencoded; charset=utf-8')).status).toBe(200);
    for (const type of ['text/plain', 'application/json'])
      expect(await ask(type)).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
  });

  it.each(['/oauth/introspect', '/oauth/revoke'])(
    'answer a client only in its own name, and while its organization is active: %s',
    async (path) => {
      const org = await newOrganization(service.db);
      const [client, other] = [await newClient(service.db, org), await newClient(service.db, org)];
      const ask = (form: Record<string, string> = {}) =>
        sendAs(service.api, client, path, { token: 'some token', ...form });
      expect((await ask({ client_id: client.clientId })).status).toBe(200);
      const named = await ask({ client_id: other.clientId });
      expect([named.status, named.json.error]).toEqual([400, 'invalid_request']);
      await service.db.sql("update organizations set status = 'suspended' where org_id = $1", [
        org.organization.orgId,
      ]);
      const suspended = await ask();
      expect([suspended.status, suspended.json.error]).toEqual([401, 'invalid_client']);
    },
  );

  it('limit the authorizations an address can start in a minute, because each stores a row', async () => {
    const api = await startApi(service.db.database, { limiter: countingLimiter(service.db.clock) });
    try {
      const client = await newClient(service.db, service.org);
      const begin = () =>
        browser(api).open(`/oauth/authorize?${new URLSearchParams(authorizeQuery(client, newPkce()))}`);
      const statuses: number[] = [];
      for (let i = 0; i <= 100; i++) statuses.push((await begin()).status);
      expect(statuses.slice(0, 100).every((status) => status === 303)).toBe(true);
      expect(statuses[100]).toBe(429);
      service.db.clock.advance(60_000);
      expect((await begin()).status).toBe(303);
    } finally {
      await api.close();
    }
  });
});
