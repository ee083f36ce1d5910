import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Database } from '../database/index.js';
import { decodeCursor, toPage } from './page.js';
import { type Call, type ReadRoute, type Route, readRoute } from './route.js';
import { PAGE_LIMIT_DEFAULT, PageOf, PageQuery, Strict } from './schema.js';

type PageCall<P, F> = Pick<Call<P>, 'principal' | 'params'> & {
  readonly filter: F;
  /** The first part of the key of the previous page's last item; null for the first page. */
  readonly after: string | null;
  readonly afterKey: readonly string[] | null;
  /** One row more than the page shows, to know whether another page follows. */
  readonly rowsMax: number;
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
  /** The number of parts of the key; the default is 1. */
  keyLength?: number;
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
  const { filters, item, list, key, keyLength = 1, readRows, view, ...facts } = route;
  return readRoute({
    ...facts,
    query: Strict({ ...filters, ...PageQuery }) as unknown as TSchema,
    data: PageOf(item),
    async read({ principal, params, query }, from) {
      const { limit = PAGE_LIMIT_DEFAULT, cursor, ...filter } = query as Static<TObject<typeof PageQuery>>;
      const afterKey = decodeCursor(list, cursor, keyLength);
      const page = {
        principal,
        params: params as Static<P>,
        filter: filter as Static<TObject<F>>,
        after: afterKey?.[0] ?? null,
        afterKey,
        rowsMax: limit + 1,
      };
      const rows = await readRows(page, from);
      return toPage(
        list,
        rows,
        limit,
        (row) => [key(row)].flat(),
        (row) => view(row, params as Static<P>),
      ) as never;
    },
  });
}
