import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countingLimiter, newOrganization, openTestService, startApi } from '../harness/index.js';
import { expectFailure, faultsOf, headerOf } from './error-table.js';

describe('each row of the error table is what a caller gets', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  beforeAll(async () => {
    service = await openTestService({ alone: true });
  });
  afterAll(() => service.close());

  it('200 / 0: the envelope and nothing beside it, also for a creation', async () => {
    const read = await service.call('GET', '/v2/warehouses/WH-2');
    expect(read.status).toBe(200);
    expect(read.json).toEqual({
      code: 0,
      message: 'success',
      data: {
        code: 'WH-2',
        name: 'Second',
        kind: 'own',
        customerCode: null,
        gln: null,
        address: null,
        zones: [],
        version: 1,
        updatedAt: '2026-11-15T10:00:00.000Z',
      },
    });
    const created = await service.call('PUT', '/v2/warehouses/WH-NEW', { name: 'New' });
    expect({ status: created.status, faults: faultsOf(created) }).toEqual({ status: 200, faults: [] });
    expect(created.data).toMatchObject({ code: 'WH-NEW', name: 'New' });
  });

  it('400 / 1001: a parameter that is not valid', async () => {
    const answer = await service.call('GET', '/v2/products?limit=0&colour=red');
    expectFailure(answer, 400, [
      { path: 'colour', reason: 'unknown_parameter', message: 'is not known here' },
      { path: 'limit', reason: 'out_of_range', message: 'must be >= 1' },
    ]);
  });

  it('400 / 1001: a business rule that is violated', async () => {
    const answer = await service.call('POST', '/v2/stock/transfers', {
      productCode: 'GLOVE-1',
      from: 'WH-1',
      to: 'WH-1',
      quantity: 1,
    });
    expect(answer.status).toBe(400);
    expectFailure(answer, 400, [
      { path: '/to', reason: 'same_warehouse', message: 'both warehouses are the same' },
    ]);
  });

  it('401 / 1002: no credential, and a challenge', async () => {
    const answer = await service.api.call('GET', '/v2/products');
    expectFailure(answer, 401, [
      { path: null, reason: 'credential_missing', message: 'no credential was sent' },
    ]);
    expect(headerOf(answer, 'www-authenticate')).toBe('Bearer');
  });

  it('401 / 1002: an invalid credential', async () => {
    for (const authorization of [
      'Bearer nonsense',
      'Bearer',
      'Basic dXNlcjpwYXNz',
      `bearer ${service.org.key}x`,
    ]) {
      const answer = await service.api.call('GET', '/v2/products', undefined, undefined, { authorization });
      expectFailure(answer, 401, [
        {
          path: null,
          reason: 'credential_invalid',
          message: 'the credential is malformed, unknown, expired or revoked',
        },
      ]);
      expect(headerOf(answer, 'www-authenticate')).toBe('Bearer error="invalid_token"');
    }
  });

  it('403 / 1003: a missing scope', async () => {
    const { apiKey } = await service.org.newKey({ scopes: ['inventory:read'] });
    const answer = await service.call('GET', '/v2/products', undefined, apiKey);
    expectFailure(answer, 403, [{ path: null, reason: 'scope_missing', message: 'needs products:read' }]);
  });

  it('404 / 1004: an object, with the parameter that names it; a path and a method that do not exist', async () => {
    const message = 'Product not found. Check id: your organization has no such product.';
    expectFailure(await service.call('GET', '/v2/products/NOPE'), 404, [
      { path: 'id', reason: 'not_found', message },
    ]);
    expectFailure(await service.call('GET', '/v2/nope'), 404, []);
    expectFailure(await service.call('DELETE', '/v2/products'), 404, []);
    // The path is checked first: other errors do not show.
    expectFailure(await service.api.call('POST', '/v2/nope', '{"half":'), 404, []);
    expectFailure(await service.api.call('GET', '/v2/products/'), 404, []);
  });

  it('429 / 1005: one request too many, and how long to wait', async () => {
    const limited = await startApi(service.db.database, { limiter: countingLimiter(service.db.clock) });
    const org = await newOrganization(service.db, { edition: 'ordinary' });
    const calls = Array.from({ length: 100 }, () => limited.call('GET', '/v2/whoami', undefined, org.key));
    for (const answer of await Promise.all(calls)) expect(answer.status).toBe(200);
    const answer = await limited.call('GET', '/v2/whoami', undefined, org.key);
    expectFailure(answer, 429, [{ path: null, reason: 'rate_limited', message: 'try again in 60 s' }]);
    expect(headerOf(answer, 'retry-after')).toBe('60');
    expect(headerOf(answer, 'ratelimit-policy')).toBe('"minute";q=100;w=60');
    expect(headerOf(answer, 'ratelimit')).toBe('"minute";r=0;t=60');
    await limited.close();
  });

  it('500 / 9999: a defect reveals nothing and has no Retry-After', async () => {
    await service.db.sql('alter table holds rename to holds_elsewhere');
    try {
      const answer = await service.call('GET', '/v2/stock/holds');
      expectFailure(answer, 500, []);
      expect(headerOf(answer, 'retry-after')).toBeUndefined();
    } finally {
      await service.db.sql('alter table holds_elsewhere rename to holds');
    }
    expect((await service.call('GET', '/v2/stock/holds')).status).toBe(200);
  });
});
