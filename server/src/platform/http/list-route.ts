import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { toUtcInstant } from '../calendar/index.js';
import type { Database, ListPage } from '../database/index.js';
import { invalid } from './json-body.js';
import { decodeCursor, toPage } from './page.js';
import { type Call, type ReadRoute, type Route, readRoute } from './route.js';
import { Instant, OneOf, PAGE_LIMIT_DEFAULT, PageOf, PageQuery, Strict } from './schema.js';

type PageCall<P, F> = Pick<Call<P>, 'principal' | 'params'> & {
  readonly filter: F;
  /** The first part of the key of the previous page's last item; null for the first page. */
  readonly after: string | null;
  readonly afterKey: readonly string[] | null;
  /** One row more than the page shows, to know whether another page follows. */
  readonly rowsMax: number;
  /** The same for the store of a list that has `updatedAt`. */
  readonly page: ListPage;
};

/** The parameters of lists of things that change. */
const UpdateQuery = {
  updatedSince: Type.Optional(Instant('Changed at or after this instant.')),
  sort: Type.Optional(
    OneOf(
      ['updatedAt'],
      'By the last change, oldest first. What changes while you read the pages comes again on a later one.',
    ),
  ),
};

interface ListRoute<P extends TSchema, F extends TProperties, V extends TSchema, R>
  extends Omit<ReadRoute<P, TSchema, TSchema, V>, 'kind' | 'method' | 'query' | 'data' | 'read'> {
  /** Query parameters besides `limit` and `cursor`. */
  filters?: F;
  item: V;
  /** The name of the list in its cursors, so that a cursor of another list is refused. */
  list: string;
  /** The sort key of a row, from which a cursor is built. */
  key(row: R): string | readonly string[];
  /** The number of parts of the key; the default is 1. The last part is the id. */
  keyLength?: number;
  /** When the row changed last: adds `updatedSince` and `sort=updatedAt`, for which `readRows` has `page`. */
  updatedAt?(row: R): Date;
  readRows(call: PageCall<Static<P>, Static<TObject<F>>>, from: Database): Promise<readonly R[]>;
  view(row: R, params: Static<P>): Static<V>;
}

/** A route with cursor pagination: adds `limit` and `cursor` to the filters and reads one row more than the page. */
export function listRoute<
  R,
  V extends TSchema,
  // biome-ignore lint/complexity/noBannedTypes: no filters at all
  F extends TProperties = {},
  P extends TSchema = TSchema,
>(route: ListRoute<P, F, V, R>): Route {
  const { filters, item, list, key, keyLength = 1, updatedAt, readRows, view, ...facts } = route;
  return readRoute({
    ...facts,
    query: Strict({ ...filters, ...(updatedAt ? UpdateQuery : {}), ...PageQuery }) as unknown as TSchema,
    data: PageOf(item),
    async read({ principal, params, query }, from) {
      const { limit = PAGE_LIMIT_DEFAULT, cursor, updatedSince, sort, ...filter } = query as GivenQuery;
      const order = updatedAt && sort ? updateOrder(list, key, updatedAt) : { list, key, keyLength };
      const afterKey = decodeCursor(order.list, cursor, order.keyLength);
      if (sort && afterKey) requireInstant(afterKey[0]);
      const rowsMax = limit + 1;
      const page = {
        principal,
        params: params as Static<P>,
        filter: filter as Static<TObject<F>>,
        after: afterKey?.[0] ?? null,
        afterKey,
        rowsMax,
        page: { limit: rowsMax, after: afterKey, byUpdate: sort !== undefined, updatedSince },
      };
      const rows = await readRows(page, from);
      return toPage(
        order.list,
        rows,
        limit,
        (row) => [order.key(row)].flat(),
        (row) => view(row, params as Static<P>),
      ) as never;
    },
  });
}

type GivenQuery = Static<TObject<typeof PageQuery & typeof UpdateQuery>>;

/** Cursors of this order have a name of their own, so that none of the usual order is taken for one. */
const updateOrder = <R>(
  list: string,
  key: (row: R) => string | readonly string[],
  updatedAt: (row: R) => Date,
) => ({
  list: `${list} by updatedAt`,
  key: (row: R): string[] => [updatedAt(row).toISOString(), [key(row)].flat().at(-1) ?? ''],
  keyLength: 2,
});

function requireInstant(text: string | undefined): void {
  if (text === undefined || toUtcInstant(text) !== text) throw invalid('bad_cursor', 'cursor');
}
