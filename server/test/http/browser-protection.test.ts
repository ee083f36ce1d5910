import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, startApi, type TestApi, type TestDatabase } from '../harness/index.js';

let db: TestDatabase;
let plain: TestApi;
let proxied: TestApi;
const TOKEN = 'metrics-token-for-tests-only';
beforeAll(async () => {
  db = await openTestDatabase();
  plain = await startApi(db.database, { metricsToken: TOKEN });
  proxied = await startApi(db.database, { metricsToken: TOKEN, trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => {
  await Promise.all([plain.close(), proxied.close()]);
  await db.close();
});

const hsts = async (api: TestApi, path: string, headers: Record<string, string> = {}) =>
  (await api.call('GET', path, undefined, undefined, headers)).headers.get('strict-transport-security');

describe('strict transport security', () => {
  it.each(['/healthz', '/v2/whoami', '/v2/nope', '/docs'])(
    'is on every answer to a caller over HTTPS: %s',
    async (path) => {
      expect(await hsts(proxied, path, { 'x-forwarded-proto': 'https' })).toBe('max-age=31536000');
    },
  );

  it('is not on plain HTTP, nor for a stranger who only says that it was HTTPS', async () => {
    expect(await hsts(plain, '/healthz')).toBeNull();
    expect(await hsts(proxied, '/healthz')).toBeNull();
    expect(await hsts(plain, '/healthz', { 'x-forwarded-proto': 'https' })).toBeNull();
  });
});

it.each(['/docs/api', '/docs/api/', '/docs/api/static/index.html'])(
  'the API reference at %s runs no script and loads nothing but its own',
  async (path) => {
    const answer = await plain.call('GET', path);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https:|http:|unsafe|\*|swagger\.io/);
    expect(answer.text).not.toMatch(/<script>|<style>| style=| on\w+=/);
  },
);

describe('metrics', () => {
  const read = async (api: TestApi, headers: Record<string, string> = {}) =>
    (await api.call('GET', '/metrics', undefined, undefined, headers)).status;

  it('are for a program on this machine, unless the request was passed on', async () => {
    expect(await read(plain)).toBe(200);
    for (const name of [
      'via',
      'x-real-ip',
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-forwarded-host',
      'forwarded',
    ])
      expect([name, await read(plain, { [name]: '192.0.2.1' })]).toEqual([name, 404]);
  });

  it('need the token where a proxy is trusted, which may run on this machine', async () => {
    expect(await read(proxied)).toBe(404);
    expect(await read(proxied, { authorization: 'Bearer wrong' })).toBe(404);
    expect(await read(proxied, { authorization: `Bearer ${TOKEN}` })).toBe(200);
  });

  it('are not for a page that reached this machine under another name', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(`${plain.url}/metrics`, { headers: { host: 'lotward.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(404);
  });
});
