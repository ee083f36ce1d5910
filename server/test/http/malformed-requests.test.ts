import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullTier, GTIN, openTestService, startApi, type TestApi } from '../harness/index.js';
import { faultsOf } from './error-table.js';
import { type Exchange, type ExchangeOptions, exchange, type RawAnswer } from './raw-client.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

let service: Awaited<ReturnType<typeof openTestService>>;
let holdId: string;
beforeAll(async () => {
  service = await openTestService();
  await service.call('POST', '/v2/stock/adjustments', {
    productCode: GTIN,
    warehouse: 'WH-1',
    batchNo: 'B1',
    quantityDelta: 10,
    expiryDate: null,
    reason: 'count',
  });
});
afterAll(() => service.close());

const JSON_TYPE = 'Content-Type: application/json\r\n';
const credential = () => `Authorization: Bearer ${service.org.key}\r\n`;
const request = (method: string, target: string, headers = '') =>
  `${method} ${target} HTTP/1.1\r\nHost: test\r\n${credential()}${headers}\r\n`;
const get = (target: string, headers = '') => request('GET', target, headers);
/** The body is sent byte for byte: one character is one byte. */
const post = (target: string, body: string, headers = JSON_TYPE) =>
  request('POST', target, `${headers}Content-Length: ${body.length}\r\n`) + body;
const release = (body: string, headers?: string) => post(`/v2/stock/holds/${holdId}/release`, body, headers);

const send = (bytes: string, options?: ExchangeOptions): Promise<Exchange> =>
  exchange(service.api.url, bytes, options);

const received = ({ status, headers, body }: RawAnswer) => ({ status, headers, text: body });

/** Status, and the first reason with where it applies. Every response must be a row of the table. */
async function outcome(bytes: string): Promise<string> {
  const { answers, closed } = await send(bytes);
  const [answer] = answers;
  if (closed || !answer) return 'closed without an answer';
  const faults = faultsOf(received(answer));
  if (faults.length > 0) return faults.join('; ');
  const [issue] = (JSON.parse(answer.body).errors ?? []) as { path: string | null; reason: string }[];
  return issue ? `${answer.status} ${issue.reason} ${issue.path ?? '-'}` : String(answer.status);
}

const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: 1\r\n`).join('');

describe('a request that is not valid HTTP gets a response of the error table', () => {
  const cases: [what: string, bytes: () => string, expected: string][] = [
    ['a line that is no request', () => 'hello there\r\n\r\n', '400 malformed_request -'],
    ['another protocol', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 malformed_request -'],
    ['a method that nobody knows', () => request('FROB', '/v2/whoami'), '400 malformed_request -'],
    ['a space in a header name', () => get('/v2/whoami', 'X : 1\r\n'), '400 malformed_request -'],
    ['a folded header', () => get('/v2/whoami', 'X: 1\r\n 2\r\n'), '400 malformed_request -'],
    ['bare line feeds', () => get('/v2/whoami').replaceAll('\r\n', '\n'), '400 malformed_request -'],
    ['no Host', () => `GET /v2/whoami HTTP/1.1\r\n${credential()}\r\n`, '400 duplicate_header host'],
    ['no Host in HTTP/1.0', () => `GET /v2/whoami HTTP/1.0\r\n${credential()}\r\n`, '200'],
    ['two Host', () => get('/v2/whoami', 'Host: other\r\n'), '400 duplicate_header host'],
    ['two Authorization', () => get('/v2/whoami', credential()), '400 duplicate_header authorization'],
    [
      'two Content-Type',
      () => release('{}', JSON_TYPE + JSON_TYPE.toUpperCase()),
      '400 duplicate_header content-type',
    ],
    [
      'two Idempotency-Key',
      () => release('{}', `${JSON_TYPE}Idempotency-Key: a\r\nIdempotency-Key: b\r\n`),
      '400 duplicate_header idempotency-key',
    ],
    [
      'headers over 16 KiB',
      () => get('/v2/whoami', `X: ${'x'.repeat(16_384)}\r\n`),
      '400 malformed_request -',
    ],
    ['a hundred headers', () => get('/v2/whoami', many(98)), '200'],
    ['more than a hundred headers', () => get('/v2/whoami', many(99)), '400 malformed_request -'],
    [
      'a credential hidden behind a hundred headers',
      () => `GET /v2/whoami HTTP/1.1\r\nHost: a\r\n${many(150)}${credential()}\r\n`,
      '400 malformed_request -',
    ],
    ['an unknown expectation', () => get('/v2/whoami', 'Expect: foo\r\n'), '400 malformed_request expect'],
    ['an upgrade', () => get('/v2/whoami', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), '200'],
    ['TRACE', () => request('TRACE', '/v2/whoami'), '404'],
    ['OPTIONS', () => request('OPTIONS', '/v2/whoami'), '404'],
    ['PROPFIND', () => request('PROPFIND', '/v2/whoami'), '404'],
    ['CONNECT', () => request('CONNECT', 'elsewhere.example:443'), '404'],
    ['CONNECT to a path', () => request('CONNECT', '/v2/whoami'), '404'],
    ['OPTIONS *', () => request('OPTIONS', '*'), '404'],
    ['a whole address', () => get('http://test/v2/whoami'), '200'],
    ['a body on GET', () => `${get('/v2/whoami', `${JSON_TYPE}Content-Length: 2\r\n`)}{}`, '200'],
  ];
  it.each(cases)('%s', async (_what, bytes, expected) => {
    expect(await outcome(bytes())).toBe(expected);
  });
});

describe('an invalid path or query gets a response of the error table', () => {
  const cases: [target: string, expected: string][] = [
    ['/v2/products/%zz', '400 malformed_request -'],
    ['/v2/products/%ff', '400 malformed_request -'],
    ['/v2/products?name=%zz', '400 malformed_request -'],
    ['/v2/products?name=%ff', '400 malformed_request -'],
    ['/v2/products?name=%ED%A0%80', '400 malformed_request -'],
    ['/v2/products?name=100%25', '200'],
    ['/v2/products/%00', '400 bad_text id'],
    ['/v2/products?name=%00', '400 bad_text name'],
    ['/v2/products?%00=1', '400 unknown_parameter \u0000'],
    ['/v2/products?colour=red', '400 unknown_parameter colour'],
    ['/v2/products?__proto__=1', '400 unknown_parameter __proto__'],
    ['/v2/whoami?a=1', '400 unknown_parameter a'],
    ['/v2/products?name=a&name=b', '400 wrong_type name'],
    ['/v2/products?limit=', '400 wrong_type limit'],
    ['/v2/products?name=', '400 bad_length name'],
    ['/v2/products/', '404'],
    ['/v2/stock/holds//release', '404'],
    ['/v2/whoami/', '404'],
    ['/v2/products/X/', '404'],
    ['//v2/whoami', '404'],
    ['/V2/whoami', '404'],
    ['/v2', '404'],
    ['/v2/', '404'],
    [`/v2/products/${'x'.repeat(65)}`, '400 bad_length id'],
    [`/v2/products/${'x'.repeat(12_000)}`, '404'],
    [`/v2/${'x'.repeat(12_000)}`, '404'],
    ['/v2/products/..%2f..%2fetc%2fpasswd', '404 not_found id'],
  ];
  it.each(cases)('%s', async (target, expected) => {
    expect(await outcome(get(target))).toBe(expected);
  });
});

describe('a body that does not match its headers gets a response of the error table', () => {
  beforeAll(async () => {
    const body = { productCode: GTIN, batchNo: 'B1', quantity: 1, category: 'logistics', reason: 'damp' };
    holdId = (await service.call<{ holdId: string }>('POST', '/v2/stock/holds', body)).data.holdId;
  });
  const chunked = (headers: string, chunks: string) =>
    request('POST', `/v2/stock/holds/${holdId}/release`, `${headers}Transfer-Encoding: chunked\r\n`) + chunks;
  const type = (value: string) => release('{"x":1}', `Content-Type: ${value}\r\n`);
  const MIB = 1_048_576;
  const refused = '400 unsupported_media_type -';
  const cases: [what: string, bytes: () => string, expected: string][] = [
    ['text/plain', () => type('text/plain'), refused],
    ['application/jsonp', () => type('application/jsonp'), refused],
    ['application/x+json', () => type('application/vnd.x+json'), refused],
    ['a type twice in one header', () => type('application/json, application/json'), refused],
    ['no type', () => release('{}', ''), refused],
    ['an empty type', () => type(''), refused],
    ['charset gbk', () => type('application/json; charset=gbk'), '400 unsupported_media_type Content-Type'],
    // A body that is read fails because of its field.
    ['charset utf-8', () => type('application/json; charset=utf-8'), '400 unknown_field /x'],
    ['charset "UTF-8"', () => type('Application/JSON;charset="UTF-8"'), '400 unknown_field /x'],
    ['charset utf8', () => type('application/json; charset=utf8'), '400 unknown_field /x'],
    ['a byte-order mark', () => release('\xef\xbb\xbf{"x":1}'), '400 unknown_field /x'],
    ['bytes that are not UTF-8', () => release('{"reason":"\xff"}'), '400 bad_json -'],
    ['UTF-16', () => release('\xff\xfe{\x00}\x00'), '400 bad_json -'],
    ['half an object', () => release('{"reason":'), '400 bad_json -'],
    ['something after the object', () => release('{} {}'), '400 bad_json -'],
    ['a list', () => release('[]'), '400 wrong_type '],
    ['null', () => release('null'), '400 wrong_type '],
    [
      'nesting of 33 levels',
      () => release('['.repeat(33) + ']'.repeat(33)),
      `400 too_deep ${'/0'.repeat(32)}`,
    ],
    ['nesting without end', () => release('['.repeat(500_000)), '400 bad_json -'],
    ['1e400', () => release('{"reason":1e400}'), '400 bad_number /reason'],
    ['2^53 + 1', () => release('{"reason":9007199254740993}'), '400 bad_number /reason'],
    ['__proto__', () => release('{"__proto__":{"a":1}}'), '400 unknown_field /__proto__'],
    ['constructor', () => release('{"constructor":1}'), '400 unknown_field /constructor'],
    ['NUL in a text', () => release('{"reason":"a\\u0000"}'), '400 bad_text /reason'],
    ['half a surrogate pair', () => release('{"reason":"\\ud800"}'), '400 bad_text /reason'],
    ['a name that needs escaping', () => release('{"a/b~":1}'), '400 unknown_field /a~1b~0'],
    [
      'a key twice: the last one counts',
      () => release('{"reason":"a","reason":1}'),
      '400 wrong_type /reason',
    ],
    ['more than 1 MiB', () => release(`{"reason":"${'x'.repeat(MIB)}"}`), '400 body_too_large -'],
    [
      'more than 1 MiB in chunks',
      () => chunked(JSON_TYPE, `100001\r\n${'x'.repeat(MIB + 1)}\r\n0\r\n\r\n`),
      '400 body_too_large -',
    ],
    ['exactly 1 MiB', () => release(`"${'x'.repeat(MIB - 2)}"`), '400 wrong_type '],
    ['chunks that are none', () => chunked(JSON_TYPE, 'zz\r\n'), '400 malformed_request -'],
    [
      'a length that is no number',
      () => request('POST', '/v2/stock/holds', `${JSON_TYPE}Content-Length: ten\r\n`),
      '400 malformed_request -',
    ],
    [
      'two lengths',
      () => request('POST', '/v2/stock/holds', 'Content-Length: 1\r\nContent-Length: 2\r\n'),
      '400 malformed_request -',
    ],
    [
      'a length and chunks',
      () => `${chunked(`${JSON_TYPE}Content-Length: 5\r\n`, '0\r\n\r\n')}GET /v2/whoami HTTP/1.1\r\n`,
      '400 malformed_request -',
    ],
    [
      'an encoding that is not chunked',
      () => request('POST', '/v2/stock/holds', `${JSON_TYPE}Transfer-Encoding: gzip\r\n`),
      '400 malformed_request -',
    ],
  ];
  it.each(cases)('%s', async (_what, bytes, expected) => {
    expect(await outcome(bytes())).toBe(expected);
  });

  it.each([
    ['without a type', ''],
    ['with a type', JSON_TYPE],
  ])('an action with no body at all, %s, means an empty object', async (_what, headers) => {
    const body = { productCode: GTIN, batchNo: 'B1', quantity: 1, category: 'logistics', reason: 'damp' };
    const hold = async () =>
      (await service.call<{ holdId: string }>('POST', '/v2/stock/holds', body)).data.holdId;
    const target = async () => `/v2/stock/holds/${await hold()}/release`;
    expect(await outcome(request('POST', await target(), headers))).toBe('200');
    expect(await outcome(post(await target(), '', headers))).toBe('200');
    expect(await outcome(post(await target(), '{}'))).toBe('200');
  });
});

describe('requests that arrive too slowly', () => {
  let impatient: TestApi;
  beforeAll(async () => {
    impatient = await startApi(service.db.database, { headersTimeoutMs: 400, requestTimeoutMs: 800 });
  });
  afterAll(() => impatient.close());

  it.each([
    ['headers', () => 'GET /v2/whoami HTTP/1.1\r\nHost: test\r\n'],
    ['a body', () => `${request('POST', '/v2/stock/holds', `${JSON_TYPE}Content-Length: 10\r\n`)}{"`],
    ['a length larger than what was sent', () => post('/v2/stock/holds', '{}').replace('h: 2', 'h: 3')],
  ])('%s: 400 after the time allowed, and the connection ends', async (_what, bytes) => {
    const { answers, closed } = await exchange(impatient.url, bytes(), { answers: 2 });
    expect(closed).toBe(true);
    expect(answers.map((answer) => [answer.status, faultsOf(received(answer))])).toEqual([[400, []]]);
    expect(answers[0]?.body).toContain('the request took too long to arrive');
  });

  it('nothing at all: the connection ends without an answer, which a browser would take for that of its next request', async () => {
    const { answers, closed } = await exchange(impatient.url, '', { answers: 1 });
    expect([answers, closed]).toEqual([[], true]);
  });

  it('a request that the service itself was too busy to read in time is answered', async () => {
    const { hostname, port } = new URL(impatient.url);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    // Both ends are in this process: the request is sent, and nobody can read it.
    await new Promise((resolve) => socket.write(get('/v2/whoami'), resolve));
    const busyUntilMs = performance.now() + 1_000;
    while (performance.now() < busyUntilMs);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  it('a slow second request on a connection is answered too', async () => {
    const bytes = [get('/v2/whoami'), 'GET /v2/whoami HTTP/1.1\r\n'];
    const { answers } = await exchange(impatient.url, bytes, { answers: 2 });
    expect(answers.map((answer) => [answer.status, faultsOf(received(answer))])).toEqual([
      [200, []],
      [400, []],
    ]);
  });
});

describe('pipelined requests', () => {
  it('are answered in order, each with its own request id', async () => {
    const targets = ['/v2/whoami', '/v2/products?limit=0', '/v2/nope', '/v2/inventory?warehouse=WH-1'];
    const requests = targets.map((target, i) => get(target, `X-Request-Id: nr-${i}\r\n`));
    const { answers } = await send(requests.join(''), { answers: 4 });
    expect(answers.map((answer) => [answer.status, answer.headers['x-request-id']])).toEqual([
      [200, 'nr-0'],
      [400, 'nr-1'],
      [404, 'nr-2'],
      [200, 'nr-3'],
    ]);
  });

  it('valid requests are answered even if an unreadable one follows', async () => {
    const body = JSON.stringify({
      productCode: 'GLOVE-1',
      warehouse: 'WH-2',
      quantityDelta: 1,
      expiryDate: null,
      reason: 'count',
    });
    const write = post('/v2/stock/adjustments', body);
    for (const tail of ['garbage\r\n\r\n', get('/v2/whoami', `X: ${'x'.repeat(17_000)}\r\n`)]) {
      const { answers } = await send(write + get('/v2/whoami') + tail, { answers: 3 });
      expect(answers.map((answer) => [answer.status, faultsOf(received(answer))])).toEqual([
        [200, []],
        [200, []],
        [400, []],
      ]);
    }
    const stock = await service.call('GET', '/v2/inventory?productCode=GLOVE-1&warehouse=WH-2');
    expect(stock.data).toMatchObject({ totalQuantity: 2 });
  });

  it('a malformed body after a valid request is answered after it', async () => {
    const broken = request('POST', '/v2/stock/holds', `${JSON_TYPE}Transfer-Encoding: chunked\r\n`);
    const { answers } = await send(`${get('/v2/whoami')}${broken}zz\r\n`, { answers: 2 });
    expect(answers.map((answer) => answer.status)).toEqual([200, 400]);
  });

  it('a caller that disconnects at any point affects no other', async () => {
    const whole = post('/v2/stock/holds', '{"productCode":"GLOVE-1"}');
    for (let length = 1; length < whole.length; length += 7) {
      await send(whole.slice(0, length), { socket: (socket) => socket.resetAndDestroy() });
    }
    expect(await outcome(get('/v2/whoami'))).toBe('200');
  });
});

interface Operation {
  'x-console'?: string;
  parameters?: { name: string; in: string; required?: boolean }[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}
/** The parameters of a query that must be given are all instants. */
const requiredQuery = ({ parameters = [] }: Operation = {}): string =>
  parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=2026-11-15T10:00:00Z&`)
    .join('');

describe('over all routes', () => {
  let paths: [path: string, methods: string[], query: string][];
  /** Judged before their shape: a key has no business there. */
  const forPeople = new Set<string>();
  beforeAll(async () => {
    const document = (await service.api.call('GET', '/v2/openapi.json')).json as unknown as Document;
    for (const [path, { get }] of Object.entries(document.paths))
      if (get?.['x-console'] !== undefined && get['x-console'] !== 'not needed') forPeople.add(path);
    // A name such as `batch` is also a value of the parameter of another path, whose methods it then has, too.
    const methodsOf = (path: string) =>
      Object.entries(document.paths).flatMap(([template, operations]) =>
        new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
          ? Object.keys(operations).map((method) => method.toUpperCase())
          : [],
      );
    paths = Object.entries(document.paths).map(([template, operations]) => {
      const path = template.replace(/\{\w+\}/g, 'WH-1');
      return [path, methodsOf(path), requiredQuery(operations.get)];
    });
    expect(paths.length).toBeGreaterThan(10);
  });

  it('HEAD answers like GET, without the body', async () => {
    for (const [path, methods] of paths) {
      const [head] = (await send(request('HEAD', path), { head: true })).answers;
      const expected = methods.includes('GET') ? (await service.call('GET', path)).status : 404;
      expect([path, head?.status]).toEqual([path, expected]);
      expect(head?.headers['x-request-id']).toMatch(/^req_/);
      // A stream has no length.
      if (path !== '/stream') expect(Number(head?.headers['content-length']), path).toBeGreaterThan(0);
    }
  });

  it('a method that a path does not have is 404, with any credential or none', async () => {
    for (const [n, [path, methods]] of paths.entries()) {
      const absent = METHODS.filter((method) => !methods.includes(method));
      // By default the methods take turns.
      for (const method of fullTier ? absent : [absent[n % absent.length]]) {
        const bytes = `${method} ${path} HTTP/1.1\r\nHost: test\r\n\r\n`;
        expect([method, path, await outcome(bytes)]).toEqual([method, path, '404']);
      }
    }
  });

  it('an unknown parameter is refused everywhere', async () => {
    for (const [path, methods, query] of paths) {
      if (!methods.includes('GET') || forPeople.has(path)) continue;
      expect([path, await outcome(get(`${path}?${query}nope=1`))]).toEqual([
        path,
        '400 unknown_parameter nope',
      ]);
    }
  });
});
