import type { Item } from '@lotward/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type ListPage, type ListResult } from '../../app/api.js';
import type { FeedType } from './event-types.js';

export type FeedEvent = Item<'/v2/events'>;

/** The feed, newest first. */
export function useFeed(filter: {
  eventType: FeedType | undefined;
  q?: string | undefined;
}): ListResult<FeedEvent> {
  return useInfiniteQuery({
    queryKey: ['/v2/events', filter],
    queryFn: async ({ pageParam: after, signal }): Promise<ListPage<FeedEvent>> => {
      const query = { order: 'desc', limit: 50, ...filter, ...(after === null ? {} : { after }) } as const;
      const { items, nextCursor, hasMore } = await api.get('/v2/events', { query, signal });
      return { items, nextCursor: hasMore ? nextCursor : null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}
