import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { toUtcInstant } from '../calendar/index.js';
import type { Database, ListPage } from '../database/index.js';
import { invalid } from './json-body.js';
import { decodeCursor, toPage } from './page.js';
import { type Call, type ReadRoute, type Route, readRoute } from './route.js';
import {
  COUNTED_MAX,
  CountedPageOf,
  Instant,
  OneOf,
  PAGE_LIMIT_DEFAULT,
  PageOf,
  PageQuery,
  Strict,
  type TotalView,
} from './schema.js';

type PageCall<P, F> = Pick<Call<P>, 'principal' | 'params'> & {
  readonly filter: F;
  /** The first part of the key of the previous page's last item; null for the first page. */
  readonly after: string | null;
  readonly afterKey: readonly string[] | null;
  /** One row more than the page shows, to know whether another page follows. */
  readonly rowsMax: number;
  /** The same page for the store of a list that has `updatedAt`. */
  readonly page: ListPage;
};

const SORT =
  'By the last change, oldest first. Items that change while you page through the list appear again on a later page.';

/** The parameters of lists of mutable records. */
const updateQuery = (sorts: readonly string[] | null) => ({
  updatedSince: Type.Optional(Instant('Changed at or after this instant.')),
  sort: Type.Optional(
    sorts === null
      ? OneOf(['updatedAt'], SORT)
      : OneOf(
          ['updatedAt', ...sorts].flatMap((each) => [each, `-${each}`]),
          `By this value, ascending, or with \`-\` descending. \`updatedAt\`: ${SORT.charAt(0).toLowerCase()}${SORT.slice(1)}`,
        ),
  ),
});

const CountQuery = {
  count: Type.Optional(
    Type.Boolean({
      description: `Adds \`total\` to the first page: how many items there are, up to ${COUNTED_MAX}.`,
    }),
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
  /** When the row last changed: adds `updatedSince` and `sort=updatedAt`, for which `readRows` has `page`. */
  updatedAt?(row: R): Date;
  /**
   * Other orders, which the store takes from an index in both directions: the value of a row, or null for the id alone. `updatedAt` can
   * then be reversed as well.
   */
  sorts?: Readonly<Record<string, ((row: R) => string) | null>>;
  /** The store counts: adds `count`. */
  isCounted?: boolean;
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
  const {
    filters,
    item,
    list,
    key,
    keyLength = 1,
    updatedAt,
    sorts,
    isCounted,
    readRows,
    view,
    ...facts
  } = route;
  const sortNames = sorts ? Object.keys(sorts) : null;
  return readRoute({
    ...facts,
    query: Strict({
      ...filters,
      ...(updatedAt ? updateQuery(sortNames) : {}),
      ...(isCounted ? CountQuery : {}),
      ...PageQuery,
    }) as unknown as TSchema,
    data: isCounted ? CountedPageOf(item) : PageOf(item),
    async read({ principal, params, query }, from) {
      const {
        limit = PAGE_LIMIT_DEFAULT,
        cursor,
        updatedSince,
        sort,
        count,
        ...filter
      } = query as GivenQuery;
      const order = sort ? sortedOrder(route, sort) : { list, key, keyLength, sort: null };
      const afterKey = decodeCursor(order.list, cursor, order.keyLength);
      if (order.sort?.by === 'updatedAt' && afterKey) requireInstant(afterKey[0]);
      const rowsMax = limit + 1;
      const page = {
        principal,
        params: params as Static<P>,
        filter: filter as Static<TObject<F>>,
        after: afterKey?.[0] ?? null,
        afterKey,
        rowsMax,
        page: { limit: rowsMax, after: afterKey, sort: order.sort, updatedSince },
      };
      const rows = await readRows(page, from);
      const shown = toPage(
        order.list,
        rows,
        limit,
        (row) => [order.key(row)].flat(),
        (row) => view(row, params as Static<P>),
      );
      if (!count || afterKey !== null) return shown as never;
      return {
        ...shown,
        total: await countRows((counted) => readRows({ ...page, page: counted }, from), page.page),
      } as never;
    },
  });
}

/** Counts with the conditions of the list. */
async function countRows(
  read: (page: ListPage) => Promise<unknown>,
  { updatedSince }: ListPage,
): Promise<Static<typeof TotalView>> {
  let rows: number | undefined;
  const onCount = (counted: number): void => {
    rows = counted;
  };
  await read({ limit: COUNTED_MAX + 1, after: null, sort: null, updatedSince, onCount });
  if (rows === undefined) throw new Error('the store of the list does not count');
  return { count: Math.min(rows, COUNTED_MAX), isExact: rows <= COUNTED_MAX };
}

type GivenQuery = Static<TObject<typeof PageQuery & typeof CountQuery & ReturnType<typeof updateQuery>>>;

/** Cursors of each order have a name of their own, so that one of another order is refused. */
function sortedOrder<R>(
  {
    list,
    key,
    updatedAt,
    sorts,
  }: Pick<ListRoute<TSchema, TProperties, TSchema, R>, 'list' | 'key' | 'updatedAt' | 'sorts'>,
  given: string,
) {
  const isDescending = given.startsWith('-');
  const by = isDescending ? given.slice(1) : given;
  const idOf = (row: R): string => [key(row)].flat().at(-1) ?? '';
  const sortValue =
    by === 'updatedAt' ? updatedAt && ((row: R) => updatedAt(row).toISOString()) : sorts?.[by];
  return {
    list: `${list} by ${given}`,
    key: (row: R): string[] => (sortValue ? [sortValue(row), idOf(row)] : [idOf(row)]),
    keyLength: sortValue ? 2 : 1,
    sort: { by, isDescending },
  };
}

function requireInstant(text: string | undefined): void {
  if (text === undefined || toUtcInstant(text) !== text) throw invalid('bad_cursor', 'cursor');
}
