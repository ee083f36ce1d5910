import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  newOrganization,
  newSession,
  openTestService,
  type TestOrganization,
  type TestSession,
} from '../../test/harness/index.js';
import { requireHeldScopes, SCOPES } from '../access/index.js';
import { systemPrincipal } from '../platform/principal.js';

interface Key {
  keyId: string;
  name: string;
  owner: string;
  scopes: string[];
  status: string;
  overlapUntil: string | null;
  lastUsedAt: string | null;
}
interface KeyWithSecret extends Key {
  secret: string;
  apiKey: string;
}

const PATH = '/v2/settings/keys';
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

const atConsole = <D>(method: string, path: string, body?: object, headers = {}): Promise<Answer<D>> =>
  service.api.call<D>(method, path, body, undefined, { ...admin.headers, ...headers });
const create = (part: object = {}) => atConsole<KeyWithSecret>('POST', PATH, { ...wanted, ...part });
const list = async (query = '') =>
  (await atConsole<{ items: Key[]; nextCursor: string | null }>('GET', `${PATH}${query}`)).data;
const worksWith = async (apiKey: string) =>
  (await service.api.call('GET', '/v2/products', undefined, apiKey)).status;

describe('a key created at the console', () => {
  it('works, belongs to its creator, and is shown in full once', async () => {
    const made = await create();
    expect(made, made.text).toMatchObject({
      status: 200,
      data: {
        name: 'erp',
        owner: admin.email,
        createdBy: admin.email,
        scopes: ['products:read'],
        allowList: [],
        customerCode: null,
        expiresAt: null,
        lastUsedAt: null,
        overlapUntil: null,
        status: 'active',
      },
    });
    const { secret, apiKey, ...shown } = made.data;
    expect(apiKey).toContain(secret);
    expect(await worksWith(apiKey)).toBe(200);
    const read = await atConsole('GET', `${PATH}/${shown.keyId}`);
    expect(read.data).toEqual(shown);
    expect(read.text).not.toContain(secret);
  });

  it('has the expiry, list, owner and customer it was given', async () => {
    await service.call('PUT', '/v2/partners/HOSP-1', { name: 'H', roles: ['customer'] }, org.key);
    const given = { allowList: ['192.0.2.0/24'], owner: 'Erp@Partner.example', customerCode: 'HOSP-1' };
    const made = await create({ ...given, expires: '2026-11-20' });
    expect(made, made.text).toMatchObject({
      data: { ...given, owner: 'erp@partner.example', expiresAt: '2026-11-20T23:59:59.999Z' },
    });
    const later = await create({ expires: '2026-11-20T08:00:00Z' });
    expect(later.data).toMatchObject({ expiresAt: '2026-11-20T08:00:00.000Z' });
  });

  it('is in the audit trail without its secret, and repeated for the same Idempotency-Key', async () => {
    const again = { 'idempotency-key': 'once' };
    const first = await atConsole<KeyWithSecret>('POST', PATH, wanted, again);
    const second = await atConsole<KeyWithSecret>('POST', PATH, wanted, again);
    expect(second.data).toEqual(first.data);
    const rows = await service.db.sql<{ text: string; actor: string; action: string }>(
      'select a::text as text, actor, action from audit_entries a where org_id = $1 and entity_id = $2',
      [org.organization.orgId, first.data.keyId],
    );
    expect(rows).toMatchObject([{ actor: admin.email, action: 'key.create' }]);
    expect(rows[0]?.text).not.toContain(first.data.secret);
    const stored = await service.db.sql<{ text: string }>(
      'select i::text as text from idempotency_keys i where org_id = $1',
      [org.organization.orgId],
    );
    expect(stored).toHaveLength(1);
    expect(stored[0]?.text).not.toContain(first.data.secret);
  });

  it.each([
    [{ scopes: [] }, 'bad_item_count', '/scopes'],
    [{ scopes: ['products:read', 'products:read'] }, 'duplicate_item', '/scopes'],
    [{ scopes: ['everything'] }, 'not_allowed', '/scopes/0'],
    [{ name: '' }, 'bad_length', '/name'],
    [{ name: undefined }, 'required', '/name'],
    [{ allowList: ['example.com'] }, 'bad_address', '/allowList'],
    [{ owner: 'nobody' }, 'bad_format', '/owner'],
    [{ expires: 'tomorrow' }, 'bad_format', '/expires'],
    [{ expires: '2026-02-31' }, 'bad_format', '/expires'],
    [{ expires: '2026-11-14' }, 'expiry_in_the_past', '/expires'],
    [{ customerCode: 'NOBODY' }, 'unknown_reference', '/customerCode'],
    [{ secret: 'mine' }, 'unknown_field', '/secret'],
  ])('is refused with %j', async (part, reason, path) => {
    const answer = await create(part);
    expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, path]);
    expect((await list()).items).toHaveLength(1);
  });

  it('cannot be created by a key of any scope, only by a person at the console', async () => {
    const answer = await service.call('POST', PATH, wanted, org.key);
    expect(answer).toMatchObject({ status: 403, code: 1003, reason: 'console_only' });
    const rotated = await service.call('POST', `${PATH}/${org.keyId}/rotate`, {}, org.key);
    expect(rotated).toMatchObject({ status: 403, code: 1003, reason: 'console_only' });
  });

  it('never has a scope that its creator lacks', () => {
    const sales = { ...systemPrincipal('org_x', 'sales@test.example'), scopes: new Set(['orders:read']) };
    expect(() => requireHeldScopes(sales, ['orders:read'])).not.toThrow();
    for (const scope of SCOPES.filter((each) => each !== 'orders:read'))
      expect(() => requireHeldScopes(sales, ['orders:read', scope]), scope).toThrow(`needs ${scope}`);
  });
});

describe('keys are listed', () => {
  it('newest first, page by page, each once, also when several were made at one instant', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const [i, name] of names.entries()) {
      if (i % 2 === 0) service.db.clock.advance(1_000);
      await create({ name });
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(`?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map((key) => key.name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(6);
    expect([...seen].sort()).toEqual([...names, 'test'].sort());
    expect([seen[0], seen.at(-1)]).toEqual(['e', 'test']);
  });

  it('by status: active, expired, revoked', async () => {
    const ending = (await create({ name: 'ending', expires: '2026-11-15' })).data;
    const ended = (await create({ name: 'ended' })).data;
    await atConsole('POST', `${PATH}/${ended.keyId}/revoke`, {});
    const named = async (status: string) =>
      (await list(`?status=${status}`)).items.map((key) => [key.name, key.status]);
    expect(await named('revoked')).toEqual([['ended', 'revoked']]);
    expect(await named('expired')).toEqual([]);
    const before = service.db.clock.now().toISOString();
    service.db.clock.set('2026-11-16T00:00:00.000Z');
    admin = await newSession(service.db, org.organization.orgId);
    expect(await named('expired')).toEqual([['ending', 'expired']]);
    expect(await named('active')).toEqual([['test', 'active']]);
    expect((await list()).items).toHaveLength(3);
    expect(await worksWith(ending.apiKey)).toBe(401);
    service.db.clock.set(before);
  });

  it.each(['limit=0', 'status=lost', 'cursor=abc', `cursor=${bogusCursor()}`, 'owner=x'])(
    'is refused with ?%s',
    async (query) => {
      const answer = await atConsole('GET', `${PATH}?${query}`);
      expect([answer.status, answer.code]).toEqual([400, 1001]);
    },
  );
});

/** Well formed, of this list, with something that is no instant in it. */
function bogusCursor(): string {
  return Buffer.from(JSON.stringify(['keys', 'yesterday', 'x'])).toString('base64url');
}

describe('a key that is rotated', () => {
  it('keeps its id; the old secret works for the overlap, which is shown', async () => {
    const made = (await create()).data;
    const rotated = await atConsole<KeyWithSecret>('POST', `${PATH}/${made.keyId}/rotate`, {
      overlapSeconds: 60,
    });
    const until = new Date(service.db.clock.now().getTime() + 60_000).toISOString();
    expect(rotated.data).toMatchObject({ keyId: made.keyId, overlapUntil: until });
    expect(rotated.data.apiKey).not.toBe(made.apiKey);
    expect([await worksWith(made.apiKey), await worksWith(rotated.data.apiKey)]).toEqual([200, 200]);
    service.db.clock.advance(60_001);
    expect([await worksWith(made.apiKey), await worksWith(rotated.data.apiKey)]).toEqual([401, 200]);
    const read = await atConsole<Key>('GET', `${PATH}/${made.keyId}`);
    expect(read.data.overlapUntil).toBeNull();
  });

  it.each([
    [{ overlapSeconds: -1 }, 'out_of_range'],
    [{ overlapSeconds: 604_801 }, 'overlap_too_long'],
    [{ overlapSeconds: 1.5 }, 'wrong_type'],
    [{ overlap: 1 }, 'unknown_field'],
  ])('is refused with %j', async (body, reason) => {
    const answer = await atConsole('POST', `${PATH}/${org.keyId}/rotate`, body);
    expect([answer.status, answer.reason]).toEqual([400, reason]);
  });

  it('is not rotated once it was revoked', async () => {
    await atConsole('POST', `${PATH}/${org.keyId}/revoke`, {});
    const answer = await atConsole('POST', `${PATH}/${org.keyId}/rotate`, {});
    expect([answer.status, answer.reason]).toEqual([400, 'key_revoked']);
  });
});

describe('a key that is revoked', () => {
  it('is refused, also when a key revoked it; revoking again changes nothing', async () => {
    const made = (await create()).data;
    const path = `${PATH}/${made.keyId}/revoke`;
    const revoked = await service.call<Key>('POST', path, {}, org.key);
    expect(revoked.data).toMatchObject({ keyId: made.keyId, status: 'revoked' });
    expect(await worksWith(made.apiKey)).toBe(401);
    expect((await atConsole<Key>('POST', path, {})).data).toEqual(revoked.data);
    const entries = await service.db.sql(
      "select 1 from audit_entries where org_id = $1 and entity_id = $2 and action = 'key.revoke'",
      [org.organization.orgId, made.keyId],
    );
    expect(entries).toHaveLength(1);
  });
});

describe('what there is to choose from', () => {
  it('every scope with what it allows, every role with its scopes', async () => {
    const scopes = await atConsole<{ items: { scope: string; description: string }[] }>(
      'GET',
      '/v2/settings/scopes',
    );
    expect(scopes.data.items.map((item) => item.scope)).toEqual([...SCOPES]);
    expect(new Set(scopes.data.items.map((item) => item.description)).size).toBe(SCOPES.length);
    const roles = await atConsole<{ items: { role: string; scopes: string[] }[] }>(
      'GET',
      '/v2/settings/roles',
    );
    expect(roles.data.items.map((item) => item.role)).toEqual([
      'admin',
      'quality',
      'warehouse',
      'sales',
      'viewer',
    ]);
    expect(roles.data.items[0]?.scopes).toEqual([...SCOPES]);
  });
});

describe('whoami', () => {
  it('says what kind of credential it is, and its limit', async () => {
    const key = await service.call('GET', '/v2/whoami', undefined, org.key);
    expect(key.data).toMatchObject({ kind: 'api_key', limits: { requests: 1000 } });
    const poor = await newOrganization(service.db, { edition: 'ordinary' });
    const person = await newSession(service.db, poor.organization.orgId, { role: 'viewer' });
    const session = await service.api.call('GET', '/v2/whoami', undefined, undefined, person.headers);
    expect(session.data).toMatchObject({
      kind: 'console',
      actor: person.email,
      customerCode: null,
      limits: { requests: 1000, windowSeconds: 60 },
    });
    const poorKey = await service.call('GET', '/v2/whoami', undefined, poor.key);
    expect(poorKey.data).toMatchObject({ kind: 'api_key', limits: { requests: 100 } });
  });
});
