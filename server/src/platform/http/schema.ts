import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

/** Wire shapes that every slice shares. */

// The pattern of all names: no control characters, no space at either end.
const PRINTABLE = '^[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$';

export const Text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: PRINTABLE, ...(description ? { description } : {}) });

/** Multi-line text. */
export const Prose = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
  });

export const Code = (description?: string) => Text(64, description);
export const Email = () =>
  Type.String({ maxLength: 254, pattern: '^[^\\s@\\u0000-\\u001f]+@[^\\s@\\u0000-\\u001f]+$' });
export const DateText = (description?: string) =>
  Type.String({ format: 'date', ...(description ? { description } : {}), examples: ['2028-01-01'] });
export const Instant = (description?: string) =>
  Type.String({
    format: 'date-time',
    ...(description ? { description } : {}),
    examples: ['2026-11-15T10:00:00Z'],
  });

/** The version of a record that is changed with `If-Match`. */
export const Version = () =>
  Type.Integer({ minimum: 1, description: 'Rises by one with every change. For `If-Match`, in quotes.' });

/** Quantities fit PostgreSQL's integer. */
export const QUANTITY_MAX = 2_000_000_000;
export const Quantity = (minimum = 0) => Type.Integer({ minimum, maximum: QUANTITY_MAX });

export const OneOf = <const V extends readonly string[]>(values: V, description?: string) =>
  Type.Unsafe<V[number]>(Type.String({ enum: [...values], ...(description ? { description } : {}) }));

/** `type: ["string", "null"]` rather than `anyOf`: cheap to validate and to serialize. */
export function Nullable<S extends TSchema>(schema: S) {
  const plain = schema as unknown as { type: string; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({
    ...plain,
    type: [plain.type, 'null'],
    ...(plain.enum ? { enum: [...plain.enum, null] } : {}),
  } as unknown as TSchema);
}

/** An object that refuses unknown fields. */
export const Strict = <P extends TProperties>(
  properties: P,
  options: { description?: string } = {},
): TObject<P> => Type.Object(properties, { additionalProperties: false, ...options });

/** A query parameter that may be given several times. The route always gets an array. */
export const Repeated = <S extends TSchema>(item: S, maxItems: number, description?: string) =>
  Type.Array(item, { minItems: 1, maxItems, ...(description ? { description } : {}) });

/** A filter by one of several known values. */
export const AnyOf = <const V extends readonly string[]>(values: V) =>
  Repeated(OneOf(values), values.length, 'Repeat the parameter to match any of several values.');

/** A filter of a list by the kinds of tasks that the overview counts. */
export const TaskFilter = <const V extends readonly string[]>(kinds: V, more = '') =>
  Type.Optional(
    OneOf(
      kinds,
      `Only items that need your action, the same that \`needsMe\` of the overview counts. ${more}`.trim(),
    ),
  );

export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: 'Items per page; 50 when not given.' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 3072, description: 'The `nextCursor` of the page before.' }),
  ),
};

/** An object with a name of its own in the API document, where it is written once. */
export const Model = <P extends TProperties>(name: string, properties: P, options: object = {}) =>
  Type.Object(properties, { ...options, title: name });

/** The name that a schema has in the API document. */
const nameOf = (schema: TSchema): string | undefined =>
  'title' in schema && typeof schema.title === 'string' ? schema.title : undefined;

/** The limit of a count: nobody compares twenty thousand rows with thirty thousand. */
export const COUNTED_MAX = 10_000;

export const TotalView = Model(
  'ListTotal',
  {
    count: Type.Integer({ minimum: 0, maximum: COUNTED_MAX }),
    isExact: Type.Boolean({ description: `False: there are more than ${COUNTED_MAX}.` }),
  },
  { description: 'How many items the list has with these filters. With `count=true`, on the first page.' },
);

/** Part of a number, name or code, as a filter of a list. */
export const SearchText = (found: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `Any part of ${found}, in any case; several words in any order.`,
    }),
  );

export const PageOf = <S extends TSchema>(item: S) => pageOf(item, {});

/** A page that may say how many items there are. */
export const CountedPageOf = <S extends TSchema>(item: S) =>
  pageOf(item, { total: Type.Optional(TotalView) });

const pageOf = <S extends TSchema, P extends TProperties>(item: S, more: P) => {
  const name = nameOf(item);
  return Type.Object(
    { items: Type.Array(item), nextCursor: Nullable(Type.String()), ...more },
    name === undefined ? {} : { title: `${name}Page` },
  );
};

export const PAGE_LIMIT_DEFAULT = 50;
