import {
  createClient,
  type Data,
  type Item,
  type ListPath,
  type Lotward,
  LotwardError,
  type PathOf,
  type Query,
} from '@lotward/client';
import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { changedPaths } from './changes.js';
import { isUnreachable, noteResult } from './connection.js';
import { refreshPaths } from './queries.js';
import { isSignIn, withSession } from './session-end.js';
import { withStepUp } from './step-up.js';

/** Proves to the server that a call comes from this page; available after signing in. */
let csrfToken: string | null = null;
export const keepCsrfToken = (token: string | null): void => {
  csrfToken = token;
};

/** For requests that bypass the client, such as file uploads. */
export const csrfHeaders = (): Record<string, string> =>
  csrfToken === null ? {} : { 'x-csrf-token': csrfToken };

type Untyped = (
  path: string,
  options?: object & { body?: unknown; idempotencyKey?: string },
) => Promise<unknown>;

/** Makes a call and notes from its result whether the service can be reached. */
const watched =
  (call: Untyped): Untyped =>
  async (path, options) => {
    try {
      const data = await call(path, options);
      noteResult();
      return data;
    } catch (error) {
      noteResult(error);
      throw error;
    }
  };

const plain = createClient({ baseUrl: location.origin, csrfToken: () => csrfToken, retries: 1 });

/** The client itself, with the session cookie as its credential. Its writes neither prompt the user nor refresh data. */
export const client = {
  ...plain,
  get: watched(plain.get as Untyped),
  post: watched(plain.post as Untyped),
  put: watched(plain.put as Untyped),
  patch: watched(plain.patch as Untyped),
  delete: watched(plain.delete as Untyped),
} as Lotward;

/** The idempotency keys of writes without a response, by content: whether they took effect is unknown. */
const unanswered = new Map<string, string>();

/** Gives a repeated write the key of its first attempt, so that both together take effect once. */
const keyed =
  (write: Untyped): Untyped =>
  async (path, options) => {
    // Requests with passwords are not kept in memory.
    if (isSignIn(path)) return write(path, options);
    const content = JSON.stringify([path, options]);
    const idempotencyKey = unanswered.get(content) ?? crypto.randomUUID();
    unanswered.delete(content);
    try {
      return await write(path, { ...options, idempotencyKey });
    } catch (error) {
      if (isUnreachable(error)) unanswered.set(content, idempotencyKey);
      throw error;
    }
  };

/** A write that prompts the user to sign in, or for the second factor, when the service requires it. */
const attended =
  (write: Untyped): Untyped =>
  (path, options) =>
    withSession(path, () => withStepUp(() => write(path, options)));

/** An attended write that resolves after the queries it changed are refreshed. */
const refreshing =
  (write: Untyped): Untyped =>
  async (path, options) => {
    const refresh = () => refreshPaths(changedPaths(path, options?.body));
    try {
      const data = await attended(write)(path, options);
      await refresh();
      return data;
    } catch (error) {
      // The page then shows the other person's change, and the form opens with it next time.
      if (error instanceof LotwardError && error.reason === 'version_mismatch') await refresh();
      throw error;
    }
  };

/** For saving a form: refused if the record has changed since the form was opened. Null for a new record. */
export const ifStill = (version: number | null): { ifMatch?: number } =>
  version === null ? {} : { ifMatch: version };

export const api = {
  ...client,
  post: refreshing(keyed(client.post as Untyped)),
  put: refreshing(client.put as Untyped),
  patch: refreshing(keyed(client.patch as Untyped)),
  delete: refreshing(client.delete as Untyped),
} as Lotward;

/** For many writes in a row, such as an import: they refresh nothing, so the caller refreshes once at the end. */
export const bulkApi = { post: attended(client.post as Untyped) } as Pick<Lotward, 'post'>;

type PathParameters = Record<string, string>;

/** One resource. The displayed data stays while it is fetched again. */
export function useResource<P extends PathOf<'get'>>(
  path: P,
  options: { path?: PathParameters; query?: Query<P, 'get'>; enabled?: boolean; refreshMs?: number } = {},
): UseQueryResult<Data<P, 'get'>> {
  const { enabled = true, refreshMs, ...given } = options;
  return useQuery({
    queryKey: [path, given],
    queryFn: ({ signal }) =>
      (client.get as Untyped)(path, { ...given, signal } as object) as Promise<Data<P, 'get'>>,
    enabled,
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
  });
}

export interface ListPage<I> {
  items: I[];
  nextCursor: string | null;
}
export type ListResult<I> = UseInfiniteQueryResult<{ pages: ListPage<I>[] }>;
/** The list is loaded and has no items. */
export const isEmptyList = ({ data }: ListResult<unknown>): boolean =>
  data?.pages.every(({ items }) => items.length === 0) ?? false;

/** `total`: the number of items, once they are counted. */
export type CountedList<I> = ListResult<I> & { total?: ListTotal | undefined };
interface ListTotal {
  count: number;
  isExact: boolean;
}

/** The first page loads quickly; later ones, loaded while scrolling, are larger. */
const FIRST_ROWS = 50;
const NEXT_ROWS = 200;
/** Longer lists are not refetched periodically. */
const REFRESHED_PAGES_MAX = 3;
const isLong = (list: { pages: unknown[] } | undefined): boolean =>
  list !== undefined && list.pages.length > REFRESHED_PAGES_MAX;

/** A list, page by page as the user asks for more. */
export function useList<P extends ListPath>(
  path: P,
  options: {
    path?: PathParameters;
    query?: Partial<Query<P, 'get'>>;
    enabled?: boolean;
    refreshMs?: number;
    /** Shows the items of the previous query until those of this one are loaded. */
    keepsPrevious?: boolean;
  } = {},
): ListResult<Item<P>> {
  const { enabled = true, refreshMs, keepsPrevious = false, query, ...given } = options;
  return useInfiniteQuery({
    queryKey: [path, { ...given, query }],
    queryFn: ({ pageParam, signal }) =>
      (client.get as Untyped)(path, {
        ...given,
        query: {
          limit: pageParam === null ? FIRST_ROWS : NEXT_ROWS,
          ...query,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      } as object) as Promise<ListPage<Item<P>>>,
    initialPageParam: null as string | null,
    getNextPageParam: (page: ListPage<Item<P>>) => page.nextCursor,
    enabled,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    refetchInterval: ({ state }: { state: { data: unknown } }) =>
      refreshMs === undefined || isLong(state.data as { pages: unknown[] } | undefined) ? false : refreshMs,
  }) as ListResult<Item<P>>;
}

/** A list with its total. Counting is a separate request, so that no row waits for it. */
export function useCountedList<P extends ListPath>(
  path: P,
  options: { query: object; sort: string | undefined; refreshMs?: number },
): CountedList<Item<P>> {
  const { query, sort, refreshMs } = options;
  const list = useList(path, {
    query: { ...query, ...(sort === undefined ? {} : { sort }) } as Partial<Query<P, 'get'>>,
    ...(refreshMs === undefined ? {} : { refreshMs }),
  });
  const counted = useQuery({
    queryKey: [path, { query, count: true }],
    queryFn: ({ signal }) =>
      (client.get as Untyped)(path, {
        query: { ...query, limit: 1, count: true },
        signal,
      } as object) as Promise<{
        total?: ListTotal;
      }>,
    enabled: list.hasNextPage,
  });
  return { ...list, total: counted.data?.total };
}
