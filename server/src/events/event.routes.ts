import { type Static, Type } from 'typebox';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import {
  AnyOf,
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
  SearchText,
  Strict,
} from '../platform/http/index.js';
import { refuseEvents } from './event.errors.js';
import type { EventEnvelope } from './event.js';
import { type FeedFilter, readEventHead, readEvents, readFirstSince } from './event.store.js';
import { EVENT_CATALOGUE, FEED_TYPES, type FeedType, visibleTypes } from './event-catalogue.js';
import { numberNow } from './feed-head.js';
import { type FeedPlace, feedPlace, isInFeed } from './feed-place.js';
import { findSubjects } from './subjects.js';

const EventView = Model('Event', {
  eventId: Type.String(),
  eventType: OneOf(FEED_TYPES),
  timestamp: Instant(),
  data: Type.Unsafe<object>(
    Type.Object({}, { additionalProperties: true, description: 'See the schema of the type.' }),
  ),
});

const FeedQuery = Strict({
  after: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'The `nextCursor` of the previous page, which had the same `order`.',
    }),
  ),
  since: Type.Optional(
    Instant('Events that happened at or after this instant. If older ones were removed, from the oldest.'),
  ),
  order: Type.Optional(
    OneOf(['asc', 'desc'], 'From the oldest event (`asc`, the default) or from the newest.'),
  ),
  eventType: Type.Optional(AnyOf(FEED_TYPES)),
  q: SearchText(
    'the number, name or code of what it is about: an order, receipt, product, batch, certificate, recall or point, or of the customer',
  ),
  limit: PageQuery.limit,
});
type FeedQuery = Static<typeof FeedQuery>;

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
      query: FeedQuery,
      data: Type.Object({
        items: Type.Array(EventView),
        nextCursor: Type.String({ description: 'Never null: store it even if there are no more events.' }),
        hasMore: Type.Boolean(),
      }),
      async read({ principal, query }) {
        const { order = 'asc', limit = PAGE_LIMIT_DEFAULT } = query;
        const after = placeOf(order, query.after);
        const types = typesFor(principal.scopes, query.eventType);
        const subjects = await findSubjects(database, principal, query.q);
        // The feed must contain the events of all writes that were already confirmed.
        await numberNow(database, principal.orgId);
        const { head, rows } = await transact(database, principal, (tx) => {
          const filter = { types, customerCode: principal.boundTo, since: query.since, subjects };
          return readPage(tx, filter, { after, order }, limit + 1);
        });
        const shown = rows.slice(0, limit);
        const hasMore = rows.length > limit;
        const items = shown.map((row) => JSON.parse(row.body) as EventEnvelope);
        const last = shown.at(-1);
        const lastPlace = last ? feedPlace(last.position, items.at(-1)?.eventId ?? null) : after;
        const reached =
          order === 'asc' && !hasMore ? feedPlace(head.position, head.eventId) : (lastPlace ?? BEGINNING);
        return { items, nextCursor: cursorOf(order, reached), hasMore };
      },
    }),
  ];
}

type Order = NonNullable<FeedQuery['order']>;

/** Before the oldest event. */
const BEGINNING: FeedPlace = { position: 0, tag: null };

function typesFor(scopes: ReadonlySet<string>, asked: readonly FeedType[] | undefined): readonly FeedType[] {
  const visible = visibleTypes(scopes);
  const hidden = asked?.find((type) => !visible.includes(type));
  if (hidden !== undefined) throw forbidden('scope_missing', `needs ${EVENT_CATALOGUE[hidden].scope}`);
  return asked ?? visible;
}

async function readPage(
  tx: Tx,
  filter: FeedFilter,
  { after, order }: { after: FeedPlace | null; order: Order },
  limit: number,
) {
  const head = await readEventHead(tx, after?.position);
  // If the events after the cursor were removed by age, so were the older ones: reading backwards ends here.
  if (after !== null && order === 'asc' && after.position < head.removedTo)
    throw refuseEvents('cursor_expired', 'after');
  if (after !== null && !isInFeed(after, head)) throw refuseEvents('cursor_ahead', 'after');
  const first = filter.since === undefined ? 1 : await readFirstSince(tx, filter.since);
  const range =
    order === 'asc'
      ? { from: Math.max(first, (after?.position ?? 0) + 1), to: head.position }
      : { from: first, to: after === null ? head.position : after.position - 1 };
  const rows = range.from > range.to ? [] : await readEvents(tx, filter, range, { order, limit });
  return { head, rows };
}

/** Cursors of each order have their own name, because they continue in that direction. */
const LISTS: Record<Order, string> = { asc: 'events', desc: 'events newest first' };

const cursorOf = (order: Order, { position, tag }: FeedPlace): string =>
  encodeCursor(LISTS[order], tag === null ? [String(position)] : [String(position), tag]);

/** Cursors issued before tags existed contain only the position, and stay valid. */
function placeOf(order: Order, cursor: string | undefined): FeedPlace | null {
  const [text, tag = null] = decodeCursor(LISTS[order], cursor, 1, 2) ?? [];
  if (text === undefined) return null;
  const position = Number(text);
  if (!Number.isSafeInteger(position) || position < 0) throw invalid('bad_cursor', 'after');
  return { position, tag };
}
