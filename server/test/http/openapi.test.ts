import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverUntil, toLoopback } from '../access/pushes.js';
import { openReceiver, openTestService, type Receiver } from '../harness/index.js';
import { TABLE } from './error-table.js';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: object;
}
interface Media {
  schema: object;
  example?: unknown;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content: Record<string, Media> }>;
  'x-scope': string | null;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
  security: object[];
}

let service: Awaited<ReturnType<typeof openTestService>>;
let receiver: Receiver;
let text: string;
let document: Document;
let operations: [name: string, path: string, operation: Operation][];
beforeAll(async () => {
  service = await openTestService({ alone: true, webhooks: toLoopback });
  receiver = await openReceiver();
  receiver.answer = () => 500;
  text = (await service.api.call('GET', '/v2/openapi.json')).text;
  document = JSON.parse(text);
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      `${method} ${path}`,
      path,
      operation,
    ]),
  );
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Reads outside `/v2` return a file or a stream, not the envelope. */
const isFile = (name: string, path: string) => name.startsWith('get ') && !path.startsWith('/v2/');

const REFERENCE = /^#\/components\/schemas\/(\w+)$/;
const nameOf = (schema: object | undefined): string | undefined =>
  schema && '$ref' in schema ? REFERENCE.exec(String(schema.$ref))?.[1] : undefined;
const resolved = (schema: object | undefined) => document.components.schemas[nameOf(schema) ?? ''] ?? schema;
/** Compiles schemas that refer to those of the document, each of which is compiled once. */
function compiler(options: ConstructorParameters<typeof Ajv2020>[0]) {
  const ajv = new Ajv2020(options);
  ajv.addSchema({ components: document.components }, 'document');
  return (schema: object | undefined) =>
    ajv.compile(
      schema
        ? JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
        : false,
    );
}

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 of version 2.1, public, and the one kept in the repository', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.version).toMatch(/^2\.1\.\d+$/);
    const kept = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(kept), 'made anew by npm run generate').toEqual(document);
  });

  it('names every answer of the table for every operation, and no other', () => {
    expect(operations.length).toBeGreaterThanOrEqual(20);
    for (const [name, path, operation] of operations) {
      const { 304: notModified, ...others } = operation.responses;
      expect([name, Object.keys(others).sort()]).toEqual([name, Object.keys(TABLE)]);
      const hasTag = operation.parameters?.some((parameter) => parameter.name === 'If-None-Match') ?? false;
      expect([name, notModified !== undefined]).toEqual([name, hasTag]);
      for (const [status, response] of Object.entries(others)) {
        expect(response.description).not.toBe('');
        const schema = response.content['application/json']?.schema;
        if (status === '200' && isFile(name, path))
          for (const [mediaType, media] of Object.entries(response.content)) {
            expect(mediaType).toMatch(
              /^(image\/(svg\+xml|png|jpeg)|text\/(csv|event-stream)|application\/(pdf|zpl))$/,
            );
            expect(media).toMatchObject({ schema: { type: 'string' } });
          }
        else if (status === '200')
          expect(resolved(schema)).toMatchObject({ type: 'object', required: ['code', 'message', 'data'] });
        else expect(schema).toEqual({ $ref: '#/components/schemas/Failure' });
      }
    }
  });

  it('names the tag of resources by their identity and of the lists of the catalogue', () => {
    const tagged = operations.filter(([, , { responses }]) => '304' in responses).map(([name]) => name);
    expect(tagged).toEqual(expect.arrayContaining(['get /v2/products', 'get /v2/orders/{orderId}']));
    expect(tagged).not.toContain('get /v2/inventory');
    for (const name of tagged) expect(name).toMatch(/^get .*(\}|\/(products|partners|warehouses|settings))$/);
  });

  it('gives every operation a name of its own, fit for a function', () => {
    const names = operations.map(([, , { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-zA-Z]+$/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['listProducts', 'approveOrder', 'traceUdi', 'signIn']));
  });

  it('names every body and every response, and writes each of them once', () => {
    const { schemas } = document.components;
    for (const [name, path, { requestBody, responses }] of operations) {
      const body = requestBody?.content['application/json']?.schema;
      if (body) expect([name, nameOf(body)]).toEqual([name, expect.any(String)]);
      const answer = responses['200']?.content['application/json']?.schema;
      if (!isFile(name, path))
        expect([name, nameOf(answer)]).toEqual([name, expect.stringMatching(/Response$/)]);
    }
    const used = (path: string, method = 'get') =>
      resolved(document.paths[path]?.[method]?.responses['200']?.content['application/json']?.schema);
    const data = (name: string) => ({ properties: { data: { $ref: `#/components/schemas/${name}` } } });
    expect(used('/v2/orders/{orderId}')).toMatchObject(data('Order'));
    expect(used('/v2/orders/{orderId}/approve', 'post')).toBe(used('/v2/orders/{orderId}'));
    expect(used('/v2/orders')).toMatchObject(data('OrderPage'));
    expect(schemas.OrderPage).toMatchObject({
      properties: { items: { items: { $ref: '#/components/schemas/Order' } } },
    });
    // Each shape of data has one name, and each name is in use.
    const names = Object.keys(schemas);
    for (const name of names) expect(text, name).toContain(`"#/components/schemas/${name}"`);
    const shapes = names
      .filter((name) => !/(Request|Response)$/.test(name))
      .map((name) => JSON.stringify(schemas[name]));
    expect(shapes.length).toBeGreaterThan(50);
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('its examples are as its schemas say, and most operations have one', () => {
    const compile = compiler({ strict: false, validateFormats: false });
    let shown = 0;
    for (const [name, , { requestBody, responses }] of operations)
      for (const media of [requestBody, responses['200']].map((each) => each?.content['application/json'])) {
        if (media?.example === undefined) continue;
        shown++;
        const validate = compile(media.schema);
        expect([name, validate(media.example), validate.errors]).toEqual([name, true, null]);
      }
    expect(shown).toBeGreaterThan(200);
  });

  it('describes every area that its operations belong to, and no other', () => {
    const described = document.tags.map(({ name }) => name);
    expect(new Set(operations.flatMap(([, , { tags }]) => tags))).toEqual(new Set(described));
  });

  it('describes exactly the parameters that a path has', () => {
    for (const [name, path, operation] of operations) {
      const parameters = operation.parameters ?? [];
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const declared = parameters.filter((parameter) => parameter.in === 'path');
      expect([name, declared.map((parameter) => parameter.name)]).toEqual([name, inPath]);
      for (const parameter of declared) expect(parameter.required).toBe(true);
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect([name, new Set(keys).size]).toEqual([name, keys.length]);
      expect(path).toMatch(/^\/(stream|(v2|labels|exports|files)\/[a-z0-9/{}A-Z.-]+)$/);
      expect(operation.summary).not.toBe('');
      expect(operation.tags).toHaveLength(1);
      expect(operation).toHaveProperty('x-scope');
      if (/^(post|patch) /.test(name)) expect(keys).toContain('header Idempotency-Key');
      const isMergePatch = name.startsWith('patch ') && keys.includes('header If-Match');
      const isUpload = path.startsWith('/files/');
      if (isUpload && operation.requestBody)
        expect(operation.requestBody.content).toHaveProperty(['application/pdf']);
      else if (operation.requestBody)
        expect(Object.keys(operation.requestBody.content)).toEqual([
          'application/json',
          ...(isMergePatch ? ['application/merge-patch+json'] : []),
        ]);
    }
  });

  it('holds nothing but JSON Schema that compiles, and references that lead somewhere', () => {
    const ajv = new Ajv2020({ strict: false, formats: { date: true, 'date-time': true } });
    for (const [name, , operation] of operations) {
      const schemas = [
        ...(operation.parameters ?? []).map((parameter) => parameter.schema),
        ...Object.values(operation.requestBody?.content ?? {}).map((content) => content.schema),
        operation.responses['200']?.content['application/json']?.schema ?? {},
      ];
      for (const schema of schemas) expect([name, ajv.validateSchema(schema)]).toEqual([name, true]);
    }
    for (const [, reference] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas).toHaveProperty(String(reference));
    expect([...text.matchAll(/"\$ref":"(?!#\/components\/)/g)]).toEqual([]);
    // Left over from OpenAPI 3.0, and without meaning in 3.1.
    expect(text).not.toMatch(/"nullable":|"exclusiveMinimum":(true|false)/);
  });

  it('describes the very answers that are given', async () => {
    const compile = compiler({ strict: false, formats: { date: true, 'date-time': true } });
    const failure = compile(document.components.schemas.Failure ?? {});
    for (const path of ['/v2/nope', '/v2/products?limit=0']) {
      const { json } = await service.call('GET', path);
      expect([path, failure(json), failure.errors]).toEqual([path, true, null]);
    }
    for (const path of ['/v2/products', '/v2/partners', '/v2/warehouses', '/v2/whoami', '/v2/audit']) {
      const schema = document.paths[path]?.get?.responses['200']?.content['application/json']?.schema;
      const valid = compile(schema);
      const { json } = await service.call('GET', path);
      expect([path, valid(json), valid.errors]).toEqual([path, true, null]);
    }
  });

  it('describes the very answers about webhooks, before and after something was pushed', async () => {
    const compile = compiler({ strict: false, formats: { date: true, 'date-time': true } });
    const ids: Record<string, string> = {};
    const ask = async <D>(method: string, path: string, body?: object, query = ''): Promise<D> => {
      const operation = document.paths[path]?.[method.toLowerCase()];
      const valid = compile(operation?.responses['200']?.content['application/json']?.schema);
      const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => String(ids[name])) + query;
      const { json, data } = await service.call<D>(method, target, body);
      expect([method, path, valid(json), valid.errors]).toEqual([method, path, true, null]);
      return data;
    };
    const one = '/v2/webhooks/{webhookId}';
    const readAll = async () => {
      await ask('GET', '/v2/webhooks');
      await ask('GET', one);
      await ask('GET', `${one}/health`);
      await ask(
        'GET',
        `${one}/completeness`,
        undefined,
        '?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z',
      );
      return ask<{ items: { deliveryId: string; attempts: object[] }[] }>('GET', `${one}/deliveries`);
    };
    const body = { callbackUrl: receiver.url(), eventTypes: ['inventory.low_stock'] };
    Object.assign(ids, await ask<object>('POST', '/v2/webhooks', body));
    expect((await readAll()).items).toEqual([]);
    const short = { productName: 'Gloves', tracking: 'none', safetyStock: 5 };
    expect((await service.call('PUT', '/v2/products/GLOVE-1', short)).status).toBe(200);
    await deliverUntil(service.db, async () => (await readAll()).items[0]?.attempts.length === 1);
    Object.assign(ids, (await readAll()).items[0]);
    await ask('GET', `${one}/deliveries/{deliveryId}`);
    await ask('POST', `${one}/deliveries/{deliveryId}/redeliver`, {});
    await ask('POST', `${one}/test`, {});
    await ask('POST', `${one}/rotate-secret`, {});
    await ask('POST', `${one}/recover`, { since: '2026-01-01T00:00:00Z' });
    await ask('PATCH', one, { status: 'disabled' });
    await readAll();
    await ask('POST', `${one}/enable`, {});
    await ask('DELETE', one);
  });

  it('says how to authenticate, for every operation', () => {
    expect(document.security).toEqual([{ bearer: [] }, { oauth: [] }, { session: [] }]);
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth/token' } } },
      session: { type: 'apiKey', in: 'cookie' },
    });
  });
});
