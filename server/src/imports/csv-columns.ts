import type { TSchema } from 'typebox';

/** The part of a JSON schema that decides how a cell is parsed. */
interface Shape {
  type?: string | readonly string[];
  format?: string;
  properties?: Readonly<Record<string, Shape>>;
  items?: Shape;
}

type Reader = (text: string) => unknown;

export interface Column {
  /** The field's name in the API; a field of an object has a dot: `storage.temperatureMin`. */
  name: string;
  field: string;
  /** The field within an object, if the field is one. */
  inner: string | undefined;
  read: Reader;
}

/** Derived from the schema, so that a new field is a new column. */
export const columnsOf = (schema: TSchema): Column[] => fieldsOf(schema as Shape, '');

function fieldsOf(shape: Shape, prefix: string): Column[] {
  return Object.entries(shape.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    if (isA(property, 'object')) return fieldsOf(property, `${name}.`);
    const [field = name, inner] = name.split('.');
    return [{ name, field, inner, read: readerOf(property) }];
  });
}

const isA = (shape: Shape, type: string): boolean => [shape.type].flat().includes(type);

/** The request body of a row. An empty cell is an absent field. */
export function bodyOf(columns: readonly Column[], cells: readonly string[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  columns.forEach(({ field, inner, read }, i) => {
    const cell = clean(cells[i] ?? '');
    if (cell === '') return;
    if (inner === undefined) body[field] = read(cell);
    else body[field] = { ...(body[field] as object | undefined), [inner]: read(cell) };
  });
  return body;
}

/** No field of the API holds line breaks; a spreadsheet's cell may. Exports put an apostrophe before a formula. */
const clean = (cell: string): string =>
  cell
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .trim()
    .replace(/^'(?=[=+\-@])/, '');

/** A cell that does not parse stays text, so that the schema reports what is wrong with it. */
function readerOf(shape: Shape): Reader {
  if (isA(shape, 'array')) {
    const readItem = shape.items?.properties
      ? objectReader(shape.items.properties)
      : readerOf(shape.items ?? {});
    return (text) => partsOf(text, ';').map(readItem);
  }
  if (isA(shape, 'boolean')) return (text) => BOOLEANS.get(text.toLowerCase()) ?? text;
  if (isA(shape, 'number') || isA(shape, 'integer'))
    return (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  // An empty cell is an absent field, so a date that may be null needs a word to say so.
  if (shape.format === 'date' && isA(shape, 'null')) return (text) => (text === NO_DATE ? null : text);
  return (text) => text;
}

const NO_DATE = 'none';

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

const partsOf = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A field of an object in a list. A list in it uses a different separator; without items it is an absent field. */
function innerReaderOf(shape: Shape): Reader {
  if (!isA(shape, 'array')) return readerOf(shape);
  const readItem = readerOf(shape.items ?? {});
  return (text) => (text === '' ? undefined : partsOf(text, '|').map(readItem));
}

/**
 * An object in a list is written as its fields in their order: `udiDi:level:quantity`, or with lists
 * `II|III:6846|02*:implantable`.
 */
function objectReader(properties: Readonly<Record<string, Shape>>): Reader {
  const fields = Object.entries(properties).map(([name, shape]) => ({ name, read: innerReaderOf(shape) }));
  return (text) => {
    const parts = text.split(':');
    // The leading identifier may itself contain colons.
    const first = parts.splice(0, Math.max(1, parts.length - fields.length + 1)).join(':');
    const values = [first, ...parts].map((part) => part.trim());
    return Object.fromEntries(
      fields
        .slice(0, values.length)
        .map(({ name, read }, i) => [name, read(values[i] ?? '')])
        .filter(([, value]) => value !== undefined),
    );
  };
}

/** The column an issue of the API is about: `/packaging/0/quantity` is about `packaging`. */
export function columnAt(columns: readonly Column[], pointer: string | null): string | null {
  const path = (pointer ?? '').split('/').slice(1).join('.');
  const known = columns.find(({ name }) => path === name || path.startsWith(`${name}.`));
  return known?.name ?? (path === '' ? null : path);
}
