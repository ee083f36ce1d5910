import { useQuery } from '@tanstack/react-query';

/** The part of an OpenAPI document that the developer pages read. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  example?: unknown;
  examples?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}
interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}
export interface Content {
  schema: Schema;
  example?: unknown;
}
interface Described {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  /** Empty if it needs no credential, such as signing in. */
  security?: unknown[];
  'x-scope'?: string | null;
  'x-console'?: string;
}
export interface ApiDocument {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: Described }>;
  components: { schemas: Record<string, Schema> };
}

/** The document of this very service, so that everything it describes can be called. */
export const useApiDocument = () =>
  useQuery({
    queryKey: ['openapi'],
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }): Promise<ApiDocument> {
      const answer = await fetch('/v2/openapi.json', { signal });
      if (!answer.ok) throw new Error(`the API description could not be loaded: ${answer.status}`);
      return answer.json() as Promise<ApiDocument>;
    },
  });

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  area: string;
  scope: string | null;
  parameters: readonly Parameter[];
  /** A sample body; null if the operation has none. */
  body: unknown;
}

/** The operations that a key can call, in document order. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Operation[] => {
      const isForKeys = operation['x-console'] === 'not needed' && operation.security?.length !== 0;
      if (!isForKeys || !operation.operationId) return [];
      const content = operation.requestBody?.content['application/json'];
      return [
        {
          id: operation.operationId,
          method: method.toUpperCase(),
          path,
          summary: operation.summary ?? path,
          description: operation.description ?? '',
          area: operation.tags?.[0] ?? '',
          scope: operation['x-scope'] ?? null,
          parameters: (operation.parameters ?? []).filter((each) => each.in !== 'header'),
          body: content ? (content.example ?? sampleOf(content.schema, document)) : null,
        },
      ];
    }),
  );
}

/** The values that a parameter, or each item of its list, can have; null for free text. */
export function choicesOf({ type, items, enum: values }: Schema): string[] | null {
  if (type === 'array') return items ? choicesOf(items) : null;
  if (type === 'boolean') return ['true', 'false'];
  return values?.map(String) ?? null;
}

const resolve = (schema: Schema, { components }: ApiDocument): Schema =>
  schema.$ref ? (components.schemas[schema.$ref.split('/').pop() ?? ''] ?? {}) : schema;

const typeOf = ({ type, properties }: Schema): string =>
  (Array.isArray(type) ? type.find((each) => each !== 'null') : type) ?? (properties ? 'object' : 'string');

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-15T10:00:00Z',
  date: '2026-11-15',
  email: 'name@example.com',
};

/** A sample value for a schema: its own example, otherwise one made of its parts. */
export function sampleOf(given: Schema, document: ApiDocument): unknown {
  const schema = resolve(given, document);
  const shown = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0];
  if (shown !== undefined) return shown;
  const [first] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (first) return sampleOf(first, document);
  const type = typeOf(schema);
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, each]) => [name, sampleOf(each, document)]),
    );
  if (type === 'array') return schema.items ? [sampleOf(schema.items, document)] : [];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  return TEXTS[schema.format ?? ''] ?? 'string';
}

export interface SchemaField {
  /** `lines[].batchNo`. */
  path: string;
  type: string;
  description: string;
}

/** The fields of an object and their subfields, as a list. */
export function fieldsOf(given: Schema, document: ApiDocument, prefix = ''): SchemaField[] {
  const { properties = {} } = resolve(given, document);
  return Object.entries(properties).flatMap(([name, each]) => {
    const field = resolve(each, document);
    const items = field.items && resolve(field.items, document);
    const path = `${prefix}${name}`;
    if (field.properties) return fieldsOf(field, document, `${path}.`);
    if (items?.properties) return fieldsOf(items, document, `${path}[].`);
    return [{ path, type: describe(field, items), description: field.description ?? '' }];
  });
}

function describe(field: Schema, items: Schema | undefined): string {
  const names = [field.type ?? field.anyOf?.map(({ type }) => type) ?? 'any'].flat(2).join(' | ');
  if (items) return `${typeOf(items)}[]`;
  return field.format ? `${names} (${field.format})` : names;
}
