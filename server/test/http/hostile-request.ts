import fc from 'fast-check';
import { GTIN } from '../harness/index.js';

/** The keywords of JSON Schema that the generator reads. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  /** Things of this name that exist. */
  known?: readonly string[];
}

interface Parameter {
  name: string;
  in: string;
  schema?: Schema;
}

export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | null;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
    >
  >;
}

/** `known`: parameters of paths that exist, by path and name, beside those that always do. */
export const operationsOf = (
  document: unknown,
  known: (path: string, name: string) => readonly string[] | undefined = () => undefined,
): Operation[] =>
  Object.entries((document as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((parameter) => {
        const given = parameter.in === 'path' ? known(path, parameter.name) : undefined;
        return given ? { ...parameter, schema: { ...parameter.schema, known: given } } : parameter;
      }),
      body: operation.requestBody?.content['application/json']?.schema ?? null,
    })),
  );

export interface HostileRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | null;
  /** Which credential it carries: the caller knows the keys. */
  credential: 'full' | 'narrow' | 'none' | 'broken';
}

/** Things that exist, so that a part of the requests gets as far as the database. */
const KNOWN: Record<string, readonly string[]> = {
  productCode: [GTIN, '6901234567892', 'PUMP-1', 'GLOVE-1'],
  id: [GTIN, 'PUMP-1', 'GLOVE-1', 'NEW-1'],
  code: ['WH-1', 'SUP-1', 'HOSP-1', 'NEW-1'],
  warehouse: ['WH-1', 'WH-2'],
  from: ['WH-1', 'WH-2'],
  to: ['WH-1', 'WH-2'],
  supplierCode: ['SUP-1', 'HOSP-1', 'NEW-1'],
  customerCode: ['HOSP-1', 'SUP-1'],
  batchNo: ['B1', 'B2', ''],
  serials: ['S1', 'S2'],
  // URLs that never answer or are refused: a closed port, an unknown name, a private address, one with credentials.
  callbackUrl: [
    'http://127.0.0.1:9/hooks',
    'https://partner.example/hooks',
    'https://10.0.0.1/',
    'https://u:p@a.example',
  ],
  secret: ['sixteen letters!', `whsec_${'A'.repeat(43)}=`, 'short'],
};

const TEXTS = [
  '',
  ' ',
  'a',
  '*',
  '%',
  '_',
  '\\',
  "'; drop table x; --",
  '#{x}',
  '{{app}}',
  '../../etc',
  'NULL',
  'true',
  '-1',
  '1e3',
  '0x10',
  '９',
  '批次-1',
  'e\u0301',
  '\u202eabc',
  '🩺'.repeat(20),
  '\u0000',
  '\u0007',
  '\ud800',
  '\uffff',
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(3_000),
  'prd_00000000000000000000000000',
  'hld_01kaa0b9ynf9q8s3v1wzc5x7d2',
  '2026-02-30',
  '0001-01-01',
  '9999-12-31',
  '2026-11-15',
  '2026-11-15T10:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  '2026-11-15T24:00:00Z',
  'WyJwcm9kdWN0cyIsIkEiXQ',
  'WyJob2xkcyIsImEiXQ',
  ...['["webhooks","a"]', '["deliveries","-1"]', '["deliveries","9007199254740993"]'].map((text) =>
    Buffer.from(text).toString('base64url'),
  ),
];
const NUMBERS = [
  ...[0, -0, 1, -1, 1.5, 1_000, 2_000_000_000, -2_000_000_000, -2_000_000_001, 2_147_483_648],
  ...[2 ** 53 - 1, 2 ** 53, 1e308, 1e-308],
];

const hostileText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: { b: [] } }),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 30 }) },
);

/** A value that the schema allows, or nearly. */
function fitting(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const known = schema.known ?? KNOWN[name];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.format === 'date')
    return fc.constantFrom('2027-01-31', '2028-02-29', '0001-01-01', '9999-12-31');
  if (schema.format === 'date-time')
    return fc.constantFrom('2026-11-15T10:00:00Z', '2020-01-01T00:00:00.5Z', '0001-01-01T00:00:00Z');
  if (type === 'string' && known) return fc.constantFrom(...known);
  if (type === 'string') return fc.constantFrom('a', 'Reason', '批次', 'x@y.example');
  if (type === 'integer') {
    const small = fc.integer({ min: Math.max(-5, schema.minimum ?? -5), max: 20 });
    return fc.oneof({ weight: 20, arbitrary: small }, { weight: 1, arbitrary: fc.constant(2_000_000_000) });
  }
  if (type === 'number') return fc.double({ min: -10, max: 50, noNaN: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return fc.array(fitting(schema.items ?? {}, name), { maxLength: 3 });
  if (type === 'object') return fittingObject(schema);
  return hostileValue;
}

function fittingObject(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const model = Object.fromEntries(properties.map(([name, inner]) => [name, fitting(inner, name)]));
  return fc.record(model, { requiredKeys: schema.required ?? [] });
}

/** Up to three fields replaced, removed or added, at the top or one level down. */
const mutated = (base: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      base,
      fc.array(
        fc.record({
          at: fc.nat(20),
          below: fc.boolean(),
          how: fc.constantFrom('replace', 'replace', 'remove', 'add'),
          value: hostileValue,
        }),
        { maxLength: 3 },
      ),
    )
    .map(([whole, changes]) => {
      const copy = structuredClone(whole);
      for (const change of changes) change.below ? mutateBelow(copy, change) : mutate(copy, change);
      return copy;
    });

interface Change {
  at: number;
  how: string;
  value: unknown;
}

function mutate(target: unknown, { at, how, value }: Change): void {
  if (typeof target !== 'object' || target === null) return;
  const fields = target as Record<string, unknown>;
  const names = Object.keys(fields);
  const name = names[at % Math.max(1, names.length)];
  if (how === 'add') fields[`${typeof value === 'string' ? value : 'extra'}${at}`] = value;
  else if (name === undefined) return;
  else if (how === 'remove') delete fields[name];
  else fields[name] = value;
}

function mutateBelow(target: unknown, change: Change): void {
  const inner = Object.values((target as object | null) ?? {}).filter((value) => typeof value === 'object');
  mutate(inner[change.at % Math.max(1, inner.length)], change);
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
const fittingText = (schema: Schema | undefined, name: string): fc.Arbitrary<string> =>
  fitting(schema ?? {}, name).map((value) => encoded(String(value)));
const oddText = fc.oneof(
  { weight: 3, arbitrary: hostileText.map(encoded) },
  { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff', '%00', '%ED%A0%80', '+', '%2F', '..', '') },
);

const named = (operation: Operation, place: string) =>
  operation.parameters.filter((parameter) => parameter.in === place);

function pathOf(operation: Operation, odd: boolean): fc.Arbitrary<string> {
  const values = named(operation, 'path').map(({ name, schema }) =>
    odd ? oddText : fittingText(schema, name),
  );
  return fc.tuple(...values).map((texts) => {
    let at = 0;
    return operation.path.replace(/\{\w+\}/g, () => texts[at++] ?? '');
  });
}

const ODD_PARTS = [
  'limit=201',
  'limit=1&limit=2',
  'nope=1',
  'cursor=%00',
  '__proto__=1',
  '&&=',
  'limit[]=1',
  '?',
];

function queryOf(operation: Operation, odd: boolean): fc.Arbitrary<string> {
  const parts = named(operation, 'query')
    .filter(({ name }) => odd || name !== 'cursor')
    .map(({ name, schema }) =>
      (odd ? fc.oneof(oddText, fittingText(schema, name)) : fittingText(schema, name)).map(
        (value) => `${name}=${value}`,
      ),
    );
  const given = fc.tuple(...parts.map((part) => fc.option(part, { freq: odd ? 2 : 1, nil: null })));
  const extra = odd ? fc.option(fc.constantFrom(...ODD_PARTS), { nil: null }) : fc.constant(null);
  return fc.tuple(given, extra).map(([texts, more]) => {
    const query = [...texts, more].filter((part) => part !== null).join('&');
    return query === '' ? '' : `?${query}`;
  });
}

const ODD_HEADERS: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/xml',
      ';',
    ),
    'idempotency-key': fc.constantFrom('k1', 'k2', '', 'ÿ'.repeat(10), 'k'.repeat(255), 'k'.repeat(256)),
    'x-request-id': fc.constantFrom('fine-1', '', 'not fine', 'x'.repeat(200)),
    accept: fc.constantFrom('*/*', 'text/html', 'application/xml;q=0'),
    'x-forwarded-for': fc.constantFrom('10.0.0.1', 'nonsense'),
    'x-http-method-override': fc.constant('DELETE'),
    origin: fc.constantFrom('https://evil.example', 'null'),
    'accept-version': fc.constant('3.x'),
    'content-encoding': fc.constant('gzip'),
    range: fc.constant('bytes=0-1'),
    'if-none-match': fc.constant('*'),
  },
  { requiredKeys: ['content-type'] },
);

const RAW_BODIES = ['', '{', 'null', '[]', '"x"', '{"a":1e400}', '{"__proto__":1}', '\ufeff{}', '[['];

function bodyOf({ body }: Operation, odd: boolean): fc.Arbitrary<string | null> {
  if (body === null) return odd ? fc.constantFrom(null, '{}', '{') : fc.constant(null);
  if (!odd) return fitting(body, '').map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 8, arbitrary: mutated(fitting(body, '')).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom<string | null>(null, ...RAW_BODIES) },
  );
}

/** Mostly odd in one place only: a request that is wrong everywhere gets no further than the first check. */
const requestTo = (operation: Operation): fc.Arbitrary<HostileRequest> =>
  fc
    .constantFrom(
      'body',
      'body',
      'body',
      'query',
      'query',
      'path',
      'headers',
      'caller',
      'everything',
      'nothing',
    )
    .chain((place) => {
      const odd = (part: string) => place === part || place === 'everything';
      const { method } = operation;
      return fc.record({
        method: odd('caller')
          ? fc.constantFrom(method, 'HEAD', 'DELETE', 'PATCH', 'POST')
          : fc.constant(method),
        target: fc
          .tuple(pathOf(operation, odd('path')), queryOf(operation, odd('query')))
          .map((parts) => parts.join('')),
        headers: odd('headers') ? ODD_HEADERS : fc.constant({ 'content-type': 'application/json' }),
        body: bodyOf(operation, odd('body')),
        credential: odd('caller')
          ? fc.constantFrom('full', 'narrow', 'none', 'broken')
          : fc.constant<'full'>('full'),
      });
    });

/** A request to one of these operations in which something may be wrong, anywhere. */
export const hostileRequest = (operations: readonly Operation[]): fc.Arbitrary<HostileRequest> =>
  fc.oneof(...operations.map(requestTo));
