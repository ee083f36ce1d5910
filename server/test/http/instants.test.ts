import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, openTestService } from '../harness/index.js';
import { dereferenced } from './dereferenced.js';

/** Spellings of one instant that clients send; responses use the first. */
const SPELLINGS = [
  '2026-11-15T09:30:00.000Z',
  '2026-11-15T09:30:00Z',
  '2026-11-15t09:30:00z',
  '2026-11-15T09:30:00+00:00',
  '2026-11-15T09:30:00-00:00',
  '2026-11-15T17:30:00+08:00',
  '2026-11-15T17:30:00.0000000+0800',
  '2026-11-15T17:30:00+08',
  '2026-11-14T23:30:00.000000000-10:00',
] as const;
const OFFSET = '2026-11-15T17:30:00+08:00';

interface Schema {
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}
interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

let service: Awaited<ReturnType<typeof openTestService>>;
let operations: { method: string; path: string; operation: Operation }[];
beforeAll(async () => {
  service = await openTestService();
  const { paths } = dereferenced<{ paths: Record<string, Record<string, Operation>> }>(
    JSON.parse((await service.api.call('GET', '/v2/openapi.json')).text),
  );
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{[^}]+\}/g, 'X-1'),
      operation,
    })),
  );
});
afterAll(() => service.close());

/** Bodies that hold nothing but one instant each, one for every place where the schema takes one. */
function bodiesWith(schema: Schema, instant: string): { body: unknown; path: string }[] {
  if (schema.format === 'date-time') return [{ body: instant, path: '' }];
  if (schema.items)
    return bodiesWith(schema.items, instant).map(({ body, path }) => ({ body: [body], path: `/0${path}` }));
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    bodiesWith(property, instant).map(({ body, path }) => ({
      body: { [name]: body },
      path: `/${name}${path}`,
    })),
  );
}

const faultsAt = (json: { errors?: { path: string; reason: string }[] } | undefined, path: string) =>
  (json?.errors ?? []).filter((each) => each.path === path).map(({ reason }) => reason);

describe('an instant with an offset is taken', () => {
  it('by every query parameter that is one, escaped and with a bare +', async () => {
    const places = operations.flatMap(({ method, path, operation }) =>
      (operation.parameters ?? [])
        .filter((each) => each.in === 'query' && each.schema.format === 'date-time')
        .map(({ name }) => ({ method, path, name })),
    );
    expect(places.length).toBeGreaterThanOrEqual(15);
    for (const { method, path, name } of places) {
      for (const sent of [encodeURIComponent(OFFSET), OFFSET]) {
        const answer = await service.call(method, `${path}?${name}=${sent}`);
        expect([method, path, name, sent, faultsAt(answer.json, name)]).toEqual([
          ...[method, path, name, sent],
          [],
        ]);
      }
    }
  });

  it('by every body field that is one', async () => {
    const places = operations.flatMap(({ method, path, operation }) =>
      bodiesWith(operation.requestBody?.content['application/json']?.schema ?? {}, OFFSET).map((each) => ({
        ...each,
        method,
        route: path,
      })),
    );
    expect(places.length).toBeGreaterThanOrEqual(6);
    for (const { method, route, body, path } of places) {
      const answer = await service.call(method, route, body);
      expect([method, route, path, faultsAt(answer.json, path)]).toEqual([method, route, path, []]);
    }
  });

  it('as the end of a key, where a date may stand too', async () => {
    const { keyId } = await service.org.newKey({ expires: '2030-01-01T08:00:00+08:00' });
    const shown = await service.call<{ expiresAt: string }>('GET', `/v2/settings/keys/${keyId}`);
    expect(shown.data.expiresAt).toBe('2030-01-01T00:00:00.000Z');
  });
});

describe('one instant in several spellings is one', () => {
  it('for readings: the first is stored, the others are duplicates, in one batch and between batches', async () => {
    const point = { name: 'Cold room', warehouse: 'WH-1', temperature: { min: 2, max: 8 } };
    expect((await service.call('PUT', '/v2/environment/points/P-1', point)).status).toBe(200);
    const post = (instants: readonly string[]) =>
      service.call<{ stored: number; duplicates: number }>('POST', '/v2/environment/readings', {
        readings: instants.map((at, i) => ({ pointId: 'P-1', at, temperature: 4 + i / 10 })),
      });
    const half = SPELLINGS.length - 4;
    expect((await post(SPELLINGS.slice(0, half))).data).toMatchObject({ stored: 1, duplicates: half - 1 });
    expect((await post(SPELLINGS.slice(half))).data).toMatchObject({ stored: 0, duplicates: 4 });
    const kept = await service.call<{ items: { at: string; temperature: number }[] }>(
      'GET',
      '/v2/environment/readings?pointId=P-1',
    );
    expect(kept.data.items).toEqual([expect.objectContaining({ at: SPELLINGS[0], temperature: 4 })]);
  });

  it('for an Idempotency-Key: the request is the same, and is answered from what was kept', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const answers = [];
    for (const occurredAt of SPELLINGS) {
      const body = {
        ...{ productCode: GTIN, warehouse: 'WH-1', batchNo: 'SPELT', quantityDelta: 1 },
        ...{ expiryDate: '2028-01-01', reason: 'count', occurredAt },
      };
      const answer = await service.call<{ movements: unknown[] }>(
        'POST',
        '/v2/stock/adjustments',
        body,
        service.org.key,
        key,
      );
      answers.push([answer.status, answer.text]);
    }
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    const movements = await service.call<{ items: { occurredAt: string }[] }>(
      'GET',
      `/v2/stock/movements?productCode=${GTIN}&batchNo=SPELT`,
    );
    expect(movements.data.items.map(({ occurredAt }) => occurredAt)).toEqual([SPELLINGS[0]]);
  });

  it('for a filter: each spelling, with its + escaped or not, finds the same', async () => {
    const moment = service.db.clock.now();
    const spelt = (ms: number) => {
      const local = new Date(moment.getTime() + ms + 8 * 3_600_000).toISOString().replace('Z', '+08:00');
      return [new Date(moment.getTime() + ms).toISOString(), local, encodeURIComponent(local)];
    };
    for (const since of spelt(0)) {
      const found = await service.call<{ items: unknown[] }>('GET', `/v2/products?updatedSince=${since}`);
      expect([since, found.data?.items.length]).toEqual([since, 3]);
    }
    for (const since of spelt(1)) {
      const found = await service.call<{ items: unknown[] }>('GET', `/v2/products?updatedSince=${since}`);
      expect([since, found.data?.items.length]).toEqual([since, 0]);
    }
  });
});

describe('what is no instant', () => {
  it.each(['2026-11-15T10:00:00', '2026-11-15', '2026-11-15T24:00:00Z', '2026-11-15T10:00:00 08:00'])(
    '%s in a body is refused with the form that is asked for',
    async (at) => {
      const answer = await service.call('POST', '/v2/environment/readings', {
        readings: [{ pointId: 'P-1', at, temperature: 5 }],
      });
      expect(answer.json.errors).toEqual([
        {
          path: '/readings/0/at',
          reason: 'bad_format',
          message:
            'must be an RFC 3339 date-time with an offset, such as 2026-11-15T10:00:00Z or 2026-11-15T18:00:00+08:00',
        },
      ]);
    },
  );
});
