import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/credentials/index.js';
import { type Answer, countingLimiter, newOrganization, startApi, type TestApi } from '../harness/index.js';
import { keysOf, openWorld, type World } from './world.js';

const LISTED = '203.0.113.7';
const UNLISTED = '198.51.100.9';
const NOT_JSON = '{"quantityDelta":';

let world: World;
let keys: ReturnType<typeof keysOf>;
/** Behind a proxy, so that a request can have any address; with a limiter, so that a limit can be reached. */
let api: TestApi;
beforeAll(async () => {
  world = await openWorld();
  keys = keysOf(world);
  api = await startApi(world.db.database, {
    trustedProxies: ['127.0.0.1'],
    limiter: countingLimiter(world.db.clock),
  });
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const ask = (
  method: string,
  path: string,
  { key, body, from = LISTED }: { key?: string; body?: unknown; from?: string } = {},
) => api.call(method, path, body, key, { 'x-forwarded-for': from, 'x-forwarded-proto': 'https' });

const seen = ({ status, code, reason }: Answer) => ({ status, code, reason });
const UNAUTHENTICATED = { status: 401, code: 1002, reason: 'credential_invalid' };
const FORBIDDEN = (reason: string) => ({ status: 403, code: 1003, reason });
const MISSING = { status: 404, code: 1004, reason: undefined };
const ADJUST = '/v2/stock/adjustments';

/** A key of an organization with the small allowance, none of which is left. */
async function usedUp(input: { scopes: readonly string[]; allowList: readonly string[] }): Promise<string> {
  const { newKey } = await newOrganization(world.db, { edition: 'ordinary' });
  const { apiKey: key } = await newKey(input);
  const calls = Array.from({ length: 100 }, () => ask('GET', '/v2/whoami', { key }));
  expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
  return key;
}

describe('a request is checked in the documented order', () => {
  it('path and method come before the credential', async () => {
    for (const key of [undefined, 'lw_nonsense', world.organization.key]) {
      const given = key === undefined ? {} : { key };
      expect(seen(await ask('GET', '/v2/nowhere', given))).toEqual(MISSING);
      expect(seen(await ask('DELETE', '/v2/products', given))).toEqual(MISSING);
      expect(seen(await ask('POST', '/v2/nowhere', { ...given, body: NOT_JSON }))).toEqual(MISSING);
    }
  });

  it('the credential comes before the address', async () => {
    const { apiKey, keyId } = await keys.create({ allowList: [LISTED] });
    await keys.during(world.db.clock, (tx) => revokeKey(tx, keyId));
    expect(seen(await ask('GET', '/v2/whoami', { key: apiKey, from: UNLISTED }))).toEqual(UNAUTHENTICATED);
  });

  it.each([
    ['is not JSON', NOT_JSON, {}],
    ['is too large', `"${'x'.repeat(1_048_577)}"`, {}],
    ['has the wrong type', 'quantityDelta=1', { 'content-type': 'text/plain' }],
  ])('the credential comes before a body that %s', async (_what, body, headers) => {
    const proxied = { 'x-forwarded-for': LISTED, 'x-forwarded-proto': 'https', ...headers };
    const answer = await api.call('POST', ADJUST, body, 'lw_nonsense', proxied);
    expect(seen(answer)).toEqual(UNAUTHENTICATED);
  });

  it('the address comes before the rate, and the rate before the scope', async () => {
    const key = await usedUp({ scopes: ['audit:read'], allowList: [LISTED] });
    const limited = await ask('POST', ADJUST, { key });
    expect(seen(limited)).toEqual({ status: 429, code: 1005, reason: 'rate_limited' });
    expect(seen(await ask('POST', ADJUST, { key, from: UNLISTED }))).toEqual(
      FORBIDDEN('address_not_allowed'),
    );
  });

  it('a request refused for its address is not counted', async () => {
    const { apiKey } = await keys.create({ allowList: [LISTED] });
    await ask('GET', '/v2/whoami', { key: apiKey, from: UNLISTED });
    const first = await ask('GET', '/v2/whoami', { key: apiKey });
    expect(first.headers.get('ratelimit')).toBe('"minute";r=999;t=60');
  });

  it('the scope comes before the shape of body, query and path', async () => {
    const { apiKey: key } = await keys.create({ scopes: ['audit:read'] });
    const missing = FORBIDDEN('scope_missing');
    expect(seen(await ask('POST', ADJUST, { key, body: NOT_JSON }))).toEqual(missing);
    expect(seen(await ask('POST', ADJUST, { key, body: { unknown: 1 } }))).toEqual(missing);
    expect(seen(await ask('GET', '/v2/products?nonsense=1', { key }))).toEqual(missing);
    expect(seen(await ask('GET', `/v2/products/${'x'.repeat(100)}`, { key }))).toEqual(missing);
  });

  it('the scope comes before the customer binding, and the binding before the shape', async () => {
    const customerCode = world.ours.partner;
    const { apiKey: scopeless } = await keys.create({ customerCode, scopes: ['orders:read'] });
    expect(seen(await ask('POST', ADJUST, { key: scopeless }))).toEqual(FORBIDDEN('scope_missing'));
    const { apiKey: bound } = await keys.create({ customerCode });
    expect(seen(await ask('POST', ADJUST, { key: bound, body: NOT_JSON }))).toEqual(
      FORBIDDEN('customer_bound'),
    );
  });

  it('the shape comes before the object, and the object before the business rule', async () => {
    const { key } = world.organization;
    const release = `/v2/stock/holds/${world.nobodys.hold}/release`;
    const misshapen = await ask('POST', release, { key, body: { reason: 7 } });
    expect(seen(misshapen)).toEqual({ status: 400, code: 1001, reason: 'wrong_type' });
    const unknownQuery = await ask('GET', `/v2/stock/holds/${world.nobodys.hold}?nonsense=1`, { key });
    expect(seen(unknownQuery)).toEqual({ status: 400, code: 1001, reason: 'unknown_parameter' });
    expect(seen(await ask('POST', release, { key, body: {} }))).toEqual({ ...MISSING, reason: 'not_found' });
  });
});
