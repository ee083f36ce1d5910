/** Part of a JSON document. */
type Json = { [name: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const REF = '#/components/schemas/';
const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const nameIn = (schema: unknown): string | null =>
  isObject(schema) && typeof schema.$ref === 'string' && schema.$ref.startsWith(REF)
    ? schema.$ref.slice(REF.length)
    : null;

/**
 * Named schemas, written once and replaced by references where they occur, so that a generated client has one type for each.
 */
export class NamedSchemas {
  readonly #schemas = new Map<string, { text: string; schema: Json }>();

  /** The same schema with its named parts replaced by references; a named one by a reference to itself. */
  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.refer(part));
    if (!isObject(schema)) return schema;
    const present = withoutNull(schema);
    if (present) return { anyOf: [this.refer(present), { type: 'null' }] };
    const { title, ...rest } = Object.fromEntries(
      Object.entries(schema).map(([name, part]) => [name, this.refer(part)]),
    );
    return typeof title === 'string' && rest.type === 'object'
      ? this.define(title, rest)
      : withTitle(title, rest);
  }

  define(name: string, schema: Json): Json {
    // A description beside a use belongs to the use.
    const { description, ...shape } = schema;
    const text = JSON.stringify(shape);
    const known = this.#schemas.get(name);
    if (known && known.text !== text) throw new Error(`two schemas are named ${name}`);
    if (!known) this.#schemas.set(name, { text, schema: shape });
    const reference = { $ref: `${REF}${name}` };
    return description === undefined ? reference : { ...reference, description };
  }

  /** The body of a successful response: named after its data, or else after its operation. */
  referEnvelope(operationId: string, schema: unknown): unknown {
    const referred = this.refer(schema);
    if (!isObject(referred) || !isObject(referred.properties)) return referred;
    const dataName = nameIn(referred.properties.data);
    return this.define(`${dataName ?? capitalized(operationId)}Response`, referred);
  }

  referBody(operationId: string, schema: unknown): unknown {
    const referred = this.refer(schema);
    const isInline = isObject(referred) && referred.type === 'object';
    return isInline ? this.define(`${capitalized(operationId)}Request`, referred) : referred;
  }

  /** By name, sorted. */
  get all(): Record<string, Json> {
    return Object.fromEntries(
      [...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { schema }]) => [name, schema]),
    );
  }
}

/**
 * An object or one of several values that may also be null, without the null; null for any other schema. Validation is faster
 * with both in one, but a generated client then has a type for each of their combinations.
 */
function withoutNull(schema: Json): Json | null {
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || !type.includes('null')) return null;
  const [only, ...others] = type.filter((each) => each !== 'null');
  if (others.length > 0 || !(only === 'object' || Array.isArray(values))) return null;
  return {
    ...schema,
    type: only,
    ...(Array.isArray(values) ? { enum: values.filter((each) => each !== null) } : {}),
  };
}

const withTitle = (title: unknown, rest: Json): Json => (title === undefined ? rest : { ...rest, title });
