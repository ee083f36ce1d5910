import { visibleTypes } from '../events/index.js';
import type { Database } from '../platform/database/index.js';
import { type Route, streamRoute } from '../platform/http/index.js';
import { type News, openNewsDesk } from './news.js';

/** The scope that each kind of notification needs: the scope to read what changed. */
const SCOPE_OF: Readonly<Record<News['kind'], string>> = {
  events: 'events:read',
  deliveries: 'webhooks:read',
  alerts: 'environment:read',
  dispatches: 'dispatches:read',
};

/** The part of a notification that these scopes may see; null: nothing. */
function visibleNews(news: News, scopes: ReadonlySet<string>): News | null {
  if (!scopes.has(SCOPE_OF[news.kind])) return null;
  if (news.kind !== 'events') return news;
  const types: readonly string[] = visibleTypes(scopes);
  const eventTypes = news.eventTypes.filter((type) => types.includes(type));
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
      summary: 'Stream change notifications',
      description:
        'Server-sent events: `events` (with `eventTypes`), `deliveries`, `alerts` and `dispatches`, each at most once a ' +
        'second and only if the credential has the scope to read the data. They say that something changed, without the data. ' +
        'A stream ends after ten minutes or with its credential: connect again. At most ten at once, and a hundred of an organization.',
      subscribe: ({ orgId, scopes }, send) =>
        desk.listen(orgId, (news) => {
          const visible = visibleNews(news, scopes);
          if (visible) send(visible.kind, visible);
        }),
    }),
  ];
}
