/** One page of a list. */
export interface ListPage {
  limit: number;
  /** The key of the last row of the page before, in the order of the list; null for the first page. */
  after: readonly string[] | null;
  /** By the instant of the last change, oldest first, and then by id, rather than in the order that the list usually has. */
  byUpdate: boolean;
  /** Only what changed at or after this instant. */
  updatedSince?: string | undefined;
}

/** A page in the usual order of the list. */
export const usualPage = (after: string | null, limit: number): ListPage => ({
  limit,
  after: after === null ? null : [after],
  byUpdate: false,
});

/** The one value that was given; undefined if there are several, or none. */
export const onlyOf = <V extends string>(values: readonly V[] | undefined): V | undefined =>
  new Set(values).size === 1 ? values?.[0] : undefined;

/** The columns by which a list of things that change is ordered. */
interface ListOrder {
  id: string;
  /** The usual order of ids. */
  direction: 'asc' | 'desc';
  updatedAt: string;
}

/** The conditions of a list. Only conditions with a value are added, each with its own parameter. */
export class Filter {
  readonly values: unknown[];
  readonly #conditions: string[];

  /** `first` uses the leading values; added conditions get the next parameters. */
  constructor(first: string, values: readonly unknown[]) {
    this.#conditions = [first];
    this.values = [...values];
  }

  /** `?` in the condition becomes the parameter. Without a value nothing is added. */
  and(condition: string, value: unknown): this {
    if (value === undefined || value === null) return this;
    this.#conditions.push(condition.replaceAll('?', this.#parameter(value)));
    return this;
  }

  /** The column has one of the values. A single value is compared as such, so that an index can give the order of the list. */
  anyOf(column: string, values: readonly string[] | undefined): this {
    const [only] = values ?? [];
    return values?.length === 1 ? this.and(`${column} = ?`, only) : this.and(`${column} = any(?)`, values);
  }

  /** Adds where the page begins. Returns the order of the list, for `order by`. */
  page({ after, byUpdate, updatedSince }: ListPage, { id, direction, updatedAt }: ListOrder): string {
    this.and(`${updatedAt} >= ?`, updatedSince);
    if (!byUpdate) {
      this.and(`${id} ${direction === 'asc' ? '>' : '<'} ?`, after?.[0]);
      return `${id} ${direction}`;
    }
    const place = after?.map((part) => this.#parameter(part)).join(', ');
    if (place !== undefined) this.#conditions.push(`(${updatedAt}, ${id}) > (${place})`);
    return `${updatedAt}, ${id}`;
  }

  get where(): string {
    return this.#conditions.join(' and ');
  }

  #parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
