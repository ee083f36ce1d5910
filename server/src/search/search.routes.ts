import { performance } from 'node:perf_hooks';
import type { Database } from '../platform/database/index.js';
import { literalParameter, type Route, readRoute } from '../platform/http/index.js';
import { SearchQuery, SearchView, toSearchItem } from './search.schemas.js';
import { searchRecords } from './search-records.js';

export const searchRoutes = (
  database: Database,
  { monotonicMs = () => performance.now() }: { monotonicMs?: (() => number) | undefined },
): Route[] => [
  readRoute({
    operationId: 'search',
    path: '/v2/search',
    scope: null,
    tag: 'Search',
    summary: 'Search for records of all kinds',
    description:
      'Finds orders, receipts, dispatches, products, batches, serial numbers, partners, certificates and webhooks by any part of their ' +
      'number, name or code: of each kind those that the read scope of its area allows. Whole numbers, names and codes first, then ' +
      'beginnings, then any part; of those the newest first. Finds what was written a second ago.',
    query: SearchQuery,
    data: SearchView,
    async read({ principal, query, target }) {
      const literal = literalParameter(target, 'q') ?? query.q;
      const { items, hasMore } = await searchRecords(
        database,
        principal,
        { query: query.q, literal },
        monotonicMs,
      );
      return { items: items.map((item) => toSearchItem(item, query.q)), hasMore };
    },
  }),
];
