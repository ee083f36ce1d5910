import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerBinding } from '../../src/access/index.js';
import { chooseDigest, inviteUser, scopesOfRole } from '../../src/people/index.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { createServer, readRoute, registerRoutes } from '../../src/platform/http/index.js';
import { silentLogger } from '../../src/platform/logging/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { newPerson, newSession, openTestService } from '../harness/index.js';
import { newClient } from './oauth-world.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

const asOperator = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(
    service.db.database,
    systemPrincipal(service.org.organization.orgId, 'operator@test.example'),
    work,
  );

describe('users cannot grant scopes that they do not have', () => {
  // Today only administrators keep settings, and they have everything: so here sales keeps settings, too.
  const sales = scopesOfRole('sales') as Set<string>;
  beforeAll(() => {
    sales.add('settings:write');
  });
  afterAll(() => {
    sales.delete('settings:write');
  });

  const scopes = ['orders:read', 'certificates:write'];
  const requests: Record<string, () => Promise<[method: string, path: string, body: object]>> = {
    'a new key': async () => ['POST', '/v2/settings/keys', { name: 'More', scopes }],
    'a key with a new secret': async () => {
      const { keyId } = await service.org.newKey({ scopes });
      return ['POST', `/v2/settings/keys/${keyId}/rotate`, {}];
    },
    'a key with more scopes': async () => {
      const { keyId } = await service.org.newKey({ scopes: ['orders:read'] });
      return ['PATCH', `/v2/settings/keys/${keyId}`, { scopes }];
    },
    'a key with more scopes, from more addresses': async () => {
      const { keyId } = await service.org.newKey({ scopes, allowList: ['192.0.2.1'] });
      return ['PATCH', `/v2/settings/keys/${keyId}`, { allowList: [] }];
    },
    'a key of somebody who was removed': async () => {
      const { keyId } = await service.org.newKey({ scopes });
      await service.db.sql(
        "update api_keys set disabled_at = now(), disabled_reason = 'owner_ended' where key_id = $1",
        [keyId],
      );
      return ['POST', `/v2/settings/keys/${keyId}/adopt`, {}];
    },
    'a client with more scopes': async () => {
      const { clientId } = await newClient(service.db, service.org, { scopes: ['orders:read'] });
      return ['PATCH', `/v2/settings/clients/${clientId}`, { scopes }];
    },
    'a client of somebody who was removed': async () => {
      const { clientId } = await newClient(service.db, service.org, { scopes });
      await service.db.sql(
        "update oauth_clients set disabled_at = now(), disabled_reason = 'owner_ended' where client_id = $1",
        [clientId],
      );
      return ['POST', `/v2/settings/clients/${clientId}/adopt`, {}];
    },
    'a new client': async () => ['POST', '/v2/settings/clients', { name: 'More', scopes }],
    'a client with a new secret': async () => {
      const { clientId } = await newClient(service.db, service.org, { scopes });
      return ['POST', `/v2/settings/clients/${clientId}/rotate-secret`, {}];
    },
    'an invitation': async () => [
      'POST',
      '/v2/settings/users',
      { email: 'more@handing.example', role: 'quality' },
    ],
    'another role': async () => {
      const { userId } = await newPerson(service.db, service.org.organization.orgId, 'viewer');
      return ['PATCH', `/v2/settings/users/${userId}`, { role: 'quality' }];
    },
  };
  it.each(Object.entries(requests))('%s', async (_what, requestOf) => {
    const [method, path, body] = await requestOf();
    const { orgId } = service.org.organization;
    const ask = async (role: 'sales' | 'admin') => {
      const { headers } = await newSession(service.db, orgId, { role });
      return service.api.call(method, path, body, undefined, headers);
    };
    expect(await ask('sales')).toMatchObject({ status: 403, reason: 'scope_missing' });
    expect((await ask('admin')).status).toBe(200);
  });
});

describe('a route', () => {
  it.each([['no.such:scope'], [undefined]])(
    'whose scope is %s keeps the service from starting',
    async (scope) => {
      const app = createServer({ logger: silentLogger(), tls: null, trustedProxies: [] });
      const route = readRoute({
        operationId: 'test',
        path: '/v2/unguarded',
        scope: scope as never,
        tag: 'Test',
        summary: 'A route whose guard was forgotten',
        data: {} as never,
        read: async () => ({}) as never,
      });
      expect(() =>
        registerRoutes(app, [route], {
          database: service.db.database,
          authenticator: {
            authenticate: () => ({ principal: systemPrincipal('org', 'somebody'), headers: {} }),
            identify: () => null,
            refuseCrossSite: () => {},
            countMalformed: async () => {},
          },
          binding: customerBinding,
          box: service.db.box,
          requireHttps: false,
          knownScopes: new Set(['products:read']),
          monotonicMs: () => 0,
        }),
      ).toThrow('declares no known scope');
      await app.close();
    },
  );
});

describe('nobody', () => {
  it('is invited at what is no e-mail address, and gets no digest without being known', async () => {
    const invited = asOperator((tx) =>
      inviteUser(tx, { email: 'nobody', role: 'viewer' }, undefined as never),
    );
    await expect(invited).rejects.toMatchObject({ issues: [{ reason: 'bad_email' }] });
    await expect(asOperator((tx) => chooseDigest(tx, 'nobody@x.example', true))).rejects.toMatchObject({
      kind: 'missing',
    });
  });

  it('looks at the use of a credential of somebody else', async () => {
    const path = '/v2/settings/usage?credentialId=';
    expect((await service.call('GET', `${path}${service.org.keyId}`)).status).toBe(200);
    expect((await service.call('GET', `${path}key_of_nobody`)).status).toBe(404);
  });
});
