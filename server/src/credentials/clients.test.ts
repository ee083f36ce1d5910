import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  newOrganization,
  newSession,
  openTestService,
  type TestOrganization,
  type TestSession,
} from '../../test/harness/index.js';

interface Client {
  clientId: string;
  name: string;
  owner: string;
  redirectUris: string[];
  status: string;
  overlapUntil: string | null;
  clientSecret: string;
}

const PATH = '/v2/settings/clients';
const wanted = { name: 'erp', scopes: ['products:read'] };

let service: Awaited<ReturnType<typeof openTestService>>;
let org: TestOrganization;
let admin: TestSession;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
beforeEach(async () => {
  org = await newOrganization(service.db);
  admin = await newSession(service.db, org.organization.orgId);
});
afterAll(() => service.close());

const atConsole = <D = Client>(
  method: string,
  path: string,
  body?: object,
  headers = {},
): Promise<Answer<D>> => service.api.call<D>(method, path, body, undefined, { ...admin.headers, ...headers });
const create = (part: object = {}, headers = {}) => atConsole('POST', PATH, { ...wanted, ...part }, headers);
const tokenFor = async ({ clientId, clientSecret }: Client) => {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const response = await fetch(`${service.api.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  return {
    status: response.status,
    token: ((await response.json()) as { access_token: string }).access_token,
  };
};

describe('an OAuth client created at the console', () => {
  it('gets tokens, belongs to its creator, and shows its secret once', async () => {
    const made = await create({ redirectUris: ['https://erp.example/callback'] });
    expect(made, made.text).toMatchObject({
      status: 200,
      data: {
        name: 'erp',
        owner: admin.email,
        createdBy: admin.email,
        scopes: ['products:read'],
        redirectUris: ['https://erp.example/callback'],
        allowList: [],
        customerCode: null,
        lastUsedAt: null,
        overlapUntil: null,
        status: 'active',
      },
    });
    const { clientSecret, ...shown } = made.data;
    const read = await atConsole('GET', `${PATH}/${shown.clientId}`);
    expect(read.data).toEqual(shown);
    const { token } = await tokenFor(made.data);
    const me = await service.api.call('GET', '/v2/whoami', undefined, token);
    expect(me.data).toMatchObject({ kind: 'oauth', credentialId: shown.clientId, actor: admin.email });
    const rows = await service.db.sql<{ text: string }>(
      'select a::text as text from audit_entries a where entity_id = $1',
      [shown.clientId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain(clientSecret);
  });

  it('is repeated for the same Idempotency-Key, whose answer is kept sealed', async () => {
    const again = { 'idempotency-key': 'once' };
    const first = await create({}, again);
    expect((await create({}, again)).data).toEqual(first.data);
    const stored = await service.db.sql<{ text: string }>(
      'select i::text as text from idempotency_keys i where org_id = $1',
      [org.organization.orgId],
    );
    expect(stored).toHaveLength(1);
    expect(stored[0]?.text).not.toContain(first.data.clientSecret);
  });

  it.each([
    [{ scopes: [] }, 'bad_item_count', '/scopes'],
    [{ scopes: ['everything'] }, 'not_allowed', '/scopes/0'],
    [{ redirectUris: ['http://erp.example/callback'] }, 'bad_redirect_uri', '/redirectUris'],
    [{ allowList: ['example.com'] }, 'bad_address', '/allowList'],
    [{ customerCode: 'NOBODY' }, 'unknown_reference', '/customerCode'],
    [{ expires: '2027-01-01' }, 'unknown_field', '/expires'],
  ])('is refused with %j', async (part, reason, path) => {
    const answer = await create(part);
    expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, path]);
  });

  it('cannot be created, rotated or changed by a key of any scope', async () => {
    const { clientId } = (await create()).data;
    for (const [method, path, body] of [
      ['POST', PATH, wanted],
      ['POST', `${PATH}/${clientId}/rotate-secret`, {}],
      ['PATCH', `${PATH}/${clientId}`, { redirectUris: [] }],
    ] as const)
      expect(await service.call(method, path, body, org.key)).toMatchObject({
        status: 403,
        reason: 'console_only',
      });
  });
});

describe('clients are listed', () => {
  it('newest first, page by page, by status', async () => {
    for (const name of ['a', 'b', 'c']) {
      service.db.clock.advance(1_000);
      await create({ name });
    }
    interface Page {
      items: Client[];
      nextCursor: string | null;
    }
    const list = async (query: string) => (await atConsole<Page>('GET', `${PATH}?${query}`)).data;
    const first = await list('limit=2');
    expect(first.items.map((client) => client.name)).toEqual(['c', 'b']);
    const rest = await list(`limit=2&cursor=${first.nextCursor}`);
    expect([rest.items.map((client) => client.name), rest.nextCursor]).toEqual([['a'], null]);
    await atConsole('POST', `${PATH}/${first.items[0]?.clientId}/revoke`, {});
    const named = async (status: string) =>
      (await list(`status=${status}`)).items.map((client) => client.name);
    expect([await named('revoked'), await named('active')]).toEqual([['c'], ['b', 'a']]);
    expect((await atConsole('GET', `${PATH}?cursor=abc`)).code).toBe(1001);
  });
});

describe('an OAuth client that is changed', () => {
  it('has another name and other places to send people to; the rest stays', async () => {
    const { clientSecret: _secret, ...before } = (await create()).data;
    const change = { name: 'crm', redirectUris: ['http://127.0.0.1:4000/back'] };
    expect((await atConsole('PATCH', `${PATH}/${before.clientId}`, change)).data).toEqual({
      ...before,
      ...change,
      version: 2,
    });
    const narrow = { scopes: ['orders:read'], allowList: ['127.0.0.1'] };
    expect((await atConsole('PATCH', `${PATH}/${before.clientId}`, narrow)).data).toEqual({
      ...before,
      ...change,
      ...narrow,
      version: 3,
    });
    const answer = await atConsole('PATCH', `${PATH}/${before.clientId}`, { owner: 'other@acme.example' });
    expect([answer.status, answer.reason]).toEqual([400, 'unknown_field']);
  });

  it('by rotation: the old secret works for the overlap and no longer', async () => {
    const made = (await create()).data;
    const path = `${PATH}/${made.clientId}/rotate-secret`;
    const rotated = (await atConsole('POST', path, { overlapSeconds: 60 })).data;
    expect(rotated.overlapUntil).toBe(new Date(service.db.clock.now().getTime() + 60_000).toISOString());
    expect([(await tokenFor(made)).status, (await tokenFor(rotated)).status]).toEqual([200, 200]);
    service.db.clock.advance(60_001);
    expect([(await tokenFor(made)).status, (await tokenFor(rotated)).status]).toEqual([401, 200]);
    const tooLong = await atConsole('POST', path, { overlapSeconds: 604_801 });
    expect([tooLong.status, tooLong.reason]).toEqual([400, 'overlap_too_long']);
  });
});

describe('an OAuth client that is revoked', () => {
  it('gets no tokens, and those it has are refused; a key may do it', async () => {
    const made = (await create()).data;
    const { token } = await tokenFor(made);
    const path = `${PATH}/${made.clientId}/revoke`;
    expect((await service.call<Client>('POST', path, {}, org.key)).data.status).toBe('revoked');
    expect((await service.api.call('GET', '/v2/products', undefined, token)).status).toBe(401);
    expect((await tokenFor(made)).status).toBe(401);
    expect((await atConsole('POST', path, {})).status).toBe(200);
    const rotated = await atConsole('POST', `${PATH}/${made.clientId}/rotate-secret`, {});
    expect([rotated.status, rotated.reason]).toEqual([400, 'client_revoked']);
  });
});
