import { request as secureRequest } from 'node:https';
import { connect as connectSecurely } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService, startApi } from '../harness/index.js';
import { expectFailure, faultsOf, headerOf } from './error-table.js';
import { exchange } from './raw-client.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());
const whoami = (headers: Record<string, string>) =>
  service.call('GET', '/v2/whoami', undefined, undefined, headers);

describe('request ids', () => {
  it.each(['a', 'order-4711.retry_2', 'x'.repeat(128)])('a well-formed one is kept: %s', async (id) => {
    expect(headerOf(await whoami({ 'x-request-id': id }), 'x-request-id')).toBe(id);
    const failure = await service.call('GET', '/v2/nope', undefined, undefined, { 'x-request-id': id });
    expect(headerOf(failure, 'x-request-id')).toBe(id);
    expect(failure.json.requestId).toBe(id);
  });

  it('the server gives every request an id of its own beside the one that the caller chose', async () => {
    const first = await whoami({ 'x-request-id': 'same' });
    const second = await whoami({ 'x-request-id': 'same' });
    const given = [first, second].map((answer) => headerOf(answer, 'x-lotward-request-id'));
    expect(given).toEqual([
      expect.stringMatching(/^req_[0-9a-f]{24}$/),
      expect.stringMatching(/^req_[0-9a-f]{24}$/),
    ]);
    expect(new Set(given).size).toBe(2);
    expect(headerOf(await whoami({}), 'x-lotward-request-id')).toBeUndefined();
  });

  it.each(['', 'req_0123456789abcdef01234567', 'two words', 'x'.repeat(129), 'a,b', '<script>', 'naïve'])(
    'anything else is replaced: %s',
    async (id) => {
      expect(headerOf(await whoami({ 'x-request-id': id }), 'x-request-id')).toMatch(/^req_[0-9a-f]{24}$/);
    },
  );

  it('two of them are ignored', async () => {
    const bytes = `GET /v2/nope HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n\r\n`;
    const [answer] = (await exchange(service.api.url, bytes)).answers;
    expect(answer?.headers['x-request-id']).toMatch(/^req_[0-9a-f]{24}$/);
  });

  it('no two requests share one', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, () => service.api.call('GET', '/healthz')));
    expect(new Set(answers.map((answer) => headerOf(answer, 'x-request-id'))).size).toBe(300);
  });
});

describe('headers of every answer', () => {
  it.each([
    ['a success', 'GET', '/v2/whoami'],
    ['the document', 'GET', '/v2/openapi.json'],
    ['an unknown path', 'GET', '/v2/nope'],
    ['a path that cannot be decoded', 'GET', '/v2/products/%zz'],
    ['a refusal', 'GET', '/v2/products?limit=0'],
    ['liveness', 'GET', '/healthz'],
  ])('%s is safe to receive and says nothing about what made it', async (_what, method, path) => {
    const answer = await service.call(method, path);
    expect(headerOf(answer, 'x-content-type-options')).toBe('nosniff');
    expect(headerOf(answer, 'referrer-policy')).toBe('no-referrer');
    expect(headerOf(answer, 'cache-control')).toBe('no-store');
    expect(headerOf(answer, 'x-request-id')).toBeDefined();
    for (const name of ['x-powered-by', 'server', 'access-control-allow-origin'])
      expect([name, headerOf(answer, name)]).toEqual([name, undefined]);
  });

  it('malformed requests get them too', async () => {
    const [answer] = (await exchange(service.api.url, 'nonsense\r\n\r\n')).answers;
    expect(answer?.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^req_/),
    });
  });
});

it('a response that is no page loads nothing and cannot be framed', async () => {
  const { key } = service.org;
  for (const path of ['/v2/whoami', '/v2/nope', '/v2/openapi.json', '/healthz']) {
    const answer = await fetch(service.api.url + path, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    expect([path, answer.headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringMatching(/^default-src 'none';.* base-uri 'none'; frame-ancestors 'none'$/),
    ]);
  }
});

describe('other origins', () => {
  const ORIGIN = 'https://console.example';
  const preflight = { origin: ORIGIN, 'access-control-request-method': 'GET' };

  it('are not let in by default', async () => {
    const answer = await whoami({ origin: ORIGIN });
    expect(answer.status).toBe(200);
    for (const [name] of answer.headers) expect(name).not.toMatch(/^access-control/);
    const asked = await service.api.call('OPTIONS', '/v2/whoami', undefined, undefined, preflight);
    expectFailure(asked, 404, []);
  });

  it('are let in when configured, and no others', async () => {
    const api = await startApi(service.db.database, { corsOrigins: [ORIGIN] });
    const call = (origin: string) => api.call('GET', '/v2/whoami', undefined, service.org.key, { origin });
    expect(headerOf(await call(ORIGIN), 'access-control-allow-origin')).toBe(ORIGIN);
    for (const origin of [
      'https://evil.example',
      `${ORIGIN}.evil.example`,
      'http://console.example',
      'null',
    ]) {
      const answer = await call(origin);
      expect([origin, answer.status]).toEqual([origin, 200]);
      expect([origin, headerOf(answer, 'access-control-allow-origin')]).toEqual([origin, undefined]);
    }
    const refused = await api.call('GET', '/v2/whoami', undefined, undefined, { origin: ORIGIN });
    expect(refused.status).toBe(401);
    expect(headerOf(refused, 'access-control-allow-origin')).toBe(ORIGIN);
    const asked = await api.call('OPTIONS', '/v2/whoami', undefined, undefined, preflight);
    expect([200, 204]).toContain(asked.status);
    expect(headerOf(asked, 'access-control-allow-origin')).toBe(ORIGIN);
    await api.close();
  });
});

describe('https', () => {
  it('behind a trusted proxy a request that was not forwarded as https is refused', async () => {
    const api = await startApi(service.db.database, { trustedProxies: ['127.0.0.0/8'] });
    const call = (headers: Record<string, string>) =>
      api.call('GET', '/v2/whoami', undefined, service.org.key, headers);
    for (const headers of [
      {},
      { 'x-forwarded-proto': 'http' },
      { 'x-forwarded-proto': 'https, http' },
      { 'x-forwarded-proto': '' },
      { forwarded: 'proto=https' },
    ]) {
      expectFailure(await call(headers), 400, [
        { path: null, reason: 'https_required', message: 'the request did not come over HTTPS' },
      ]);
    }
    expect((await call({ 'x-forwarded-proto': 'https' })).status).toBe(200);
    await api.close();
  });

  it('behind a trusted proxy pages are served over https only: browsers are sent there, others refused', async () => {
    const publicUrl = 'https://lotward.example';
    const trustedProxies = ['127.0.0.0/8'];
    const api = await startApi(service.db.database, { trustedProxies, publicUrl });
    const get = async (path: string, accept: string, forwarded: string) => {
      const headers = { accept, 'x-forwarded-proto': forwarded };
      const answer = await fetch(api.url + path, { headers, redirect: 'manual' });
      await answer.arrayBuffer();
      return [answer.status, answer.headers.get('location')];
    };
    for (const path of ['/', '/orders?status=open', '/docs', '/docs/api', '/docs/guides/webhooks']) {
      expect([path, ...(await get(path, 'text/html', 'http'))]).toEqual([path, 308, publicUrl + path]);
      expect([path, ...(await get(path, '*/*', 'http'))]).toEqual([path, 400, null]);
    }
    for (const path of ['/v2/openapi.json', '/v2/event-types', '/.well-known/openid-configuration'])
      expect([path, ...(await get(path, '*/*', 'http'))]).toEqual([path, 400, null]);
    for (const path of ['/docs', '/v2/openapi.json', '/v2/event-types'])
      expect([path, ...(await get(path, 'text/html', 'https'))]).toEqual([path, 200, null]);
    expect(await get('/healthz', '*/*', 'http')).toEqual([200, null]);
    expect(await get('/readyz', '*/*', 'http')).toEqual([200, null]);
    await api.close();
    const unnamed = await startApi(service.db.database, { trustedProxies });
    expect((await fetch(`${unnamed.url}/docs`, { headers: { accept: 'text/html' } })).status).toBe(400);
    await unnamed.close();
  });

  it('the headers of an untrusted peer are ignored', async () => {
    const api = await startApi(service.db.database, { trustedProxies: ['10.0.0.0/8'] });
    const answer = await api.call('GET', '/v2/whoami', undefined, service.org.key, {
      'x-forwarded-proto': 'https',
    });
    expect([answer.status, answer.reason]).toEqual([400, 'https_required']);
    await api.close();
  });

  it('an allow-list checks the address that the trusted proxy reports', async () => {
    const { apiKey } = await service.org.newKey({ allowList: ['192.0.2.0/24'] });
    const api = await startApi(service.db.database, { trustedProxies: ['127.0.0.0/8'] });
    const call = (forwardedFor: string) =>
      api.call('GET', '/v2/whoami', undefined, apiKey, {
        'x-forwarded-proto': 'https',
        'x-forwarded-for': forwardedFor,
      });
    expect((await call('192.0.2.7')).status).toBe(200);
    expect((await call('198.51.100.1, 192.0.2.7')).status).toBe(200);
    expect((await call('192.0.2.7, 198.51.100.1')).reason).toBe('address_not_allowed');
    await api.close();
    const direct = await service.call('GET', '/v2/whoami', undefined, apiKey, {
      'x-forwarded-for': '192.0.2.7',
    });
    expect(direct.reason).toBe('address_not_allowed');
  });

  it('a server with a certificate ends TLS itself', async () => {
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      keySize: 2048,
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
    const api = await startApi(service.db.database, { tls: { cert: made.cert, key: made.private } });
    expect(api.url).toMatch(/^https:/);
    const answer = await new Promise<{ status: number; text: string; headers: Record<string, string> }>(
      (resolve, reject) => {
        const call = secureRequest(
          `${api.url}/v2/whoami`,
          { ca: made.cert, agent: false, headers: { authorization: `Bearer ${service.org.key}` } },
          (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk;
            });
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                text,
                headers: response.headers as Record<string, string>,
              }),
            );
          },
        );
        call.on('error', reject).end();
      },
    );
    expect([answer.status, faultsOf(answer)]).toEqual([200, []]);
    const agreed = (ciphers: string) =>
      new Promise<string>((resolve) => {
        const options = { port: Number(new URL(api.url).port), host: '127.0.0.1', ca: made.cert, ciphers };
        const socket = connectSecurely({ ...options, maxVersion: 'TLSv1.2' }, () => {
          resolve(socket.getCipher().name);
          socket.destroy();
        });
        socket.on('error', () => resolve('none'));
      });
    // One with authenticated encryption and forward secrecy, and no others.
    expect(await agreed('ECDHE-RSA-AES128-GCM-SHA256')).toBe('ECDHE-RSA-AES128-GCM-SHA256');
    for (const weak of ['AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA256', 'AES256-SHA'])
      expect([weak, await agreed(weak)]).toEqual([weak, 'none']);
    // Plain HTTP to it is no HTTP at all; it gets no response, and other clients are not affected.
    const plain = await exchange(api.url, 'GET /v2/whoami HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(plain.answers.filter((each) => each.status === 200)).toEqual([]);
    await api.close();
  });
});

describe('closing', () => {
  it('finishes requests in flight and answers those that still arrive on their connections', async () => {
    const api = await startApi(service.db.database);
    const head = `Host: a\r\nAuthorization: Bearer ${service.org.key}\r\n`;
    const body = JSON.stringify({
      productCode: 'GLOVE-1',
      warehouse: 'WH-1',
      quantityDelta: 3,
      expiryDate: null,
      reason: 'count',
    });
    const write = `POST /v2/stock/adjustments HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    let closed: Promise<void> | undefined;
    const { answers } = await exchange(api.url, write, {
      answers: 2,
      socket(socket) {
        // The first request is in flight when the server closes; the second arrives after that.
        api.app.server.once('request', () => {
          closed = api.close();
          socket.write(`GET /v2/whoami HTTP/1.1\r\n${head}\r\n`);
        });
      },
    });
    await closed;
    expect(
      answers.map(({ status, headers, body: text }) => [status, faultsOf({ status, headers, text })]),
    ).toEqual([
      [200, []],
      [200, []],
    ]);
    expect(answers[1]?.headers.connection).toBe('close');
  });
});
