import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  LOCAL_WEBHOOKS,
  newOrganization,
  openReceiver,
  openTestService,
  type Receiver,
  startApi,
  type TestApi,
  type WebhookData,
} from '../../test/harness/index.js';
import { EVENT_TYPES } from '../events/index.js';
import { secretPlace } from './sealed-secrets.store.js';

let service: Awaited<ReturnType<typeof openTestService>>;
/** The same service without opened networks. */
let strict: TestApi;
let receiver: Receiver;
beforeAll(async () => {
  service = await openTestService({ alone: true, webhooks: LOCAL_WEBHOOKS });
  strict = await startApi(service.db.database);
  receiver = await openReceiver();
});
afterAll(async () => {
  await strict?.close();
  await receiver?.close();
  await service?.close();
});

const minimal = () => ({ callbackUrl: receiver.url(), eventTypes: ['order.status_changed'] });
async function create(body: object = {}, key?: string): Promise<WebhookData> {
  const answer = await service.call<WebhookData>('POST', '/v2/webhooks', { ...minimal(), ...body }, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}
const call = <D = WebhookData>(method: string, webhookId: string, under = '', body?: unknown, key?: string) =>
  service.call<D>(method, `/v2/webhooks/${webhookId}${under}`, body, key);

const withoutSecret = ({ secret: _, standardWebhooksSecret: _s, ...view }: WebhookData) => view;

describe('creating a webhook', () => {
  it('returns the webhook with its creator and time, and a generated secret of 256 bits', async () => {
    const { secret, standardWebhooksSecret, ...view } = await create({
      description: 'the ERP of the hospital',
    });
    expect(standardWebhooksSecret).toBe(secret);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const now = service.db.clock.now().toISOString();
    expect(view).toEqual({
      webhookId: expect.stringMatching(/^whk_/),
      callbackUrl: receiver.url(),
      eventTypes: ['order.status_changed'],
      filter: null,
      headerNames: [],
      description: 'the ERP of the hospital',
      customerCode: null,
      owner: { kind: 'key', id: service.org.keyId, name: 'test', onBehalfOf: null },
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      consecutiveFailures: 0,
      failingSince: null,
      missedSince: null,
      secretOverlapUntil: null,
      createdBy: expect.stringMatching(/^owner@/),
      createdAt: now,
      updatedAt: now,
    });
    expect((await call('GET', view.webhookId)).data).toEqual(view);
    expect((await create()).secret).not.toBe(secret);
  });

  it.each(['0123456789abcdef', ' ~'.repeat(64), 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'takes the secret that was given: %j',
    async (secret) => {
      expect((await create({ secret })).secret).toBe(secret);
    },
  );

  it('accepts all seven event types', async () => {
    expect((await create({ eventTypes: EVENT_TYPES })).eventTypes).toEqual(EVENT_TYPES);
  });

  const refusals: [why: string, body: object, path: string, reason: string][] = [
    ['no address', { callbackUrl: undefined }, '/callbackUrl', 'required'],
    ['an empty address', { callbackUrl: '' }, '/callbackUrl', 'bad_length'],
    [
      'an endless address',
      { callbackUrl: `https://a.example/${'x'.repeat(2048)}` },
      '/callbackUrl',
      'bad_length',
    ],
    ['a number', { callbackUrl: 5 }, '/callbackUrl', 'wrong_type'],
    ['a word', { callbackUrl: 'partner' }, '/callbackUrl', 'callback_not_a_url'],
    ['a path', { callbackUrl: '/hooks' }, '/callbackUrl', 'callback_not_a_url'],
    ['a space', { callbackUrl: 'https://partner.example/a b' }, '/callbackUrl', 'callback_not_a_url'],
    ['a password', { callbackUrl: 'https://u:p@partner.example/' }, '/callbackUrl', 'callback_not_a_url'],
    ['a fragment', { callbackUrl: 'https://partner.example/#x' }, '/callbackUrl', 'callback_not_a_url'],
    ['ftp', { callbackUrl: 'ftp://partner.example/' }, '/callbackUrl', 'callback_not_https'],
    ['javascript', { callbackUrl: 'javascript:alert(1)' }, '/callbackUrl', 'callback_not_https'],
    ['plain http', { callbackUrl: 'http://partner.example/' }, '/callbackUrl', 'callback_not_https'],
    ['loopback', { callbackUrl: 'https://127.0.0.1/' }, '/callbackUrl', 'callback_not_public'],
    ['loopback in disguise', { callbackUrl: 'https://0x7f.1/' }, '/callbackUrl', 'callback_not_public'],
    ['IPv6 loopback', { callbackUrl: 'https://[::1]/' }, '/callbackUrl', 'callback_not_public'],
    ['IPv4 in IPv6', { callbackUrl: 'https://[::ffff:10.0.0.1]/' }, '/callbackUrl', 'callback_not_public'],
    ['a private net', { callbackUrl: 'https://10.1.2.3/' }, '/callbackUrl', 'callback_not_public'],
    ['another', { callbackUrl: 'https://192.168.0.1/' }, '/callbackUrl', 'callback_not_public'],
    ['a third', { callbackUrl: 'https://172.16.0.1/' }, '/callbackUrl', 'callback_not_public'],
    ['metadata', { callbackUrl: 'https://169.254.169.254/latest' }, '/callbackUrl', 'callback_not_public'],
    ['any address', { callbackUrl: 'https://0.0.0.0/' }, '/callbackUrl', 'callback_not_public'],
    ['localhost', { callbackUrl: 'https://localhost/' }, '/callbackUrl', 'callback_not_public'],
    ['a name at home', { callbackUrl: 'https://printer.local/' }, '/callbackUrl', 'callback_not_public'],
    ['no types', { eventTypes: undefined }, '/eventTypes', 'required'],
    ['an empty list', { eventTypes: [] }, '/eventTypes', 'bad_item_count'],
    ['an unknown type', { eventTypes: ['order.eaten'] }, '/eventTypes/0', 'not_allowed'],
    ['all types by a star', { eventTypes: ['*'] }, '/eventTypes/0', 'not_allowed'],
    ['a type twice', { eventTypes: ['expiry.warning', 'expiry.warning'] }, '/eventTypes', 'duplicate_item'],
    ['a short secret', { secret: 'x'.repeat(15) }, '/secret', 'bad_length'],
    ['a long secret', { secret: 'x'.repeat(129) }, '/secret', 'bad_length'],
    ['a secret beyond ASCII', { secret: 'sécret of sixteen' }, '/secret', 'bad_format'],
    ['a secret of two lines', { secret: 'sixteen characters\nand more' }, '/secret', 'bad_format'],
    ['a secret that decodes to nothing', { secret: 'whsec_!!!!!!!!!!!!' }, '/secret', 'bad_secret'],
    ['a secret that decodes to little', { secret: 'whsec_c2hvcnQ=  ' }, '/secret', 'bad_secret'],
    ['a null secret', { secret: null }, '/secret', 'wrong_type'],
    ['a long description', { description: 'x'.repeat(201) }, '/description', 'bad_length'],
    ['a status', { status: 'disabled' }, '/status', 'unknown_field'],
    ['an unknown field', { url: 'https://a.example' }, '/url', 'unknown_field'],
  ];
  it.each(refusals)('refuses %s', async (_why, body, path, reason) => {
    const valid = { callbackUrl: 'https://partner.example/hook', eventTypes: ['order.status_changed'] };
    const answer = await strict.call('POST', '/v2/webhooks', { ...valid, ...body }, service.org.key);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.json.errors).toContainEqual(expect.objectContaining({ path, reason }));
  });

  it('accepts a public address, also a name that does not resolve yet', async () => {
    const body = { callbackUrl: 'https://not-yet.invalid:8443/hooks?a=b', eventTypes: ['expiry.warning'] };
    const answer = await strict.call<WebhookData>('POST', '/v2/webhooks', body, service.org.key);
    expect(answer.data.callbackUrl).toBe(body.callbackUrl);
  });

  it('is refused beyond 1,000 webhooks of an organization, not counting deleted ones', async () => {
    const org = await newOrganization(service.db);
    const { webhookId } = await create({}, org.key);
    await service.db.sql(
      `insert into webhooks (org_id, webhook_id, callback_url, event_types, secret, created_at, created_by, updated_at)
       select org_id, 'whk_' || lpad(i::text, 26, '0'), callback_url, event_types, secret, created_at, created_by, updated_at
       from webhooks, generate_series(1, 998) i where webhook_id = $1`,
      [webhookId],
    );
    await create({}, org.key);
    const refused = await service.call('POST', '/v2/webhooks', minimal(), org.key);
    expect([refused.status, refused.reason]).toEqual([400, 'too_many_webhooks']);
    expect((await call('DELETE', webhookId, '', undefined, org.key)).status).toBe(200);
    await create({}, org.key);
  });

  it('allows loopback over http only if the operator opened that network', async () => {
    const body = { ...minimal(), callbackUrl: 'http://localhost:9/' };
    expect((await service.call('POST', '/v2/webhooks', body)).status).toBe(200);
    const elsewhere = { ...body, callbackUrl: 'http://10.0.0.1/' };
    expect((await service.call('POST', '/v2/webhooks', elsewhere)).reason).toMatch(/^callback_not_/);
  });

  it('needs the scope of every subscribed type, and no other', async () => {
    const { apiKey } = await service.org.newKey({
      scopes: ['webhooks:write', 'webhooks:read', 'orders:read'],
    });
    const { webhookId } = await create({}, apiKey);
    const both = { ...minimal(), eventTypes: ['order.status_changed', 'expiry.warning'] };
    const refused = await service.call('POST', '/v2/webhooks', both, apiKey);
    expect([refused.status, refused.reason]).toEqual([403, 'scope_missing']);
    const patched = await call('PATCH', webhookId, '', { eventTypes: ['environment.alert'] }, apiKey);
    expect([patched.status, patched.reason]).toEqual([403, 'scope_missing']);
    expect((await call('GET', webhookId)).data.eventTypes).toEqual(['order.status_changed']);
    const wide = withoutSecret(await create({ eventTypes: ['expiry.warning'] }));
    const moved = await call('PATCH', wide.webhookId, '', { callbackUrl: receiver.url('/mine') }, apiKey);
    expect([moved.status, moved.reason]).toEqual([403, 'scope_missing']);
    expect((await call('GET', wide.webhookId)).data).toEqual(wide);
  });
});

describe('the secret', () => {
  it('is shown only at creation, and not stored in clear text', async () => {
    const secret = 'a secret that nobody else may see';
    const { webhookId } = await create({ secret });
    const rotated = 'the next secret nobody may see';
    const rotation = await call('POST', webhookId, '/rotate-secret', { secret: rotated });
    expect(rotation.data.secret).toBe(rotated);
    const texts = [
      (await call('GET', webhookId)).text,
      (await service.call('GET', '/v2/webhooks?limit=200')).text,
      (await call('PATCH', webhookId, '', { description: 'x' })).text,
      (await call('POST', webhookId, '/enable')).text,
      (await call('POST', webhookId, '/test')).text,
    ];
    for (const table of ['webhooks', 'audit_entries', 'webhook_states', 'webhook_subscriptions'])
      texts.push(JSON.stringify(await service.db.sql(`select * from ${table}`)));
    texts.push((await call('DELETE', webhookId)).text);
    for (const text of texts) {
      expect(text.length).toBeGreaterThan(10);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(rotated);
    }
    const [row] = await service.db.sql<{ secret: string; next_secret: string }>(
      'select secret, next_secret from webhooks where webhook_id = $1',
      [webhookId],
    );
    const { box } = service.db;
    const place = secretPlace(service.org.organization.orgId, webhookId);
    expect([box.open(row?.secret ?? '', place), box.open(row?.next_secret ?? '', place)]).toEqual([
      secret,
      rotated,
    ]);
  });

  it('is in the stored response of a repeated request, encrypted in between', async () => {
    const headers = { 'idempotency-key': 'once and again' };
    const body = { ...minimal(), description: 'replayed' };
    const ask = () => service.call<WebhookData>('POST', '/v2/webhooks', body, undefined, headers);
    const [first, second] = [await ask(), await ask()];
    expect(first.data.secret).toMatch(/^whsec_/);
    expect(second.text).toBe(first.text);
    const all = await service.call<{ items: WebhookData[] }>('GET', '/v2/webhooks?limit=200');
    expect(all.data.items.filter((webhook) => webhook.description === 'replayed')).toHaveLength(1);
    const kept = await service.db.sql<{ body: string }>(`select body from idempotency_keys where key = $1`, [
      headers['idempotency-key'],
    ]);
    expect(kept).toHaveLength(1);
    expect(kept[0]?.body).not.toContain(first.data.secret);
    const other = await service.call('POST', '/v2/webhooks', minimal(), undefined, headers);
    expect(other.reason).toBe('idempotency_key_reused');
  });

  const secretsOf = async (webhookId: string) => {
    const [row] = await service.db.sql<{ secret: string; next: string | null; until: Date | null }>(
      'select secret, next_secret as next, overlap_until as until from webhooks where webhook_id = $1',
      [webhookId],
    );
    const open = (sealed: string | null | undefined) =>
      sealed ? service.db.box.open(sealed, secretPlace(service.org.organization.orgId, webhookId)) : null;
    return { current: open(row?.secret), next: open(row?.next), until: row?.until?.toISOString() ?? null };
  };
  const after = (seconds: number) =>
    new Date(service.db.clock.now().getTime() + seconds * 1000).toISOString();
  const rotate = async (webhookId: string, body: object) =>
    (await call('POST', webhookId, '/rotate-secret', body)).data;

  it.each([
    [{}, 86_400],
    [{ overlapSeconds: 1 }, 1],
    [{ overlapSeconds: 604_800 }, 604_800],
  ])('rotated with %j is valid together with the old one for %i seconds', async (body, seconds) => {
    const old = await create();
    const rotated = await rotate(old.webhookId, body);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(withoutSecret(rotated)).toEqual({ ...withoutSecret(old), secretOverlapUntil: after(seconds) });
    expect(await secretsOf(old.webhookId)).toEqual({
      current: old.secret,
      next: rotated.secret,
      until: after(seconds),
    });
  });

  it('rotated without an overlap replaces the old one at once', async () => {
    const { webhookId } = await create();
    const { secret, secretOverlapUntil } = await rotate(webhookId, { overlapSeconds: 0 });
    expect(secretOverlapUntil).toBeNull();
    expect(await secretsOf(webhookId)).toEqual({ current: secret, next: null, until: null });
  });

  it('rotated twice leaves the newest two, or without an overlap the newest one', async () => {
    const { webhookId } = await create();
    const second = await rotate(webhookId, {});
    const third = await rotate(webhookId, { overlapSeconds: 60 });
    expect(await secretsOf(webhookId)).toEqual({
      current: second.secret,
      next: third.secret,
      until: after(60),
    });
    const fourth = await rotate(webhookId, { overlapSeconds: 0 });
    expect(await secretsOf(webhookId)).toEqual({ current: fourth.secret, next: null, until: null });
  });

  it('rotated after an overlap has ended keeps the one in force, not the one before it', async () => {
    const { webhookId } = await create();
    const second = await rotate(webhookId, { overlapSeconds: 60 });
    service.db.clock.advance(61_000);
    const third = await rotate(webhookId, { overlapSeconds: 60 });
    expect(await secretsOf(webhookId)).toEqual({
      current: second.secret,
      next: third.secret,
      until: after(60),
    });
  });

  it.each([
    [{ overlapSeconds: 604_801 }, 'overlap_too_long'],
    [{ overlapSeconds: -1 }, 'out_of_range'],
    [{ overlapSeconds: 1.5 }, 'wrong_type'],
    [{ overlapSeconds: '60' }, 'wrong_type'],
    [{ secret: 'too short' }, 'bad_length'],
  ])('is not rotated with %j', async (body, reason) => {
    const { webhookId, secret } = await create();
    const answer = await call('POST', webhookId, '/rotate-secret', body);
    expect([answer.status, answer.reason]).toEqual([400, reason]);
    expect(await secretsOf(webhookId)).toEqual({ current: secret, next: null, until: null });
  });
});

describe('changing a webhook', () => {
  it.each([
    ['callbackUrl', (): unknown => receiver.url('/elsewhere?x=1')],
    ['eventTypes', (): unknown => ['expiry.warning', 'certificate.expiring']],
    ['description', (): unknown => 'another'],
    ['description', (): unknown => null],
  ] as const)('changes its %s and nothing else', async (field, value) => {
    const before = withoutSecret(await create({ description: 'one' }));
    service.db.clock.advance(1_000);
    const after = { ...before, [field]: value(), updatedAt: service.db.clock.now().toISOString() };
    const patched = await call('PATCH', before.webhookId, '', { [field]: value() });
    expect(patched.data).toEqual(after);
    expect((await call('GET', before.webhookId)).data).toEqual(after);
  });

  it('writes an audit entry with the values before and after', async () => {
    const { webhookId } = await create({ description: 'one' });
    await call('PATCH', webhookId, '', { description: 'two' });
    await call('POST', webhookId, '/enable');
    await call('POST', webhookId, '/rotate-secret');
    await call('DELETE', webhookId);
    const entries = await service.db.sql<{ action: string; before: string | null; after: string | null }>(
      'select action, before::text, after::text from audit_entries where entity_id = $1 order by entry_id',
      [webhookId],
    );
    expect(entries.map((entry) => entry.action).sort()).toEqual(
      [
        'webhook.create',
        'webhook.delete',
        'webhook.enable',
        'webhook.rotate_secret',
        'webhook.update',
      ].sort(),
    );
    const update = entries.find((entry) => entry.action === 'webhook.update');
    expect([update?.before, update?.after]).toEqual([
      expect.stringContaining('"one"'),
      expect.stringContaining('"two"'),
    ]);
  });

  it.each([
    [{ callbackUrl: 'http://10.0.0.1/' }, '/callbackUrl'],
    [{ eventTypes: [] }, '/eventTypes'],
    [{ eventTypes: ['nothing'] }, '/eventTypes/0'],
    [{ status: 'paused' }, '/status'],
    [{ secret: 'a perfectly fine secret' }, '/secret'],
    [{ customerCode: 'HOSP-1' }, '/customerCode'],
  ])('refuses %j and changes nothing', async (body, path) => {
    const before = withoutSecret(await create());
    const answer = await call('PATCH', before.webhookId, '', { description: 'changed', ...body });
    expect([answer.status, answer.json.errors[0]?.path]).toEqual([400, path]);
    expect((await call('GET', before.webhookId)).data).toEqual(before);
  });
});

describe('a webhook that does not exist', () => {
  const requests: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '', { description: 'x' }],
    ['DELETE', ''],
    ['POST', '/enable', {}],
    ['POST', '/test', {}],
    ['POST', '/rotate-secret', {}],
    ['POST', '/recover', { since: '2026-01-01T00:00:00Z' }],
    ['GET', '/deliveries'],
    ['GET', '/deliveries/dlv_1'],
    ['POST', '/deliveries/dlv_1/redeliver', {}],
    ['GET', '/completeness?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z'],
    ['GET', '/health'],
  ];

  it.each(requests)(
    'deleted, of another organization or another customer: %s %s is 404',
    async (method, under, body) => {
      const deleted = await create();
      expect((await call('DELETE', deleted.webhookId)).data).toEqual(withoutSecret(deleted));
      const foreign = await create({}, (await newOrganization(service.db)).key);
      const unbound = await create();
      const bound = (await service.org.newKey({ customerCode: 'HOSP-1' })).apiKey;
      const ask = async (webhookId: string, key?: string) => {
        const answer = await call(method, webhookId, under, body, key);
        return { status: answer.status, body: answer.text.replaceAll(answer.json.requestId, '') };
      };
      const missing = await ask('whk_00000000000000000000000000');
      expect(missing.status).toBe(404);
      expect(await ask(deleted.webhookId)).toEqual(missing);
      expect(await ask(foreign.webhookId)).toEqual(missing);
      expect(await ask(unbound.webhookId, bound)).toEqual(missing);
      const { data } = await service.call<{ items: WebhookData[] }>('GET', '/v2/webhooks?limit=200');
      const listed = data.items.map((webhook) => webhook.webhookId);
      expect(listed).not.toContain(deleted.webhookId);
      expect(listed).not.toContain(foreign.webhookId);
    },
  );
});

describe('the list', () => {
  it('comes in pages, newest first, each webhook once', async () => {
    const { key } = await newOrganization(service.db);
    const made: string[] = [];
    for (let i = 0; i < 7; i++) {
      service.db.clock.advance(1);
      made.unshift((await create({}, key)).webhookId);
    }
    const listed: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/v2/webhooks?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page = await service.call<{ items: WebhookData[]; nextCursor: string | null }>(
        'GET',
        path,
        undefined,
        key,
      );
      listed.push(...page.data.items.map((webhook) => webhook.webhookId));
      cursor = page.data.nextCursor;
    }
    expect(listed).toEqual(made);
  });

  it('shows a bound credential the webhooks of its customer, and an unbound one all', async () => {
    const bound = (await service.org.newKey({ customerCode: 'HOSP-1' })).apiKey;
    const own = await create({}, bound);
    expect(own.customerCode).toBe('HOSP-1');
    const list = async (key?: string) =>
      (await service.call<{ items: WebhookData[] }>('GET', '/v2/webhooks?limit=200', undefined, key)).data
        .items;
    expect((await list(bound)).every((webhook) => webhook.customerCode === 'HOSP-1')).toBe(true);
    expect((await list()).map((webhook) => webhook.webhookId)).toContain(own.webhookId);
  });
});
