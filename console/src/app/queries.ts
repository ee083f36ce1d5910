import { LotwardError } from '@lotward/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';

/** The query of the session; all others are keyed by their API path. */
export const SESSION = ['session'] as const;

/** One cache for the whole console, so that a write can refresh the data it changed on any page. */
export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    // Without a network, a request fails with a message instead of waiting silently.
    queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({
    onError(error, query) {
      // The session has ended: the sign-in form replaces the page, and the URL stays.
      if (error instanceof LotwardError && error.status === 401 && query.queryKey[0] !== SESSION[0])
        queries.invalidateQueries({ queryKey: SESSION });
    },
  }),
});

/** Refetches the session: who is signed in, with which settings. */
export const refreshSession = (): Promise<void> => queries.invalidateQueries({ queryKey: SESSION });

/** Refetches the queries whose path begins with one of these, and marks hidden ones as stale. */
export const refreshPaths = (prefixes: readonly string[], cache: QueryClient = queries): Promise<void> =>
  prefixes.length === 0
    ? Promise.resolve()
    : cache.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix)),
      });
