import { type Item, LotwardError } from '@lotward/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type ListPage, type ListResult } from '../../app/api.js';
import type { EventType } from './event-types.js';

export type FeedEvent = Item<'/v2/events'>;

const CHUNK = 200;
/** Chunks read when the page opens; more are read on request. */
const CHUNKS_AT_ONCE = 25;
/** With fewer events than this, the chunk before is shown as well. */
const SHOWN_MIN = 30;

/**
 * The feed goes forward only, from the oldest event. To show the newest first it is read to its end once; where each
 * chunk begins is remembered, so that going back, and looking whether there is more, is one call each.
 */
interface Trail {
  /** Where each chunk begins; null is the beginning of the feed. */
  starts: (string | null)[];
  /** Whether the last chunk is the end of the feed. */
  complete: boolean;
}
const trails = new Map<string, Trail>();

const readFrom = (after: string | null, eventType: EventType | undefined, signal: AbortSignal) =>
  api.get('/v2/events', {
    query: { limit: CHUNK, ...(after === null ? {} : { after }), ...(eventType ? { eventType } : {}) },
    signal,
  });

/** Reads the feed to its end, or as far as one call goes, and returns the last chunk. */
async function readToEnd(trail: Trail, eventType: EventType | undefined, signal: AbortSignal) {
  let chunk = await readFrom(trail.starts.at(-1) ?? null, eventType, signal);
  for (let read = 1; chunk.hasMore && read < CHUNKS_AT_ONCE; read++) {
    trail.starts.push(chunk.nextCursor);
    chunk = await readFrom(chunk.nextCursor, eventType, signal);
  }
  trail.complete = !chunk.hasMore;
  if (chunk.hasMore) trail.starts.push(chunk.nextCursor);
  return chunk.items;
}

interface FeedPage extends ListPage<FeedEvent> {
  /** The number of events read so far, until the end of the feed is reached. */
  readSoFar: number | null;
}

async function newest(eventType: EventType | undefined, signal: AbortSignal): Promise<FeedPage> {
  const key = eventType ?? '';
  const trail = trails.get(key) ?? { starts: [null], complete: false };
  trails.set(key, trail);
  let items: FeedEvent[];
  try {
    items = await readToEnd(trail, eventType, signal);
  } catch (error) {
    // The cursor expired, or the feed was restored to an earlier position.
    if (error instanceof LotwardError && (error.has('cursor_expired') || error.has('cursor_ahead')))
      trails.delete(key);
    throw error;
  }
  let before = trail.starts.length - (trail.complete ? 2 : 3);
  const start = trail.starts[before];
  if (items.length < SHOWN_MIN && start !== undefined) {
    items = [...(await readFrom(start, eventType, signal)).items, ...items];
    before--;
  }
  return {
    items: items.reverse(),
    nextCursor: before >= 0 ? String(before) : null,
    readSoFar: trail.complete ? null : (trail.starts.length - 1) * CHUNK,
  };
}

async function older(
  chunk: number,
  eventType: EventType | undefined,
  signal: AbortSignal,
): Promise<FeedPage> {
  const start = trails.get(eventType ?? '')?.starts[chunk] ?? null;
  const { items } = await readFrom(start, eventType, signal);
  return {
    items: items.reverse(),
    nextCursor: chunk > 0 ? String(chunk - 1) : null,
    readSoFar: null,
  };
}

/** The feed, newest first. */
export function useFeed(eventType: EventType | undefined): {
  list: ListResult<FeedEvent>;
  readSoFar: number | null;
} {
  const query = useInfiniteQuery({
    queryKey: ['/v2/events', { eventType }],
    queryFn: ({ pageParam, signal }) =>
      pageParam === null ? newest(eventType, signal) : older(Number(pageParam), eventType, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: FeedPage) => page.nextCursor,
  });
  return {
    list: query as unknown as ListResult<FeedEvent>,
    readSoFar: query.data?.pages[0]?.readSoFar ?? null,
  };
}
