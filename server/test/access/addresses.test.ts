import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  newOrganization,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../harness/index.js';

let db: TestDatabase;
let org: TestOrganization;
/** One reached directly, one behind proxies in 10.0.0.0/8 and fd00::/8. */
let direct: TestApi;
let proxied: TestApi;
beforeAll(async () => {
  db = await openTestDatabase();
  org = await newOrganization(db);
  direct = await startApi(db.database);
  proxied = await startApi(db.database, { trustedProxies: ['10.0.0.0/8', 'fd00::/8'] });
});
afterAll(async () => {
  await Promise.all([direct.close(), proxied.close()]);
  await db.close();
});

const keyFor = async (...allowList: string[]) => (await org.newKey({ allowList })).apiKey;

/** As if the connection came from `peer`. */
async function call(api: TestApi, key: string, peer: string, forwarded: Record<string, string> = {}) {
  const response = await api.app.inject({
    method: 'GET',
    url: '/v2/whoami',
    remoteAddress: peer,
    headers: { authorization: `Bearer ${key}`, ...forwarded },
  });
  return { status: response.statusCode, reason: response.json().errors?.[0]?.reason as string | undefined };
}
const through = (addresses: string) => ({ 'x-forwarded-for': addresses, 'x-forwarded-proto': 'https' });
const LET_IN = { status: 200, reason: undefined };
const REFUSED = { status: 403, reason: 'address_not_allowed' };

describe('the allow-list of a key, without a proxy', () => {
  it.each([
    ['192.0.2.7', LET_IN],
    ['::ffff:192.0.2.7', LET_IN],
    ['10.1.2.3', LET_IN],
    ['::ffff:10.0.0.1', LET_IN],
    ['2001:db8::5', LET_IN],
    ['192.0.2.8', REFUSED],
    ['::ffff:192.0.2.8', REFUSED],
    ['2001:db9::5', REFUSED],
    ['127.0.0.1', REFUSED],
  ])('peer %s: %j', async (peer, expected) => {
    const key = await keyFor('192.0.2.7', '10.0.0.0/8', '2001:db8::/32');
    expect(await call(direct, key, peer)).toEqual(expected);
  });

  it('is checked against the peer; forwarding headers have no effect', async () => {
    const key = await keyFor('203.0.113.7');
    const claims: Record<string, string>[] = [
      through('203.0.113.7'),
      { forwarded: 'for=203.0.113.7' },
      { 'x-real-ip': '203.0.113.7' },
      { 'x-client-ip': '203.0.113.7' },
      { 'cf-connecting-ip': '203.0.113.7' },
    ];
    for (const claim of claims) expect(await call(direct, key, '198.51.100.9', claim)).toEqual(REFUSED);
    expect(await call(direct, key, '203.0.113.7', through('198.51.100.9'))).toEqual(LET_IN);
  });
});

describe('the allow-list of a key, behind proxies', () => {
  it.each([
    ['one proxy', '203.0.113.7', LET_IN],
    ['a chain of trusted proxies', '203.0.113.7, 10.9.9.9, fd00::2', LET_IN],
    ['what the client claimed before the first proxy', '203.0.113.7, 198.51.100.9', REFUSED],
    ['a claim that looks like a trusted proxy', '203.0.113.7, 198.51.100.9, 10.9.9.9', REFUSED],
    ['a client that claims somebody else', '198.51.100.9, 203.0.113.7', LET_IN],
    ['IPv4 written as IPv6', '::ffff:203.0.113.7', LET_IN],
    ['a word instead of an address', 'unknown', REFUSED],
    ['garbage nearest to the proxy', '203.0.113.7, garbage', REFUSED],
    ['garbage further away than the client', 'garbage, 203.0.113.7', LET_IN],
    ['an address with a port', '203.0.113.7:4711', REFUSED],
    ['octal digits', '0313.0.113.7', REFUSED],
    ['nothing but commas', ',,', REFUSED],
    ['nothing', '', REFUSED],
  ])('%s: %s', async (_what, forwarded, expected) => {
    const key = await keyFor('203.0.113.7');
    expect(await call(proxied, key, '10.0.0.1', through(forwarded))).toEqual(expected);
  });

  it('the proxy itself is not the caller unless it is on the list', async () => {
    const https = { 'x-forwarded-proto': 'https' };
    expect(await call(proxied, await keyFor('203.0.113.7'), '10.0.0.1', https)).toEqual(REFUSED);
    expect(await call(proxied, await keyFor('10.0.0.1'), '10.0.0.1', https)).toEqual(LET_IN);
  });

  it('forwarding headers of a peer that is no trusted proxy are ignored', async () => {
    const key = await keyFor('203.0.113.7');
    const answer = await call(proxied, key, '198.51.100.9', through('203.0.113.7'));
    expect(answer).toEqual({ status: 400, reason: 'https_required' });
  });

  it('a trusted proxy is recognized by its IPv4-mapped address', async () => {
    const key = await keyFor('203.0.113.7');
    expect(await call(proxied, key, '::ffff:10.0.0.1', through('203.0.113.7'))).toEqual(LET_IN);
  });

  it('a key without an allow-list works from any address', async () => {
    for (const address of ['203.0.113.7', '2001:db8::1', 'unknown'])
      expect(await call(proxied, org.key, '10.0.0.1', through(address))).toEqual(LET_IN);
  });
});
