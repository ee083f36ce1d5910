/** PostgreSQL column types and the TypeScript types of their values. */
interface ColumnTypes {
  text: string;
  integer: number;
  bigint: number;
  float8: number;
  numeric: string;
  boolean: boolean;
  date: string;
  timestamptz: Date;
  bytea: Buffer;
  /** Written as JSON text. */
  jsonb: string;
  /** JSON as `JSON.stringify` writes it, without line breaks; text in the statement. */
  lines: string;
}

type Columns = Readonly<Record<string, keyof ColumnTypes>>;
type Row<C extends Columns> = { readonly [K in keyof C]: ColumnTypes[C[K]] | null };
type Arrays<C extends Columns> = { readonly [K in keyof C]: readonly (ColumnTypes[C[K]] | null)[] };
/** Makes a row with a column that was not declared a compile error. */
type OnlyColumns<R, C extends Columns> = { readonly [K in Exclude<keyof R, keyof C>]: never };

/** Many rows as parameters of one statement, matched by name: a missing or surplus column does not compile. */
export interface BulkRows<C extends Columns> {
  /** The columns in their order, for `insert into t (…)`, or after an alias for `select`. */
  names(alias?: string): string;
  /** A `from` item with the rows as `alias`, in the parameters from `$first` on. The text depends on nothing else. */
  from(alias: string, first: number): string;
  /** The same with a last column `place`, which counts the rows from 1. */
  fromPlaced(alias: string, first: number): string;
  /** The values of those parameters. */
  values<T, R extends Row<C>>(items: readonly T[], row: (item: T) => R & OnlyColumns<R, C>): unknown[];
  /** The same values for a caller that already has an array per column. */
  arrays(arrays: Arrays<C>): unknown[];
}

/** Array literals are built here because the driver prepares and escapes every element, which takes several times as long. */
function literal(values: readonly unknown[], element: (value: never) => string): string {
  let text = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    const value = values[i];
    text += value === null || value === undefined ? 'NULL' : element(value as never);
  }
  return `${text}}`;
}

const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;

/** Encoders by column type. For types without one, the driver builds the array. */
const elements: { readonly [T in keyof ColumnTypes]?: (value: ColumnTypes[T]) => string } = {
  text: quoted,
  integer: String,
  bigint: String,
  float8: String,
  numeric: quoted,
  boolean: String,
  date: quoted,
  timestamptz: (at) => `"${at.toISOString()}"`,
  jsonb: quoted,
};

/**
 * One array parameter per column, so that the text, and with it the prepared statement, is the same for any number of rows.
 */
export function bulkRows<const C extends Columns>(columns: C): BulkRows<C> {
  const names = Object.keys(columns);
  const array = (name: string, parameter: number) =>
    columns[name] === 'lines'
      ? `string_to_array($${parameter}, E'\\n', '')`
      : `$${parameter}::${columns[name]}[]`;
  const unnest = (first: number) => `unnest(${names.map((name, i) => array(name, first + i)).join(', ')})`;
  const parameter = (name: keyof C & string, values: readonly unknown[]) => {
    // The quotes in it would have to be escaped for an array, and read again one by one.
    if (columns[name] === 'lines') return values.map((value) => value ?? '').join('\n');
    const element = elements[columns[name] as keyof ColumnTypes];
    return element ? literal(values, element) : values;
  };
  return {
    names: (alias) => names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(', '),
    from: (alias, first) => `${unnest(first)} as ${alias}(${names.join(', ')})`,
    fromPlaced: (alias, first) => `${unnest(first)} with ordinality as ${alias}(${names.join(', ')}, place)`,
    values(items, row) {
      const rows = items.map((item) => row(item));
      return names.map((name) =>
        parameter(
          name,
          rows.map((each) => each[name]),
        ),
      );
    },
    arrays: (arrays) => names.map((name) => parameter(name, arrays[name] ?? [])),
  };
}
