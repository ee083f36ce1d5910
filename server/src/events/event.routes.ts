import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import {
  decodeCursor,
  encodeCursor,
  forbidden,
  Instant,
  invalid,
  Model,
  OneOf,
  PAGE_LIMIT_DEFAULT,
  PageQuery,
  type Route,
  readRoute,
  Strict,
} from '../platform/http/index.js';
import { refuseEvents } from './event.errors.js';
import type { EventEnvelope } from './event.js';
import { readEventHead, readEvents } from './event.store.js';
import { EVENT_CATALOGUE, EVENT_TYPES, visibleTypes } from './event-catalogue.js';
import { numberNow } from './feed-head.js';
import { type FeedPlace, feedPlace, isInFeed } from './feed-place.js';

const EventView = Model('Event', {
  eventId: Type.String(),
  eventType: OneOf(EVENT_TYPES),
  timestamp: Instant(),
  data: Type.Unsafe<object>(
    Type.Object({}, { additionalProperties: true, description: 'See the schema of the type.' }),
  ),
});

export function eventRoutes(database: Database): Route[] {
  return [
    readRoute({
      operationId: 'listEvents',
      path: '/v2/events',
      scope: 'events:read',
      boundCredentials: 'allowed',
      tag: 'Events',
      summary: 'Read the event feed',
      description:
        'Events never appear before a position that you have read: store `nextCursor`, send it as `after`, and you read every ' +
        'event exactly once. Kept for 90 days. Event types that your credential has no scope for are left out.',
      query: Strict({
        after: Type.Optional(
          Type.String({ maxLength: 1024, description: 'The `nextCursor` of the previous page.' }),
        ),
        eventType: Type.Optional(OneOf(EVENT_TYPES)),
        limit: PageQuery.limit,
      }),
      data: Type.Object({
        items: Type.Array(EventView),
        nextCursor: Type.String({ description: 'Never null: store it even if there are no more events.' }),
        hasMore: Type.Boolean(),
      }),
      async read({ principal, query }) {
        const limit = query.limit ?? PAGE_LIMIT_DEFAULT;
        const after = placeOf(query.after);
        const visible = visibleTypes(principal.scopes);
        if (query.eventType !== undefined && !visible.includes(query.eventType)) {
          throw forbidden('scope_missing', `needs ${EVENT_CATALOGUE[query.eventType].scope}`);
        }
        const types = query.eventType === undefined ? visible : [query.eventType];
        // Events of writes that have already been confirmed must be in the feed.
        await numberNow(database, principal.orgId);
        const { head, rows } = await transact(database, principal, async (tx) => {
          const current = await readEventHead(tx, after?.position);
          if (after !== null && after.position < current.removedTo)
            throw refuseEvents('cursor_expired', 'after');
          if (after !== null && !isInFeed(after, current)) throw refuseEvents('cursor_ahead', 'after');
          const filter = { types, customerCode: principal.boundTo };
          return {
            head: current,
            rows: await readEvents(tx, filter, after?.position ?? 0, current.position, limit + 1),
          };
        });
        const shown = rows.slice(0, limit);
        const hasMore = rows.length > limit;
        const items = shown.map((row) => JSON.parse(row.body) as EventEnvelope);
        const last = hasMore ? shown.at(-1) : undefined;
        const reached = last
          ? feedPlace(last.position, items.at(-1)?.eventId ?? null)
          : feedPlace(head.position, head.eventId);
        return { items, nextCursor: cursorOf(reached), hasMore };
      },
    }),
  ];
}

const cursorOf = ({ position, tag }: FeedPlace): string =>
  encodeCursor('events', tag === null ? [String(position)] : [String(position), tag]);

/** Cursors given out before there were tags hold only the position, and stay valid. */
function placeOf(cursor: string | undefined): FeedPlace | null {
  const [text, tag = null] = decodeCursor('events', cursor, 1, 2) ?? [];
  if (text === undefined) return null;
  const position = Number(text);
  if (!Number.isSafeInteger(position) || position < 0) throw invalid('bad_cursor', 'after');
  return { position, tag };
}
