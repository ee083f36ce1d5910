import { randomUUID } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request as send } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newSession, openTestService } from '../harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
  for (let i = 0; i < 150; i++)
    await service.call('PUT', `/v2/products/P-${i}`, {
      productName: `Catheter ${i} 一次性`,
      tracking: 'none',
    });
  const stock = { warehouse: 'WH-1', quantityDelta: 1, reason: 'count' };
  for (let i = 0; i < 20; i++)
    await service.call('POST', '/v2/stock/adjustments', { productCode: `P-${i}`, ...stock });
});
afterAll(() => service.close());

interface Sent {
  headers?: Record<string, string>;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  body?: object;
  key?: string | null;
}

/** The bytes as they came. */
async function ask(path: string, { headers, method = 'GET', body, key = service.org.key }: Sent = {}) {
  const answer = await send(`${service.api.url}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const header = (name: string) => answer.headers[name] as string | undefined;
  return { status: answer.statusCode, header, bytes };
}
const decoded = ({ header, bytes }: Awaited<ReturnType<typeof ask>>): string => {
  const encoding = header('content-encoding');
  const plain =
    encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
  return plain.toString();
};
const accepting = (encoding: string) => ({ headers: { 'accept-encoding': encoding } });

describe('a response to a caller that accepts an encoding', () => {
  it.each([
    ['a list', '/v2/products?limit=200'],
    ['a short list', '/v2/products?limit=5'],
    ['the inventory of a warehouse', '/v2/inventory?warehouse=WH-1'],
    ['the OpenAPI document', '/v2/openapi.json'],
    ['the event types', '/v2/event-types'],
    ['a page of the documentation', '/docs/webhooks'],
    ['a drawing', '/labels/udi.svg?code=(01)06901234567892'],
  ])('is the same, and smaller: %s', async (_what, path) => {
    const plain = await ask(path);
    expect([plain.status, plain.header('content-encoding')]).toEqual([200, undefined]);
    for (const encoding of ['gzip', 'br']) {
      const encoded = await ask(path, accepting(encoding));
      expect([encoded.status, encoded.header('content-encoding')]).toEqual([200, encoding]);
      expect(encoded.header('vary')).toMatch(/(^|, )accept-encoding$/);
      expect(encoded.header('content-type')).toBe(plain.header('content-type'));
      expect(encoded.header('content-length')).toBe(String(encoded.bytes.length));
      expect(decoded(encoded)).toBe(plain.bytes.toString());
      expect(encoded.bytes.length).toBeLessThan(plain.bytes.length * 0.6);
    }
    const browser = await ask(path, accepting('gzip, deflate, br, zstd'));
    expect(browser.header('content-encoding')).toBe('br');
  });

  it('is a file for programs, too', async () => {
    const body = { productCode: 'P-1', warehouse: 'WH-1', quantity: 1, reason: 'x'.repeat(400) };
    for (let i = 0; i < 3; i++)
      await service.call('POST', '/v2/quality/nonconformities', { ...body, productCode: `P-${i}` });
    const path = '/exports/quality/nonconformities.csv';
    const plain = await ask(path);
    const encoded = await ask(path, accepting('gzip'));
    expect([encoded.status, encoded.header('content-encoding')]).toEqual([200, 'gzip']);
    expect(encoded.header('content-disposition')).toBe(plain.header('content-disposition'));
    expect(decoded(encoded)).toBe(plain.bytes.toString());
  });

  it('is that to a write, and the same again under its key', async () => {
    const lines = Array.from({ length: 20 }, (_, i) => ({
      lineNo: i + 1,
      productCode: `P-${i}`,
      quantity: 1,
      unitPrice: '1.00',
    }));
    const body = { orderNo: 'LONG', customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR', lines };
    const headers = { 'accept-encoding': 'gzip', 'idempotency-key': randomUUID() };
    const first = await ask('/v2/orders', { method: 'POST', body, headers });
    const again = await ask('/v2/orders', { method: 'POST', body, headers });
    const plain = await ask('/v2/orders', {
      method: 'POST',
      body,
      headers: { 'idempotency-key': headers['idempotency-key'] },
    });
    expect([first, again, plain].map(({ header }) => header('content-encoding'))).toEqual([
      'gzip',
      'gzip',
      undefined,
    ]);
    expect([first, again].map(decoded)).toEqual([plain.bytes.toString(), plain.bytes.toString()]);
    const put = { method: 'PUT', body: { productName: '长'.repeat(80), category: 'x'.repeat(200) } } as const;
    const product = await ask('/v2/products/LONG', { ...put, ...accepting('gzip') });
    expect(JSON.parse(decoded(product)).data).toMatchObject(put.body);
  });

  it('stays as it is if it is short, a failure, or shows a secret', async () => {
    const admin = await newSession(service.db, service.org.organization.orgId);
    const allowList = Array.from({ length: 100 }, (_, i) => `192.0.2.${i}`);
    const key = await ask('/v2/settings/keys', {
      method: 'POST',
      key: null,
      headers: { ...admin.headers, ...accepting('gzip').headers },
      body: { name: 'long', scopes: ['products:read'], allowList },
    });
    const session = await ask('/v2/session', {
      key: null,
      headers: { ...admin.headers, ...accepting('gzip').headers },
    });
    const refused = await ask(`/v2/products?${'x'.repeat(2_000)}=1`, accepting('gzip'));
    const short = await ask('/v2/warehouses/WH-1', accepting('gzip'));
    expect(key.bytes.length).toBeGreaterThan(1_024);
    for (const [answer, status] of [
      [key, 200],
      [session, 200],
      [refused, 400],
      [short, 200],
    ] as const)
      expect([answer.status, answer.header('content-encoding')]).toEqual([status, undefined]);
    expect(refused.bytes.length).toBeGreaterThan(1_024);
  });

  it('says so where it depends on the origin as well', async () => {
    const other = await openTestService({ corsOrigins: ['https://app.example'] });
    const answer = await send(`${other.api.url}/v2/products/${GTIN}`, {
      headers: {
        authorization: `Bearer ${other.org.key}`,
        origin: 'https://app.example',
        'accept-encoding': 'gzip',
      },
    });
    await answer.body.dump();
    expect(String(answer.headers.vary).toLowerCase().split(/, */)).toEqual(['origin', 'accept-encoding']);
    expect(answer.headers['access-control-expose-headers']).toContain('etag');
    await other.close();
  });
});

describe('a stream', () => {
  it('is never compressed, and its events come at once', async () => {
    const abort = new AbortController();
    const answer = await send(`${service.api.url}/stream`, {
      headers: { authorization: `Bearer ${service.org.key}`, 'accept-encoding': 'gzip, br' },
      signal: abort.signal,
    });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
    for await (const chunk of answer.body) {
      expect(String(chunk)).toMatch(/^retry: /);
      break;
    }
    abort.abort();
  });
});

describe('a tag', () => {
  const PATH = `/v2/products/${GTIN}`;
  const tagOf = async (path: string, encoding = 'identity') =>
    (await ask(path, accepting(encoding))).header('etag') ?? '';
  const asking = (tag: string, more: Record<string, string> = {}) => ({
    headers: { 'if-none-match': tag, ...more },
  });

  it.each([PATH, '/v2/products', '/v2/partners', '/v2/warehouses', '/v2/settings', '/v2/openapi.json'])(
    'saves the response of %s until it changes',
    async (path) => {
      const first = await ask(path);
      const tag = first.header('etag') ?? '';
      expect(tag).toMatch(/^"[\w-]{22}"$/);
      expect(await tagOf(path)).toBe(tag);
      const again = await ask(path, asking(tag));
      expect([again.status, again.bytes.length, again.header('etag')]).toEqual([304, 0, tag]);
      expect(again.header('content-type')).toBeUndefined();
      expect(again.header('content-length')).toBeUndefined();
      expect([again.header('vary'), again.header('cache-control')]).toEqual(['accept-encoding', 'no-store']);
      for (const other of ['"other"', '', 'nonsense', tag.slice(1, -1)])
        expect([other, (await ask(path, asking(other))).status]).toEqual([other, 200]);
      for (const same of [`W/${tag}`, `"other", ${tag}`, '*'])
        expect([same, (await ask(path, asking(same))).status]).toEqual([same, 304]);
    },
  );

  it('changes with the resource', async () => {
    const tag = await tagOf(PATH);
    await service.call('PUT', PATH, { productName: 'Another name', tracking: 'batch' });
    const changed = await ask(PATH, asking(tag));
    expect(changed.status).toBe(200);
    expect(changed.header('etag')).not.toBe(tag);
    expect(JSON.parse(changed.bytes.toString()).data.productName).toBe('Another name');
  });

  it('is another in each encoding, and saves the response in this encoding only', async () => {
    const path = '/v2/products?limit=20';
    const encodings = ['identity', 'gzip', 'br'];
    const tags = await Promise.all(encodings.map((encoding) => tagOf(path, encoding)));
    expect(new Set(tags).size).toBe(3);
    for (const [i, tag] of tags.entries())
      for (const [j, encoding] of encodings.entries()) {
        const { status, header } = await ask(path, asking(tag, { 'accept-encoding': encoding }));
        expect([i, j, status, header('content-encoding') === undefined]).toEqual([
          i,
          j,
          i === j ? 304 : 200,
          i === j || encoding === 'identity',
        ]);
      }
  });

  it('says nothing to those who may not read the resource', async () => {
    const { apiKey } = await service.org.newKey({ scopes: ['inventory:read'] });
    expect((await ask(PATH, { ...asking('*'), key: null })).status).toBe(401);
    expect((await ask(PATH, { ...asking('*'), key: apiKey })).status).toBe(403);
    expect((await ask('/v2/products/NOPE', asking('*'))).status).toBe(404);
  });

  it('is in the headers of HEAD, with status 304 for who has it', async () => {
    const tag = await tagOf(PATH);
    const head = await ask(PATH, { method: 'HEAD' });
    expect([head.status, head.header('etag'), head.bytes.length]).toEqual([200, tag, 0]);
    expect((await ask(PATH, { ...asking(tag), method: 'HEAD' })).status).toBe(304);
  });

  it('is not made of live stock, other lists and writes', async () => {
    for (const path of [
      `/v2/inventory?productCode=${GTIN}&warehouse=WH-1`,
      '/v2/orders',
      '/v2/stock/movements',
      '/v2/events',
    ]) {
      const { status, header } = await ask(path, asking('*'));
      expect([path, status, header('etag'), header('vary')]).toEqual([path, 200, undefined, undefined]);
    }
  });
});
