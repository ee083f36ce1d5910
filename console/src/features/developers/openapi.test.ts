import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ApiDocument, choicesOf, fieldsOf, operationsOf, sampleOf } from './openapi.js';

const path = new URL('../../../../server/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(path, 'utf8')) as ApiDocument;

describe('the document of the service', () => {
  const operations = operationsOf(document);

  it('gives every operation that a key can call, once', () => {
    expect(operations.length).toBeGreaterThan(100);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(operations.map(({ path }) => path)).not.toContain('/v2/session');
  });

  it('gives a body to every operation that takes one', () => {
    const order = operations.find(({ id }) => id === 'createOrder');
    expect(order?.body).toMatchObject({ orderNo: expect.any(String), lines: [expect.anything()] });
    for (const { method, body, id } of operations)
      if (method === 'POST') expect(typeof body, id).toBe('object');
  });

  it('gives the values of a parameter that has only some, of a list of them too', () => {
    const { parameters = [] } = operations.find(({ id }) => id === 'listProducts') ?? {};
    const choices = Object.fromEntries(parameters.map(({ name, schema }) => [name, choicesOf(schema)]));
    expect(choices).toMatchObject({
      q: null,
      riskClass: ['I', 'II', 'III'],
      task: ['products_low'],
      count: ['true', 'false'],
    });
  });

  it.each(Object.keys(document.webhooks))('has a sample and the fields of %s', (name) => {
    const schema = document.webhooks[name]?.post.requestBody?.content['application/json']?.schema ?? {};
    expect(sampleOf(schema, document)).toMatchObject({ eventType: name, data: expect.any(Object) });
    const fields = fieldsOf(schema, document);
    expect(fields.map((field) => field.path)).toContain('eventType');
    expect(fields.some((field) => field.path.startsWith('data.'))).toBe(true);
  });
});
