import { createClient, type Data, type Item, type ListPath, type PathOf, type Query } from '@lotward/client';
import {
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';

/** Proves to the server that a call comes from this page; known once somebody has signed in. */
let csrfToken: string | null = null;
export const keepCsrfToken = (token: string | null): void => {
  csrfToken = token;
};

/** The console is a client like any other; its credential is the cookie of the session. */
export const api = createClient({ baseUrl: location.origin, csrfToken: () => csrfToken, retries: 1 });

type PathParameters = Record<string, string>;

/** One resource. What is shown stays while it is asked for again. */
export function useResource<P extends PathOf<'get'>>(
  path: P,
  options: { path?: PathParameters; query?: Query<P, 'get'>; enabled?: boolean; refreshMs?: number } = {},
): UseQueryResult<Data<P, 'get'>> {
  const { enabled = true, refreshMs, ...given } = options;
  return useQuery({
    queryKey: [path, given],
    queryFn: ({ signal }) => (api.get as Untyped)(path, { ...given, signal }) as Promise<Data<P, 'get'>>,
    enabled,
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
  });
}

export interface ListPage<I> {
  items: I[];
  nextCursor: string | null;
}
export type ListResult<I> = UseInfiniteQueryResult<{ pages: ListPage<I>[] }>;

/** A list, page after page as it is asked for more. */
export function useList<P extends ListPath>(
  path: P,
  options: {
    path?: PathParameters;
    query?: Partial<Query<P, 'get'>>;
    enabled?: boolean;
    refreshMs?: number;
  } = {},
): ListResult<Item<P>> {
  const { enabled = true, refreshMs, query, ...given } = options;
  return useInfiniteQuery({
    queryKey: [path, { ...given, query }],
    queryFn: ({ pageParam, signal }) =>
      (api.get as Untyped)(path, {
        ...given,
        query: { limit: 50, ...query, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }) as Promise<ListPage<Item<P>>>,
    initialPageParam: null as string | null,
    getNextPageParam: (page: ListPage<Item<P>>) => page.nextCursor,
    enabled,
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
  }) as ListResult<Item<P>>;
}

type Untyped = (path: string, options: object) => Promise<unknown>;
