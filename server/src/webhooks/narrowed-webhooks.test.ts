import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CompletenessData,
  GTIN,
  newOrganization,
  openPushWorld,
  stockCatalogue,
  type WebhookData,
} from '../../test/harness/index.js';
import { concernsOf } from '../events/concerns.rules.js';
import { type Concerns, FEED_TYPES } from '../events/index.js';
import { matcherOf, NO_FILTER } from './code-filter.rules.js';
import { sampleOf } from './samples.rules.js';

let world: Awaited<ReturnType<typeof openPushWorld>>;
beforeAll(async () => {
  world = await openPushWorld();
});
afterAll(() => world.close());

const inside = (warehouse: string): { concerns: Concerns; entity: string } => ({
  concerns: { customerCodes: ['HOSP-1'], warehouses: [warehouse], productCodes: ['P-1', 'P-2'] },
  entity: `ord_${warehouse}`,
});
const FAR = 'from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z';

describe('a webhook with a filter', () => {
  it('is pushed the orders of its warehouse only', async () => {
    const org = await newOrganization(world.db);
    await stockCatalogue(world.api, org.key);
    const hook = await world.subscribe({ org, filter: { warehouses: ['WH-1'] } });
    const must = async (path: string, body: object) => {
      const answer = await world.api.call<{ orderId: string }>('POST', path, body, org.key);
      expect(answer.status, answer.text).toBe(200);
      return answer.data;
    };
    for (const warehouse of ['WH-2', 'WH-1']) {
      const { orderId } = await must('/v2/orders', {
        ...{ orderNo: `F-${warehouse}`, customerCode: 'HOSP-1', warehouse, currency: 'EUR' },
        lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1.00' }],
      });
      await must(`/v2/orders/${orderId}/reject`, { reason: 'no budget' });
    }
    const [push] = await hook.expectPushes(1);
    expect(push?.body.toString()).toContain('F-WH-1');
    const [stored] = await world.db.sql<{ concerns: Concerns }>(
      'select concerns from events where org_id = $1 order by position desc limit 1',
      [hook.orgId],
    );
    expect(stored?.concerns).toEqual({
      customerCodes: ['HOSP-1'],
      warehouses: ['WH-1'],
      productCodes: [GTIN],
    });
  });

  it.each([
    ['customerCodes', ['HOSP-1']],
    ['warehouses', ['WH-1', 'WH-9']],
    ['productCodes', ['P-2']],
  ])('needs one of the %s, in the log, the counts and the pushes alike', async (dimension, codes) => {
    const hook = await world.subscribe({ filter: { [dimension]: codes } });
    const other = { customerCodes: ['HOSP-2'], warehouses: ['WH-2'], productCodes: ['P-3'] };
    await hook.happen({ entity: 'other', concerns: other }, { ...inside('WH-1'), entity: 'own' });
    await hook.happen({ entity: 'none', concerns: { ...inside('WH-1').concerns, [dimension]: [] } });
    // Events of before the upgrade concern every code.
    await hook.happen({ entity: 'unknown' });
    await world.db.sql('update events set concerns = null where org_id = $1 and entity_id = $2', [
      hook.orgId,
      'unknown',
    ]);
    await hook.expectPushes(2);
    await hook.expectStatuses(['delivered', 'delivered']);
    const completeness = await hook.must<CompletenessData>('GET', `/completeness?${FAR}`);
    expect(completeness).toMatchObject({ matched: 2, delivered: 2, missingEventIds: [] });
  });

  it('misses, counts and recovers only what it lets through', async () => {
    const hook = await world.subscribe({ filter: { warehouses: ['WH-1'] } });
    await hook.must('PATCH', '', { status: 'disabled' });
    await hook.happen(inside('WH-2'));
    expect((await hook.read()).missedSince).toBeNull();
    await hook.happen(inside('WH-1'));
    expect((await hook.read()).missedSince).not.toBeNull();
    await hook.must('POST', '/enable', {});
    const since = { since: '2020-01-01T00:00:00Z' };
    expect(await hook.must('POST', '/recover', since)).toMatchObject({ skipped: 1, total: 1 });
    await hook.expectPushes(1);
  });

  it('changed from now on: earlier events keep to the filter of then, also those not sent yet', async () => {
    const hook = await world.subscribe({ filter: { warehouses: ['WH-1'] } });
    hook.answer(500);
    await hook.happen(inside('WH-1'));
    await hook.expectAttempts(1);
    await hook.happen(inside('WH-2'));
    const changed = await hook.must('PATCH', '', {
      filter: { warehouses: ['WH-2'], customerCodes: ['HOSP-1'] },
    });
    expect(changed.filter).toEqual({ warehouses: ['WH-2'], customerCodes: ['HOSP-1'] });
    hook.answer(204);
    await hook.happen({ ...inside('WH-1'), entity: 'later' }, { ...inside('WH-2'), entity: 'later too' });
    await hook.expectStatuses(['retrying', 'delivered']);
    expect((await hook.must('PATCH', '', { filter: null })).filter).toBeNull();
    await hook.happen({ ...inside('WH-1'), entity: 'last' });
    await hook.expectStatuses(['retrying', 'delivered', 'delivered']);
  });

  it.each([
    [{ warehouses: [] }, '/filter/warehouses', 'bad_item_count'],
    [{ warehouses: ['A', 'A'] }, '/filter/warehouses', 'duplicate_item'],
    [{ productCodes: [''] }, '/filter/productCodes/0', 'bad_length'],
    [
      { customerCodes: Array.from({ length: 201 }, (_, i) => `C${i}`) },
      '/filter/customerCodes',
      'bad_item_count',
    ],
    [{ suppliers: ['S'] }, '/filter/suppliers', 'unknown_field'],
  ])('refuses %j', async (filter, path, reason) => {
    const hook = await world.subscribe();
    const answer = await hook.call('PATCH', '', { filter });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toContainEqual(expect.objectContaining({ path, reason }));
  });
});

describe('the codes an event concerns', () => {
  it('are found for every type, by the rules of the guide', () => {
    const at = new Date('2026-11-15T10:00:00Z');
    const found = Object.fromEntries(FEED_TYPES.map((type) => [type, concernsOf(type, sampleOf(type, at))]));
    const [none, WH, P, C] = [[], ['WH-1'], [GTIN], ['SAMPLE-CUSTOMER']];
    const recall = { customerCodes: none, productCodes: P };
    expect(found).toEqual({
      'order.status_changed': { customerCodes: C },
      'inventory.inbound_completed': { customerCodes: none, warehouses: WH, productCodes: P },
      'inventory.outbound_completed': { customerCodes: C, warehouses: WH, productCodes: P },
      'inventory.low_stock': { customerCodes: none, productCodes: P },
      'expiry.warning': { customerCodes: none, warehouses: WH, productCodes: P },
      'certificate.expiring': { customerCodes: none, warehouses: none, productCodes: P },
      'environment.alert': { customerCodes: none, warehouses: WH, productCodes: none },
      'recall.opened': recall,
      'recall.updated': recall,
      'recall.closed': recall,
    });
  });

  it('pass a filter if one code of every narrowed dimension is among them', () => {
    const matches = matcherOf({ ...NO_FILTER, warehouses: ['A'], productCodes: ['P'] });
    expect(matches({ warehouses: ['B', 'A'], productCodes: ['P'] })).toBe(true);
    expect(matches({ warehouses: ['A'], productCodes: ['Q'] })).toBe(false);
    expect(matches({ warehouses: ['A'] })).toBe(true);
    expect(matches({ warehouses: ['A'], productCodes: [] })).toBe(false);
    expect(matches(null)).toBe(true);
  });
});

describe('headers of a webhook', () => {
  const headers = { 'X-Env': 'prod', Authorization: 'Bearer a secret of the receiver' };

  it('are sent with every push and test, and their values are shown nowhere', async () => {
    const hook = await world.subscribe({ headers });
    const read = await hook.call('GET');
    expect(read.data.headerNames).toEqual(['X-Env', 'Authorization']);
    await hook.happen({});
    await hook.must('POST', '/test', {});
    for (const { headers: got } of await hook.expectPushes(2))
      expect(got).toMatchObject({ 'x-env': 'prod', authorization: headers.Authorization });
    const stored = await world.db.sql('select * from webhooks where webhook_id = $1', [hook.webhookId]);
    const audit = await world.db.sql('select * from audit_entries where entity_id = $1', [hook.webhookId]);
    for (const text of [read.text, JSON.stringify([stored, audit])])
      expect(text).not.toContain('of the receiver');
  });

  it('are replaced as a whole, and stay when they are not named', async () => {
    const hook = await world.subscribe({ headers });
    expect((await hook.must('PATCH', '', { description: 'x' })).headerNames).toHaveLength(2);
    expect((await hook.must('PATCH', '', { headers: { 'X-Other': 'a' } })).headerNames).toEqual(['X-Other']);
    await hook.happen({});
    const [push] = await hook.expectPushes(1);
    expect(push?.headers).toMatchObject({ 'x-other': 'a' });
    expect(push?.headers).not.toHaveProperty('x-env');
    expect((await hook.must('PATCH', '', { headers: {} })).headerNames).toEqual([]);
  });

  it.each([
    [{ Host: 'a' }, 'header_reserved'],
    [{ 'content-length': '5' }, 'header_reserved'],
    [{ 'Transfer-Encoding': 'chunked' }, 'header_reserved'],
    [{ Cookie: 'a=b' }, 'header_reserved'],
    [{ 'Webhook-Signature': 'v1,x' }, 'header_reserved'],
    [{ 'X-Lotward-Signature': 'x' }, 'header_reserved'],
    [{ 'X-Forwarded-For': '127.0.0.1' }, 'header_reserved'],
    [{ 'X Y': 'a' }, 'bad_header_name'],
    [{ '': 'a' }, 'bad_header_name'],
    [{ 'X-Ä': 'a' }, 'bad_header_name'],
    [{ ['x'.repeat(65)]: 'a' }, 'bad_header_name'],
    [{ 'X-A': 'a', 'x-a': 'b' }, 'header_repeated'],
    [{ 'X-A': 'a\r\nHost: b' }, 'bad_format'],
    [{ 'X-A': 'ä' }, 'bad_format'],
    [{ 'X-A': ' a' }, 'bad_format'],
    [{ 'X-A': '' }, 'bad_length'],
    [{ 'X-A': 'a'.repeat(1025) }, 'bad_length'],
    [{ 'X-A': 5 }, 'wrong_type'],
    [Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`X-${i}`, 'a'])), 'bad_item_count'],
  ])('refuse %j', async (refused, reason) => {
    const hook = await world.subscribe();
    const answer = await hook.call('PATCH', '', { headers: refused });
    expect(answer.status).toBe(400);
    expect(answer.json.errors.map((error) => error.reason)).toContain(reason);
  });
});

describe('the secret for Standard Webhooks libraries', () => {
  it.each([
    'a passphrase of mine',
    'c2l4dGVlbiBieXRlcyE=',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    undefined,
  ])('verifies pushes signed with %j', async (secret) => {
    const hook = await world.subscribe(secret === undefined ? {} : { secret });
    const rotated = await hook.must<WebhookData>('POST', '/rotate-secret', {
      overlapSeconds: 0,
      ...(secret === undefined ? {} : { secret }),
    });
    await hook.happen({});
    const [push] = await hook.expectPushes(1);
    const key = Buffer.from(rotated.standardWebhooksSecret.replace(/^whsec_/, ''), 'base64');
    const signed = `${push?.headers['webhook-id']}.${push?.headers['webhook-timestamp']}.${push?.body}`;
    expect(push?.headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    expect((await hook.call('GET')).text).not.toContain(rotated.standardWebhooksSecret);
  });
});
