import { describe, expect, it } from 'vitest';
import { missingOf, requestOf, SNIPPETS } from './requests.js';

const operation = {
  method: 'GET',
  path: '/v2/orders/{orderId}',
  parameters: [
    { name: 'orderId', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'status', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
  ],
} as const;

describe('a request', () => {
  it('has its parameters where they belong, encoded', () => {
    const values = { orderId: 'a/b ?', status: 'approved, dispatched', limit: '' };
    expect(requestOf(operation, values, null, 'https://lotward.example')).toEqual({
      method: 'GET',
      url: 'https://lotward.example/v2/orders/a%2Fb%20%3F?status=approved&status=dispatched',
      body: null,
      path: '/v2/orders/{orderId}',
      pathValues: { orderId: 'a/b ?' },
    });
  });

  it('names what is missing', () => expect(missingOf(operation, { orderId: ' ' })).toEqual(['orderId']));
});

describe('a copied request', () => {
  const write = {
    method: 'POST',
    url: 'https://lotward.example/v2/orders?dryRun=true',
    body: `{ "remark": "it's" }`,
    path: '/v2/orders',
    pathValues: {},
  };

  it('never contains a key', () => {
    for (const snippet of Object.values(SNIPPETS)) expect(snippet(write)).toContain('LOTWARD_API_KEY');
  });

  it('is one that a shell reads as it was written', () => {
    expect(SNIPPETS.curl(write)).toBe(
      [
        `curl -sS -X POST 'https://lotward.example/v2/orders?dryRun=true'`,
        `  -H "Authorization: Bearer $LOTWARD_API_KEY"`,
        `  -H "Idempotency-Key: $(uuidgen)"`,
        `  -H 'Content-Type: application/json'`,
        `  -d '{ "remark": "it'\\''s" }'`,
      ].join(' \\\n'),
    );
  });

  it('calls the client with query and body', () => {
    expect(SNIPPETS.TypeScript(write)).toContain(
      `lotward.post('/v2/orders', { query: {"dryRun":"true"}, body: { "remark": "it's" } })`,
    );
  });

  it('names the path of the client, which checks it', () => {
    const read = requestOf(operation, { orderId: 'ord_1' }, null, 'https://lotward.example');
    expect(SNIPPETS.TypeScript(read)).toContain(
      `lotward.get('/v2/orders/{orderId}', { path: {"orderId":"ord_1"} })`,
    );
  });

  it('is Python with the body as text that it parses', () => {
    expect(SNIPPETS.Python(write)).toContain(`json.loads("{ \\"remark\\": \\"it's\\" }")`);
  });
});
