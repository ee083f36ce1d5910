import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverUntil, toLoopback } from '../../test/access/pushes.js';
import {
  newOrganization,
  newSandbox,
  openReceiver,
  openTestService,
  runCommand,
  stockCatalogue,
  type TestOrganization,
  type TestSandbox,
} from '../../test/harness/index.js';
import { SCOPES } from '../access/index.js';
import { createClient } from '../credentials/index.js';
import { newKeyPair } from '../credentials/key-token.js';
import { EVENT_TYPES } from '../events/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { hashToken } from '../platform/secrets/index.js';
import { endUnusedSandboxes } from './index.js';

const DAY_MS = 86_400_000;
let service: Awaited<ReturnType<typeof openTestService>>;
let org: TestOrganization;
beforeAll(async () => {
  service = await openTestService({ alone: true, webhooks: toLoopback });
  org = service.org;
});
afterAll(() => service.close());

interface Sandbox {
  sandboxId: string;
  status: string;
  [field: string]: unknown;
}
interface List<T> {
  items: T[];
  nextCursor: string | null;
}
const open = (body: object, key: string, headers?: Record<string, string>) =>
  service.call<Sandbox & { apiKey: string }>('POST', '/v2/sandboxes', body, key, headers);
const outcome = ({ status, reason }: { status: number; reason: string | undefined }) => [status, reason];
const endUnused = () => endUnusedSandboxes(service.db.database, { signal: new AbortController().signal });

/** An organization with the small catalogue. */
async function furnished(): Promise<TestOrganization> {
  const made = await newOrganization(service.db);
  await stockCatalogue(service.api, made.key);
  return made;
}

describe('a sandbox', () => {
  it('is opened with settings:write, and its key has every scope there and none in production', async () => {
    const { apiKey: key } = await org.newKey({ scopes: ['settings:write', 'settings:read'] });
    const { data, status } = await open({ name: 'my tests' }, key);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      ...{ name: 'my tests', data: 'catalogue', status: 'active', daysAhead: 0, businessDate: '2026-11-15' },
      apiKey: expect.stringMatching(/^lwt_/),
    });
    const who = await service.call<{ scopes: string[] }>('GET', '/v2/whoami', undefined, data.apiKey);
    expect(who.data).toMatchObject({
      ...{ sandbox: true, businessDate: '2026-11-15', limits: { requests: 100 } },
      organization: { code: data.code, name: 'my tests', edition: 'ordinary', timeZone: 'UTC' },
    });
    expect(who.data.scopes).toEqual([...SCOPES].sort());
    const products = await service.call<List<unknown>>('GET', '/v2/products', undefined, data.apiKey);
    expect(products.data.items, 'the key that opened it may not read products').toEqual([]);
    expect((await service.call('GET', `/v2/sandboxes/${data.sandboxId}`, undefined, key)).text).not.toContain(
      'lwt_',
    );
    await service.call('DELETE', `/v2/sandboxes/${data.sandboxId}`);
  });

  it('gets a copy of the catalogue that its opener may read, without persons, stock, orders, keys and webhooks', async () => {
    const parent = await furnished();
    const must = async (method: string, path: string, body: object) => {
      const answer = await service.call(method, path, body, parent.key);
      expect(answer.status, answer.text).toBe(200);
    };
    await must('PUT', '/v2/partners/HOSP-1', {
      ...{
        name: 'City hospital',
        roles: ['customer'],
        contact: { name: 'Ann Other', email: 'ann@h.example' },
      },
      addresses: [{ code: 'W-3', name: 'Ward 3', contact: 'Ann Other' }],
    });
    const licence = { type: 'licence', subjectType: 'supplier', subjectCode: 'SUP-1', issuer: 'office' };
    await must('POST', '/v2/certificates', { ...licence, certificateNo: 'L-1', validFrom: '2024-01-01' });
    await must('POST', '/v2/certificates', {
      ...{ ...licence, certificateNo: 'OLD', validFrom: '2024-01-01', validTo: '2025-01-01' },
    });
    const stocked = { productCode: 'GLOVE-1', warehouse: 'WH-1', quantityDelta: 5, reason: 'count' };
    await must('POST', '/v2/stock/adjustments', stocked);
    await must('PATCH', '/v2/settings', { certificateGate: 'warn' });
    const sandbox = await newSandbox(service, parent.key, { name: 'copy' });
    expect(sandbox.copied).toEqual({ partners: 2, warehouses: 2, products: 3, certificates: 1 });
    const codes = async (path: string, field: string) =>
      (await sandbox.must<List<Record<string, string>>>('GET', path)).items.map((item) => item[field]);
    expect(await codes('/v2/products', 'productCode')).toEqual(['06901234567892', 'GLOVE-1', 'PUMP-1']);
    expect(await codes('/v2/warehouses', 'code')).toEqual(['WH-1', 'WH-2']);
    expect(await codes('/v2/certificates', 'certificateNo')).toEqual(['L-1']);
    expect(await codes('/v2/stock/movements', 'movementId')).toEqual([]);
    expect(await codes('/v2/webhooks', 'webhookId')).toEqual([]);
    expect(await codes('/v2/settings/users', 'userId')).toEqual([]);
    expect(await sandbox.must('GET', '/v2/settings')).toMatchObject({ certificateGate: 'warn' });
    const hospital = await service.call('GET', '/v2/partners/HOSP-1', undefined, sandbox.apiKey);
    expect(hospital.text).toContain('Ward 3');
    expect(hospital.text).not.toContain('Ann Other');
    const { apiKey } = await parent.newKey({ scopes: ['settings:write', 'products:read'] });
    const partly = await newSandbox(service, apiKey, { name: 'partly' });
    expect(partly.copied).toEqual({ partners: 2, warehouses: 2, products: 3, certificates: 0 });
  });

  it('begins with a small demo, or empty, if that is asked for', async () => {
    const { key } = await furnished();
    const demo = await newSandbox(service, key, { name: 'demo', data: 'demo' });
    expect(demo.copied.products).toBe(20);
    const stock = await demo.must<List<object>>('GET', '/v2/inventory?warehouse=WH-EAST&limit=5');
    expect(stock.items).toHaveLength(5);
    const empty = await newSandbox(service, key);
    expect((await empty.must<List<object>>('GET', '/v2/partners')).items).toEqual([]);
  });

  it('does not mix with production: neither sees a record of the other', async () => {
    const parent = await furnished();
    const sandbox = await newSandbox(service, parent.key, { name: 'copy' });
    const before = (await service.call('GET', '/v2/products', undefined, parent.key)).text;
    await sandbox.must('PUT', '/v2/products/GLOVE-1', { productName: 'Changed' });
    await sandbox.must('PUT', '/v2/products/ONLY-HERE', { productName: 'New' });
    const after = await service.call<List<unknown>>('GET', '/v2/products', undefined, parent.key);
    expect(after.data).toEqual(JSON.parse(before).data);
    expect((await service.call('GET', '/v2/products/ONLY-HERE', undefined, parent.key)).status).toBe(404);
  });

  it('has keys that are valid with its prefix only, also those made later and rotated', async () => {
    const sandbox = await newSandbox(service, (await furnished()).key);
    const made = await runCommand(
      service.db,
      ...[
        'key',
        'create',
        '--org',
        sandbox.code,
        '--name',
        'x',
        '--scope',
        'products:read',
        '--owner',
        'a@b.example',
      ],
      '--json',
    );
    const { apiKey, keyId } = JSON.parse(made.out);
    const rotated = JSON.parse((await runCommand(service.db, 'key', 'rotate', keyId, '--json')).out);
    for (const key of [apiKey, rotated.apiKey]) {
      expect(key).toMatch(/^lwt_/);
      expect((await service.call('GET', '/v2/products', undefined, key)).status).toBe(200);
    }
    // Even if the hash of a key with the other prefix were stored.
    const wrong = newKeyPair(keyId, false);
    await service.db.sql('update api_keys set secret_hash = $2 where key_id = $1', [
      keyId,
      hashToken(wrong.apiKey),
    ]);
    expect((await service.call('GET', '/v2/products', undefined, wrong.apiKey)).status).toBe(401);
    const other = newKeyPair(org.keyId, true);
    await service.db.sql(
      'update api_keys set previous_secret_hash = $2, previous_valid_until = $3 where key_id = $1',
      [...[org.keyId, hashToken(other.apiKey), new Date(service.db.clock.now().getTime() + DAY_MS)]],
    );
    expect((await service.call('GET', '/v2/products', undefined, other.apiKey)).status).toBe(401);
  });

  it('is one of five at most, is not opened in a sandbox, and once under an Idempotency-Key', async () => {
    const { key } = await newOrganization(service.db);
    const once = { 'idempotency-key': 'open-1' };
    const body = { name: 'x', data: 'empty' };
    const [first, again] = [await open(body, key, once), await open(body, key, once)];
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    const answers = await Promise.all(Array.from({ length: 6 }, () => open(body, key)));
    expect(answers.map(outcome).sort()).toEqual([
      ...Array.from({ length: 4 }, () => [200, undefined]),
      ...Array.from({ length: 2 }, () => [400, 'too_many_sandboxes']),
    ]);
    expect(outcome(await open(body, first.data.apiKey))).toEqual([403, 'production_only']);
    await service.call('DELETE', `/v2/sandboxes/${first.data.sandboxId}`, undefined, key);
    expect((await open(body, key)).status).toBe(200);
  });

  it('is one of twenty at most that are opened in a day, also if they ended', async () => {
    const { key, organization } = await newOrganization(service.db);
    await service.db.sql(
      `insert into sandboxes select $1, 'org_' || n, 'c', 'n', 'empty', $2, 'x', $2, $2, 'deleted' from generate_series(1, 20) n`,
      [organization.orgId, service.db.clock.now()],
    );
    const body = { name: 'x', data: 'empty' };
    expect(outcome(await open(body, key))).toEqual([400, 'too_many_sandboxes']);
    service.db.clock.advance(DAY_MS + 1);
    expect((await open(body, key)).status).toBe(200);
    service.db.clock.advance(-DAY_MS - 1);
  });

  it.each([
    [{}, 'required'],
    [{ name: '' }, 'bad_length'],
    [{ name: 'x', data: 'everything' }, 'not_allowed'],
    [{ name: 'x', code: 'mine' }, 'unknown_field'],
  ])('is not opened with %j', async (body, reason) => {
    expect(outcome(await open(body, org.key))).toEqual([400, reason]);
  });

  it('is listed newest first by pages and status, with its use, for its own organization only', async () => {
    const { key } = await newOrganization(service.db);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      service.db.clock.advance(10);
      ids.unshift((await newSandbox(service, key, { name, data: 'empty' })).sandboxId);
    }
    const list = async (query: string) =>
      (await service.call<List<Sandbox>>('GET', `/v2/sandboxes?${query}`, undefined, key)).data;
    const first = await list('limit=2');
    const rest = await list(`limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
    expect([...first.items, ...rest.items].map(({ sandboxId }) => sandboxId)).toEqual(ids);
    await service.call('DELETE', `/v2/sandboxes/${ids[1]}`, undefined, key);
    expect((await list('status=ended')).items).toMatchObject([{ sandboxId: ids[1], endReason: 'deleted' }]);
    expect((await list('status=active')).items).toHaveLength(2);
    await service.db.sql('update api_keys set last_used_at = $2 where org_id = $1', [
      ids[0],
      '2026-11-15T09:00:00Z',
    ]);
    const shown = await service.call<Sandbox>('GET', `/v2/sandboxes/${ids[0]}`, undefined, key);
    expect(shown.data).toMatchObject({ sandboxId: ids[0], lastUsedAt: '2026-11-15T09:00:00.000Z' });
    expect((await service.call('GET', `/v2/sandboxes/${ids[0]}`)).status, 'of others').toBe(404);
    expect((await service.call<List<Sandbox>>('GET', '/v2/sandboxes?status=active')).data.items).toEqual([]);
  });

  it('gets another key when the first is lost, and none once it has ended', async () => {
    const { key } = await newOrganization(service.db);
    const sandbox = await newSandbox(service, key);
    const path = `/v2/sandboxes/${sandbox.sandboxId}`;
    const { data } = await service.call<{ apiKey: string }>('POST', `${path}/keys`, {}, key);
    expect(data.apiKey).toMatch(/^lwt_/);
    expect((await service.call('GET', '/v2/whoami', undefined, data.apiKey)).status).toBe(200);
    const ended = await service.call<Sandbox>('DELETE', path, undefined, key);
    expect(ended.data).toMatchObject({ status: 'ended', businessDate: null, endReason: 'deleted' });
    expect(outcome(await service.call('POST', `${path}/keys`, {}, key))).toEqual([400, 'sandbox_ended']);
    const again = await service.call<Sandbox>('DELETE', path, undefined, key);
    expect(again.data).toEqual(ended.data);
    const { items } = (await service.call<List<{ action: string }>>('GET', '/v2/audit', undefined, key)).data;
    const actions = items.map(({ action }) => action).filter((action) => action.startsWith('sandbox.'));
    expect(actions.sort()).toEqual(['sandbox.create', 'sandbox.create_key', 'sandbox.end']);
  });

  it('ends after 30 days without use of its credentials, with its keys and webhooks, and not before', async () => {
    const { key } = await newOrganization(service.db);
    const unused = await newSandbox(service, key);
    const used = await newSandbox(service, key);
    const byClient = await newSandbox(service, key);
    await unused.must('POST', '/v2/webhooks', {
      ...{ callbackUrl: 'http://127.0.0.1:9/x', eventTypes: ['order.status_changed'] },
    });
    const client = await transact(
      service.db.database,
      systemPrincipal(byClient.sandboxId, 'a@b.example'),
      (tx) => createClient(tx, { name: 'app', scopes: ['products:read'], owner: 'a@b.example' }),
    );
    const opened = service.db.clock.now().getTime();
    const days = (count: number) => new Date(opened + count * DAY_MS);
    // Moving its clock is a use, but the days it moves are none.
    await unused.must('POST', '/v2/sandbox/clock', { advance: 'P60D' });
    await service.db.sql('update api_keys set last_used_at = $2 where org_id = $1', [
      unused.sandboxId,
      days(0),
    ]);
    await service.db.sql('update api_keys set last_used_at = $2 where org_id = $1', [
      used.sandboxId,
      days(20),
    ]);
    await service.db.sql('update oauth_clients set last_used_at = $2 where client_id = $1', [
      client.clientId,
      days(20),
    ]);
    try {
      service.db.clock.set(days(29).toISOString());
      expect(await endUnused()).not.toContain(unused.code);
      service.db.clock.set(days(31).toISOString());
      const ended = await endUnused();
      expect(ended).toContain(unused.code);
      expect(ended).not.toContain(used.code);
      expect(ended).not.toContain(byClient.code);
      const shown = await service.call<Sandbox>('GET', `/v2/sandboxes/${unused.sandboxId}`, undefined, key);
      expect(shown.data).toMatchObject({ status: 'ended', endReason: 'unused' });
      // A process may know the key for 800 ms more.
      const refused = async () => (await service.call('GET', '/v2/whoami', undefined, unused.apiKey)).status;
      await expect.poll(refused, { timeout: 5_000 }).toBe(401);
      const [webhook] = await service.db.sql<{ status: string }>(
        'select status from webhook_states where org_id = $1',
        [unused.sandboxId],
      );
      expect(webhook?.status).toBe('disabled');
      expect((await service.call('GET', '/v2/whoami', undefined, used.apiKey)).status).toBe(200);
      expect(await endUnused()).toEqual([]);
    } finally {
      service.db.clock.set(new Date(opened).toISOString());
    }
  });

  it('is opened on the command line, which prints its key once', async () => {
    const { organization } = await furnished();
    const run = (...args: string[]) => runCommand(service.db, 'org', 'create', ...args);
    const made = await run('--sandbox-of', organization.code, '--name', 'by hand', '--json');
    const { apiKey, code } = JSON.parse(made.out);
    const { data } = await service.call<List<object>>('GET', '/v2/products', undefined, apiKey);
    expect([apiKey.slice(0, 4), data.items.length]).toEqual(['lwt_', 3]);
    expect((await run('--sandbox-of', code, '--name', 'nested')).err).toContain('is a sandbox itself');
    expect((await run('--sandbox-of', 'nobody', '--name', 'x')).err).toContain('There is no organization');
    expect((await run('--name', 'x')).err).toContain('--code');
  });

  it('ends when its organization is suspended', async () => {
    const parent = await newOrganization(service.db);
    const { data } = await open({ name: 'mine', data: 'empty' }, parent.key);
    const whoami = () => service.call('GET', '/v2/whoami', undefined, data.apiKey);
    expect((await whoami()).status).toBe(200);
    const { code } = parent.organization;
    const suspended = await runCommand(service.db, 'org', 'update', '--code', code, '--status', 'suspended');
    expect(suspended).toMatchObject({ exitCode: 0, err: '', out: expect.stringContaining('1 sandbox') });
    await expect.poll(async () => (await whoami()).status).toBe(401);
    const [ended] = await service.db.sql('select end_reason as reason from sandboxes where sandbox_id = $1', [
      data.sandboxId,
    ]);
    expect(ended).toEqual({ reason: 'deleted' });
  });
});

describe('a trigger', () => {
  let key: string;
  let sandbox: TestSandbox;
  beforeAll(async () => {
    key = (await newOrganization(service.db)).key;
    sandbox = await newSandbox(service, key);
    const type = 'licence';
    const subjects = ['supplier', 'product', 'customer'] as const;
    const demandedCertificates = subjects.map((subjectType) => ({ subjectType, type }));
    await sandbox.must('PATCH', '/v2/settings', { demandedCertificates });
    await sandbox.must('POST', '/v2/sandbox/clock', { advance: 'P100D' });
  });

  it.each(EVENT_TYPES)('makes a real change that causes %s, each time', async (eventType) => {
    // Stock that changed has a feed of its own.
    const feed =
      eventType === 'inventory.changed' ? '/v2/inventory/changes?' : `/v2/events?eventType=${eventType}&`;
    const count = async () => (await sandbox.must<List<object>>('GET', `${feed}limit=200`)).items.length;
    for (let times = 1; times <= 2; times++) {
      const before = await count();
      const body = { eventType };
      const { made } = await sandbox.must<{ made: object[] }>('POST', '/v2/sandbox/trigger', body);
      expect(made.length).toBeGreaterThan(0);
      expect(await count()).toBeGreaterThan(before);
    }
  });

  it('leaves nothing in production', async () => {
    for (const path of ['/v2/events', '/v2/products', '/v2/partners', '/v2/orders'])
      expect((await service.call<List<object>>('GET', path, undefined, key)).data.items, path).toEqual([]);
  });

  it('is refused for a type that there is none of', async () => {
    const body = { eventType: 'order.eaten' };
    const answer = await service.call('POST', '/v2/sandbox/trigger', body, sandbox.apiKey);
    expect(outcome(answer)).toEqual([400, 'not_allowed']);
  });

  it('is pushed with X-Lotward-Sandbox, which no push of production has', async () => {
    const receiver = await openReceiver();
    try {
      const parent = await newOrganization(service.db);
      sandbox = await newSandbox(service, parent.key);
      const hook = (path: string) => ({ callbackUrl: receiver.url(path), eventTypes: ['expiry.warning'] });
      await sandbox.must('POST', '/v2/webhooks', hook('/sandbox'));
      await service.call('POST', '/v2/webhooks', hook('/production'), parent.key);
      await sandbox.must('POST', '/v2/sandbox/trigger', { eventType: 'expiry.warning' });
      await stockCatalogue(service.api, parent.key);
      const goods = { productCode: '06901234567892', warehouse: 'WH-1', batchNo: 'B', reason: 'count' };
      const soon = { ...goods, expiryDate: '2026-11-20', quantityDelta: 1 };
      await service.call('POST', '/v2/stock/adjustments', soon, parent.key);
      await deliverUntil(service.db, async () => receiver.received.length === 2);
      const marks = ['/sandbox', '/production'].map(
        (path) => receiver.at(path)[0]?.headers['x-lotward-sandbox'],
      );
      expect(marks).toEqual(['true', undefined]);
      const [webhook] = (await sandbox.must<List<{ webhookId: string }>>('GET', '/v2/webhooks')).items;
      await sandbox.must('POST', `/v2/webhooks/${webhook?.webhookId}/test`, {});
      expect(receiver.at('/sandbox')[1]?.headers).toMatchObject({
        ...{ 'x-lotward-sandbox': 'true', 'x-lotward-test': 'true' },
      });
    } finally {
      await receiver.close();
    }
  });
});
