/** PostgreSQL column types and the TypeScript types of their values. */
interface ColumnTypes {
  text: string;
  integer: number;
  bigint: number;
  numeric: string;
  boolean: boolean;
  date: string;
  timestamptz: Date;
}

type Columns = Readonly<Record<string, keyof ColumnTypes>>;
type Row<C extends Columns> = { readonly [K in keyof C]: ColumnTypes[C[K]] | null };
/** Makes a row with a column that was not declared a compile error. */
type OnlyColumns<R, C extends Columns> = { readonly [K in Exclude<keyof R, keyof C>]: never };

/** Many rows as parameters of one statement, matched by name: a missing or surplus column does not compile. */
export interface BulkRows<C extends Columns> {
  /** The columns in their order, for `insert into t (…)`, or after an alias for `select`. */
  names(alias?: string): string;
  /** A `from` item with the rows as `alias`, in the parameters from `$first` on. The text depends on nothing else. */
  from(alias: string, first: number): string;
  /** The values of those parameters. */
  values<T, R extends Row<C>>(items: readonly T[], row: (item: T) => R & OnlyColumns<R, C>): unknown[];
}

/** One array parameter per column, so that the text, and with it the prepared statement, is the same for any number of rows. */
export function bulkRows<const C extends Columns>(columns: C): BulkRows<C> {
  const names = Object.keys(columns);
  return {
    names: (alias) => names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(', '),
    from: (alias, first) =>
      `unnest(${names.map((name, i) => `$${first + i}::${columns[name]}[]`).join(', ')}) as ${alias}(${names.join(', ')})`,
    values(items, row) {
      const rows = items.map((item) => row(item));
      return names.map((name) => rows.map((each) => each[name]));
    },
  };
}
