import { type Static, Type } from 'typebox';
import { refuseOtherCustomer } from '../../access/index.js';
import { toUtcInstant } from '../../platform/calendar/index.js';
import { transact } from '../../platform/database/index.js';
import { ERROR_ROWS, missing } from '../../platform/errors/index.js';
import {
  AnyOf,
  Code,
  forbidden,
  Instant,
  invalid,
  listRoute,
  Model,
  Nullable,
  OneOf,
  Repeated,
  type Route,
  Text,
} from '../../platform/http/index.js';
import type { Principal } from '../../platform/principal.js';
import { USAGE_KINDS } from '../usage/usage.js';
import { isKnownCredential } from '../usage/usage.store.js';
import { countedAs } from '../usage/usage-counter.js';
import { listRequests, type RequestFilter, type StoredRequest } from './request-log.store.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const SEES_ALL = 'settings:read';

const LoggedRequestView = Model('LoggedRequest', {
  requestId: Type.String(),
  callerRequestId: Nullable(Type.String({ description: 'The `X-Request-Id` that you sent.' })),
  at: Instant('When it arrived.'),
  kind: OneOf(USAGE_KINDS),
  credentialId: Type.String({
    description: 'The id of the key or client; for the console, the id of the person.',
  }),
  method: Type.String(),
  path: Type.String({ description: 'As it was sent, without the query; secrets are replaced by `***`.' }),
  route: Type.String({ description: 'The pattern that matched.', examples: ['/v2/products/{id}'] }),
  status: Type.Integer({ description: 'The HTTP status.' }),
  code: Type.Integer({ description: 'The `code` of the response; 0 for a success.' }),
  reason: Nullable(Type.String({ description: 'The reason of the first error.' })),
  remedy: Nullable(Type.String({ description: 'What to do about it.' })),
  errors: Type.Array(
    Type.Object({ path: Nullable(Type.String()), reason: Type.String(), message: Type.String() }),
    { description: 'The first ten errors of the response; empty for a success.' },
  ),
  durationMs: Type.Number(),
  requestBytes: Type.Integer({ description: 'Length of the body.' }),
  responseBytes: Nullable(
    Type.Integer({ description: 'Length of the body as it was sent; null for a stream.' }),
  ),
  count: Type.Integer({
    description: 'How many alike requests it stands for. More than 1 only for those refused with 429.',
  }),
});

/** `remedyOf` knows the reasons of all slices. */
export function requestLogRoutes(remedyOf: (reason: string | null) => string): Route[] {
  return [
    listRoute({
      operationId: 'listRequests',
      path: '/v2/requests',
      scope: null,
      boundCredentials: 'allowed',
      tag: 'Request log',
      summary: 'List your latest requests, newest first',
      description:
        'What your credential called and how it was answered: failures of the last 7 days (at most the newest 100,000) and the ' +
        'newest 1,000 successes, a few seconds late. With `settings:read` you see the requests of all credentials, and the failures ' +
        'of people at the console. Bodies, queries and headers are not stored. When very many requests come at once, some are left out.',
      mayLag: true,
      filters: {
        credentialId: Type.Optional(
          Code(
            'A key, an OAuth client, or a person at the console. Another than your own needs `settings:read`.',
          ),
        ),
        requestId: Type.Optional(Text(128, 'A `requestId` of ours, or an `X-Request-Id` of yours.')),
        status: Type.Optional(
          Repeated(
            Type.String({ pattern: '^[1-5](?:xx|[0-9][0-9])$', examples: ['4xx'] }),
            20,
            'An HTTP status such as `404`, or `2xx`, `4xx`, `5xx`. Repeat the parameter to match any of several values.',
          ),
        ),
        method: Type.Optional(AnyOf(METHODS)),
        path: Type.Optional(Text(512, 'Paths that begin so.')),
        reason: Type.Optional(Text(64, 'The reason of the first error.')),
        since: Type.Optional(Instant('Requests at or after this instant.')),
        until: Type.Optional(Instant('Requests before this instant.')),
      },
      item: LoggedRequestView,
      list: 'requests',
      key: ({ at, requestId }: StoredRequest) => [at.toISOString(), requestId],
      keyLength: 2,
      view: (request) => toView(request, remedyOf),
      async readRows({ principal, filter: { status, ...filter }, afterKey, rowsMax }, from) {
        if (afterKey && toUtcInstant(afterKey[0] ?? '') !== afterKey[0])
          throw invalid('bad_cursor', 'cursor');
        const asked: RequestFilter = { ...filter, statuses: status?.flatMap(statusesIn) };
        const visible = visibleTo(principal, filter.credentialId);
        return transact(from, principal, async (tx) => {
          if (!visible && filter.credentialId && !(await isKnownCredential(tx, filter.credentialId)))
            throw missing('credential', 'credentialId');
          return listRequests(tx, { ...asked, ...visible }, afterKey, rowsMax);
        });
      },
    }),
  ];
}

/**
 * The requests that a caller may see; null for all of the organization. People who share an OAuth client see only their own.
 */
function visibleTo(
  principal: Principal,
  asked: string | undefined,
): Pick<RequestFilter, 'credentialId' | 'userId'> | null {
  if (principal.boundTo === null && principal.scopes.has(SEES_ALL)) return null;
  const [, credentialId] = countedAs(principal);
  if (asked !== undefined && asked !== credentialId)
    throw principal.boundTo === null
      ? forbidden('scope_missing', `needs ${SEES_ALL}`)
      : refuseOtherCustomer();
  return { credentialId, ...(principal.client ? { userId: principal.client.userId } : {}) };
}

/** `4xx` is every status from 400 to 499. */
const statusesIn = (text: string): number[] =>
  text.endsWith('xx') ? Array.from({ length: 100 }, (_, n) => Number(text[0]) * 100 + n) : [Number(text)];

const codeOf = (status: number): number =>
  status < 400 ? 0 : (Object.values(ERROR_ROWS).find((row) => row.status === status)?.code ?? 0);

function toView(
  request: StoredRequest,
  remedyOf: (reason: string | null) => string,
): Static<typeof LoggedRequestView> {
  const { at, errors, reason, route, status, userId: _userId, ...rest } = request;
  return {
    ...rest,
    at: at.toISOString(),
    // Written as in the API document.
    route: route.replace(/:(\w+)/g, '{$1}'),
    status,
    code: codeOf(status),
    reason,
    remedy: status < 400 ? null : remedyOf(reason),
    errors: errors ?? [],
  };
}
