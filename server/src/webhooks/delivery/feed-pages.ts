import type { FeedEvent } from '../../events/index.js';
import type { Pool } from '../../platform/database/index.js';
import { readFeed } from './supply.store.js';

const PAGE_LENGTH = 256;
const BYTES_MAX = 64 * 1024 * 1024;

/** All events of a stretch of the feed that ends at `upTo`. */
interface FeedPage {
  events: readonly FeedEvent[];
  upTo: number;
}

interface CachedPage {
  events: FeedEvent[];
  upTo: number;
  bytes: number;
  reading: Promise<void> | null;
}

interface FeedReader {
  orgId: string;
  incarnation: string;
}

export interface FeedPages {
  /** The events after `after`, which must be before `head`; synchronous if they are cached for this incarnation. */
  read(reader: FeedReader, after: number, head: number): FeedPage | Promise<FeedPage>;
  /** Adds consecutive events, which then need not be read. */
  add(reader: FeedReader, events: readonly FeedEvent[]): void;
}

/** Caches the feed in pages: many endpoints read the same stretch of an organization's feed. */
export function openFeedPages(pool: Pool): FeedPages {
  // Least recently used first.
  const pages = new Map<string, CachedPage>();
  let bytes = 0;

  const evict = () => {
    for (const [key, page] of pages) {
      if (bytes <= BYTES_MAX) return;
      if (page.reading) continue;
      pages.delete(key);
      bytes -= page.bytes;
    }
  };
  const extend = async (page: CachedPage, orgId: string, upTo: number) => {
    const more = await readFeed(pool, orgId, page.upTo, upTo, PAGE_LENGTH);
    const size = more.reduce((sum, event) => sum + event.body.length, 0);
    page.events.push(...more);
    page.upTo = upTo;
    page.bytes += size;
    bytes += size;
  };
  const pageAfter = (page: CachedPage, after: number): FeedPage => {
    const first = page.events.findIndex((event) => event.position > after);
    return { events: first === -1 ? [] : page.events.slice(first), upTo: page.upTo };
  };

  const fetch = async (orgId: string, after: number, upTo: number, page: CachedPage): Promise<FeedPage> => {
    while (page.upTo < upTo) {
      page.reading ??= extend(page, orgId, upTo).finally(() => {
        page.reading = null;
      });
      await page.reading;
    }
    evict();
    return pageAfter(page, after);
  };

  /** Returns the page that begins at or before `after`, and marks it as used last. */
  const use = ({ orgId, incarnation }: FeedReader, after: number): CachedPage => {
    const number = Math.floor(after / PAGE_LENGTH);
    const key = `${incarnation} ${orgId} ${number}`;
    const page = pages.get(key) ?? { events: [], upTo: number * PAGE_LENGTH, bytes: 0, reading: null };
    pages.delete(key);
    pages.set(key, page);
    return page;
  };

  return {
    read(reader, after, head) {
      const page = use(reader, after);
      const upTo = Math.min(head, (Math.floor(after / PAGE_LENGTH) + 1) * PAGE_LENGTH);
      return page.upTo >= upTo ? pageAfter(page, after) : fetch(reader.orgId, after, upTo, page);
    },
    add(reader, events) {
      for (const event of events) {
        const page = use(reader, event.position - 1);
        // Pages have no gaps. If a page is still being read, that read will include the events.
        if (page.reading || page.upTo !== event.position - 1) continue;
        page.events.push(event);
        page.upTo = event.position;
        page.bytes += event.body.length;
        bytes += event.body.length;
      }
      evict();
    },
  };
}
