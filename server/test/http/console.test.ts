import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, startApi, type TestApi, type TestDatabase } from '../harness/index.js';
import { exchange } from './raw-client.js';

const PAGE = '<!doctype html><title>Lotward</title>';
const SCRIPT = 'console.log("hello");'.repeat(50);
const FONT = Buffer.alloc(1_500_000, 7);

let db: TestDatabase;
let api: TestApi;
let outside: string;
beforeAll(async () => {
  db = await openTestDatabase();
  outside = mkdtempSync(join(tmpdir(), 'lotward-console-'));
  const directory = join(outside, 'dist');
  mkdirSync(join(directory, 'assets'), { recursive: true });
  const files: Record<string, string | Buffer> = {
    '../secret.txt': 'not for anybody',
    'index.html': PAGE,
    'favicon.svg': '<svg/>',
    'one.svg': '<svg>1</svg>',
    'two.svg': '<svg>2</svg>',
    'assets/index-B1.js': SCRIPT,
    'assets/index-B1.js.br': brotliCompressSync(SCRIPT),
    'assets/index-B1.js.gz': gzipSync(SCRIPT),
    'assets/index-B1.js.map': '{}',
    'assets/font-C2.woff2': FONT,
    'assets/decoder.worker-D3_x.js': SCRIPT,
    'assets/reader-E4.wasm': FONT,
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, name), content);
    utimesSync(join(directory, name), 0, 0);
  }
  api = await startApi(db.database, { consoleDirectory: directory });
});
afterAll(async () => {
  await api.close();
  await db.close();
  rmSync(outside, { recursive: true });
});

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(api.url + path, { method, headers, redirect: 'manual' });

describe('the console', () => {
  it('is served at every path that is not one of the service, and always revalidated', async () => {
    for (const path of ['/', '/orders', '/orders/ord_1?tab=lines', '/settings/keys', '/index.html']) {
      const page = await get(path, HTML);
      expect([path, page.status, await page.text()]).toEqual([path, 200, PAGE]);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('cache-control')).toBe('no-cache');
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
          "font-src 'self'; frame-src blob:; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
      );
    }
  });

  it('lets only the worker that reads codes compile WebAssembly', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy');
    expect(await policyOf('/assets/decoder.worker-D3_x.js')).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(await policyOf('/assets/index-B1.js')).not.toContain('wasm');
    expect((await get('/assets/reader-E4.wasm')).headers.get('content-type')).toBe('application/wasm');
  });

  it.each([
    '/v2/nope',
    '/v2',
    '/oauth/nope',
    '/stream/nope',
    '/exports/x.csv',
    '/files/x',
    '/labels/x',
    '/metrics/x',
  ])('leaves %s to the service, which says that there is nothing', async (path) => {
    const answer = await get(path, HTML);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 1004 }]);
  });

  it('is not served for a request that does not accept HTML, nor for a file that does not exist', async () => {
    for (const [path, headers] of [
      ['/orders', { accept: 'application/json' }],
      ['/orders', {}],
      ['/assets/index-A0.js', HTML],
      ['/assets/index-B1.js.map', HTML],
      ['/assets', HTML],
    ] as const) {
      const answer = await get(path, headers);
      expect([path, answer.status, await answer.json()]).toMatchObject([path, 404, { code: 1004 }]);
    }
    expect((await get('/orders', HTML, 'POST')).status).toBe(404);
  });

  it('sends a file in the smallest encoding that the client accepts, cacheable for a year', async () => {
    for (const [accepted, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['gzip, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const file = await get('/assets/index-B1.js', { 'accept-encoding': accepted });
      expect([accepted, file.status, file.headers.get('content-encoding')]).toEqual([
        accepted,
        200,
        encoding,
      ]);
      expect(await file.text()).toBe(SCRIPT);
      expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(file.headers.get('vary')).toBe('accept-encoding');
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    }
    const font = await get('/assets/font-C2.woff2');
    expect(font.headers.get('content-type')).toBe('font/woff2');
    expect(Buffer.from(await font.arrayBuffer()).equals(FONT)).toBe(true);
    expect((await get('/assets/index-B1.js.br')).status).toBe(404);
  });

  it('answers 304 to a client that has it, and HEAD with the headers only', async () => {
    const etag = (await get('/', HTML)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const again = await get('/', { ...HTML, 'if-none-match': known });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await get('/', { ...HTML, 'if-none-match': '"other"' })).status).toBe(200);
    const head = await get('/', HTML, 'HEAD');
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(PAGE.length),
    ]);
  });

  it('has a tag for each encoding, which depends on the content alone', async () => {
    const path = '/assets/index-B1.js';
    const tags = new Map<string, string>();
    for (const encoding of ['br', 'gzip', 'identity'])
      tags.set((await get(path, { 'accept-encoding': encoding })).headers.get('etag') ?? '', encoding);
    expect(tags.size).toBe(3);
    for (const [tag, encoding] of tags) {
      const headers = { 'accept-encoding': encoding };
      const known = await get(path, { ...headers, 'if-none-match': tag });
      expect([known.status, known.headers.get('etag'), known.headers.get('vary')]).toEqual([
        304,
        tag,
        'accept-encoding',
      ]);
      expect(known.headers.get('content-encoding')).toBeNull();
      const others = [...tags.keys()].filter((other) => other !== tag).join(', ');
      expect((await get(path, { ...headers, 'if-none-match': others })).status).toBe(200);
    }
    // Two files of the same length and time: only the content differs.
    const [one, other] = await Promise.all([get('/one.svg'), get('/two.svg')]);
    expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'));
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/....//secret.txt',
    '//secret.txt',
    '/assets/%00',
    '/assets/index-B1.js%00.html',
    '/%252e%252e/secret.txt',
    '/secret.txt',
    '/__proto__',
    '/constructor',
  ])('gives nothing away at %s', async (path) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const [answer] = (await exchange(api.url, request)).answers;
    expect([400, 404]).toContain(answer?.status);
    expect(answer?.body).not.toContain('not for anybody');
  });
});

describe('the server', () => {
  it('shows the API reference at / if the console is not built', async () => {
    const bare = await startApi(db.database, { consoleDirectory: null });
    const root = await fetch(`${bare.url}/`, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/docs/api']);
    expect((await fetch(`${bare.url}/orders`, { headers: HTML })).status).toBe(404);
    await bare.close();
  });

  it('does not wait for an idle browser connection when it closes', async () => {
    const other = await startApi(db.database);
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
    await once(socket, 'connect');
    // Known to the server, too: a later connection has been served.
    expect((await other.call('GET', '/healthz')).status).toBe(200);
    const closed = once(socket, 'close');
    await other.close();
    await closed;
  });
});
