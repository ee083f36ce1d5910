import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerBinding } from '../../src/access/index.js';
import { createServer, fileRoute, registerRoutes } from '../../src/platform/http/index.js';
import { silentLogger } from '../../src/platform/logging/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { openTestService } from '../harness/index.js';
import { faultsOf } from './error-table.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const LABEL = '/labels/udi.svg?code=(01)06901234567892';

describe('a file response', () => {
  it('is not cached, not sniffed, not framed, and may load and run nothing', async () => {
    const { headers, status } = await service.call('GET', LABEL);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'x-request-id': expect.any(String),
      'ratelimit-policy': expect.any(String),
    });
  });

  it('has the same headers without a body for HEAD', async () => {
    const get = await service.call('GET', LABEL);
    const head = await service.call('HEAD', LABEL);
    const headersOf = ({ headers }: typeof get) => {
      const ofThisAnswer = ['date', 'x-request-id', 'connection', 'keep-alive'];
      return [...headers].filter(([name]) => !ofThisAnswer.includes(name));
    };
    expect([head.status, head.text]).toEqual([200, '']);
    expect(headersOf(head)).toEqual(headersOf(get));
  });

  it('fails with the common error shape, as JSON', async () => {
    const narrow = (await service.org.newKey({ scopes: ['inventory:read'] })).apiKey;
    const answers = {
      400: await service.call('GET', '/labels/udi.svg?code=x'),
      401: await service.api.call('GET', LABEL),
      403: await service.call('GET', LABEL, undefined, narrow),
      404: await service.call('GET', '/labels/other.svg'),
    };
    for (const [status, answer] of Object.entries(answers))
      expect([answer.status, faultsOf(answer)]).toEqual([Number(status), []]);
  });
});

describe('the name under which a file is saved', () => {
  let app: FastifyInstance;
  let fileName: string;
  beforeAll(() => {
    app = createServer({ logger: silentLogger(), tls: null, trustedProxies: [] });
    const route = fileRoute({
      operationId: 'test',
      path: '/exports/list.csv',
      scope: null,
      tag: 'Test',
      summary: 'A list',
      contentType: 'text/csv; charset=utf-8',
      render: async () => ({ body: 'a,b\r\n', fileName }),
    });
    registerRoutes(app, [route], {
      database: service.db.database,
      authenticator: {
        authenticate: () => ({ principal: systemPrincipal('org', 'somebody'), headers: {} }),
        identify: () => null,
        refuseCrossSite: () => {},
        countMalformed: async () => {},
      },
      binding: customerBinding,
      box: service.db.box,
      requireHttps: false,
      knownScopes: new Set(),
      monotonicMs: () => 0,
    });
  });
  afterAll(() => app.close());

  it.each([
    ['recall-RC-1.csv', 'attachment; filename="recall-RC-1.csv"'],
    ['RC "1".csv', 'attachment; filename="RC__1_.csv"; filename*=UTF-8\'\'RC%20%221%22.csv'],
    ['召回(1).csv', 'attachment; filename="___1_.csv"; filename*=UTF-8\'\'%E5%8F%AC%E5%9B%9E%281%29.csv'],
    [
      'a\r\nset-cookie: b',
      'attachment; filename="a__set-cookie__b"; filename*=UTF-8\'\'a%0D%0Aset-cookie%3A%20b',
    ],
  ])('%j is safe in a header, and whole for those who read it', async (name, header) => {
    fileName = name;
    const answer = await app.inject('/exports/list.csv');
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'a,b\r\n',
    ]);
    expect(answer.headers['content-disposition']).toBe(header);
  });
});
