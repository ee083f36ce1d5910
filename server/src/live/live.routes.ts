import { visibleTypes } from '../events/index.js';
import type { Database } from '../platform/database/index.js';
import { type Route, streamRoute } from '../platform/http/index.js';
import { type News, openNewsDesk } from './news.js';

/** What a credential must be able to read to hear that there is something new to read. */
const SCOPE_OF: Readonly<Record<News['kind'], string>> = {
  events: 'events:read',
  deliveries: 'webhooks:read',
  alerts: 'environment:read',
  dispatches: 'dispatches:read',
};

/** What of the news these scopes may hear; null: nothing. */
function audible(news: News, scopes: ReadonlySet<string>): News | null {
  if (!scopes.has(SCOPE_OF[news.kind])) return null;
  if (news.kind !== 'events') return news;
  const visible: readonly string[] = visibleTypes(scopes);
  const eventTypes = news.eventTypes.filter((type) => visible.includes(type));
  return eventTypes.length > 0 ? { ...news, eventTypes } : null;
}

export function liveRoutes(database: Database): Route[] {
  const desk = openNewsDesk(database);
  return [
    streamRoute({
      operationId: 'getStream',
      path: '/stream',
      scope: null,
      tag: 'Live',
      summary: 'Hear that there is something new to read',
      description:
        'Server-sent events: `events` (with `eventTypes`), `deliveries`, `alerts` and `dispatches`, each at most once a ' +
        'second and only where the credential may read what it is about. They say that something changed, not what it is ' +
        'now. A stream ends after ten minutes, or when its credential does: connect again. Ten at once at most.',
      subscribe: ({ orgId, scopes }, send) =>
        desk.listen(orgId, (news) => {
          const heard = audible(news, scopes);
          if (heard) send(heard.kind, heard);
        }),
    }),
  ];
}
