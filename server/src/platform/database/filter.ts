/** One page of a list. */
export interface ListPage {
  limit: number;
  /** The key of the last row of the page before, in the order of the list; null for the first page. */
  after: readonly string[] | null;
  /** Sorts by this value and then by id, instead of the usual order of the list. */
  sort: ListSort | null;
  /** Only what changed at or after this instant. */
  updatedSince?: string | undefined;
  /** If given, the store counts the rows up to `limit`, passes on the number and reads none. */
  onCount?: ((rows: number) => void) | undefined;
}

interface ListSort {
  by: string;
  isDescending: boolean;
}

/** Oldest change first. */
export const BY_UPDATE: ListSort = { by: 'updatedAt', isDescending: false };

/** A page in the list's usual order. */
export const usualPage = (after: string | null, limit: number): ListPage => ({
  limit,
  after: after === null ? null : [after],
  sort: null,
});

/** The value, if exactly one was given; otherwise undefined. */
export const onlyOf = <V extends string>(values: readonly V[] | undefined): V | undefined =>
  new Set(values).size === 1 ? values?.[0] : undefined;

/** The columns by which a list of things that change is ordered. */
interface ListOrder {
  id: string;
  /** The usual order of ids. */
  direction: 'asc' | 'desc';
  updatedAt: string;
  /** The columns of other orders; each has an index that includes the id. */
  sorts?: Readonly<Record<string, string>>;
}

/** Each of the columns has one of its values. */
export type Choice = Readonly<Record<string, readonly string[] | undefined>>;

const isGiven = (
  columns: [string, readonly string[] | undefined][],
): columns is [string, readonly string[]][] => columns.every(([, values]) => values !== undefined);

/** The conditions of a list. Only conditions with a value are added, each with its own parameter. */
export class Filter {
  readonly values: unknown[];
  readonly #conditions: string[];
  #isSelective = false;

  /** `first` uses the leading values; added conditions get the next parameters. */
  constructor(first: string, values: readonly unknown[]) {
    this.#conditions = [first];
    this.values = [...values];
  }

  /** `?` in the condition becomes the parameter. Adds nothing without a value. */
  and(condition: string, value: unknown): this {
    if (value === undefined || value === null) return this;
    this.#conditions.push(condition.replaceAll('?', this.#parameter(value)));
    return this;
  }

  /** A condition without a value of its own. */
  require(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** The column has one of the values. A single value is compared as such, so that an index can give the order of the list. */
  anyOf(column: string, values: readonly string[] | undefined): this {
    const [only] = values ?? [];
    return values?.length === 1 ? this.and(`${column} = ?`, only) : this.and(`${column} = any(?)`, values);
  }

  /** Adds the start of the page. Returns the order of the list, for `order by`. */
  page({ after, sort, updatedSince }: ListPage, { id, direction, updatedAt, sorts }: ListOrder): string {
    this.and(`${updatedAt} >= ?`, updatedSince);
    const column = sort === null ? id : { ...sorts, updatedAt }[sort.by];
    if (column === undefined) throw new Error(`list cannot be sorted by ${sort?.by}`);
    const isDescending = sort === null ? direction === 'desc' : sort.isDescending;
    const columns = column === id ? [id] : [column, id];
    if (after !== null) {
      const place = after.map((part) => this.#parameter(part)).join(', ');
      this.#conditions.push(`(${columns.join(', ')}) ${isDescending ? '<' : '>'} (${place})`);
    }
    return columns.map((each) => `${each} ${isDescending ? 'desc' : 'asc'}`).join(', ');
  }

  /** At least one of the choices holds. Adds nothing if no values were given. */
  either(choices: readonly Choice[]): this {
    const given = choices.map((choice) => Object.entries(choice)).filter(isGiven);
    if (given.length === 0) return this;
    this.#isSelective = true;
    const some = given.filter((columns) => columns.every(([, values]) => values.length > 0));
    const conditions = some.map((columns) =>
      columns.map(([column, values]) => `${column} = any(${this.#parameter(values)})`).join(' and '),
    );
    this.#conditions.push(conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`);
    return this;
  }

  /** The number of matching rows depends too much on the values for one plan to serve all of them. */
  get isSelective(): boolean {
    return this.#isSelective;
  }

  get where(): string {
    return this.#conditions.join(' and ');
  }

  #parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
