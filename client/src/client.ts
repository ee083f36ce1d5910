import { authenticator, type ClientCredentials } from './credentials.js';
import type { EventType, LotwardEvent } from './events.js';
import { type RetryPolicy, retrying } from './retry.js';
import { readAnswer, sender, urlOf } from './transport.js';
import type { CallOptions, Data, Item, ListPath, Method, PathOf, Settings } from './types.js';

/** Options of {@link createClient}: a credential, and where and how to call. */
export type ClientOptions = ClientCredentials & {
  /** The origin of the service: `https://lotward.example`. */
  baseUrl: string;
  /** The timeout of one attempt in milliseconds. Default: 30,000. */
  timeoutMs?: number;
  /** The number of retries when the service is overloaded or unreachable. Default: 4. */
  retries?: number;
  /** Called before each wait. */
  onRetry?: RetryPolicy['onRetry'];
  /** Replaces the global `fetch`, for a proxy or a test. */
  fetch?: typeof globalThis.fetch;
};

/** The options of a call may be left out where none is required. */
type RestOf<P extends PathOf<M>, M extends Method> =
  object extends CallOptions<P, M> ? [options?: CallOptions<P, M>] : [options: CallOptions<P, M>];

/**
 * The API as one credential sees it. Each method resolves to `data` of the response, or rejects with a
 * {@link LotwardError} or a {@link NoAnswer}.
 */
export interface Lotward {
  /** Reads a resource or one page of a list. */
  get<P extends PathOf<'get'>>(path: P, ...rest: RestOf<P, 'get'>): Promise<Data<P, 'get'>>;
  /** Creates something or runs an action. Sent with an `Idempotency-Key`, so that retries take effect once. */
  post<P extends PathOf<'post'>>(path: P, ...rest: RestOf<P, 'post'>): Promise<Data<P, 'post'>>;
  /** Creates or replaces a resource. */
  put<P extends PathOf<'put'>>(path: P, ...rest: RestOf<P, 'put'>): Promise<Data<P, 'put'>>;
  /** Changes parts of a resource. Sent with an `Idempotency-Key`, so that retries take effect once. */
  patch<P extends PathOf<'patch'>>(path: P, ...rest: RestOf<P, 'patch'>): Promise<Data<P, 'patch'>>;
  /** Removes a resource. */
  delete<P extends PathOf<'delete'>>(path: P, ...rest: RestOf<P, 'delete'>): Promise<Data<P, 'delete'>>;
  /** Iterates over all items of a list, fetching pages as needed. */
  each<P extends ListPath>(path: P, ...rest: RestOf<P, 'get'>): AsyncGenerator<Item<P>, void, undefined>;
  /**
   * Iterates over the pages of the event feed until it has caught up; the last page may be empty. Store `cursor` after you have
   * processed the events of a page, and pass it as `after` to continue from there.
   *
   * Rejects with a {@link LotwardError} with reason `cursor_ahead` when the service was restored to a state before `after`, and
   * `cursor_expired` when events after it were removed by age. Start again without `after`, and skip events whose `eventId` you
   * have processed.
   */
  eventPages(options?: FeedOptions): AsyncGenerator<EventPage, void, undefined>;
}

/** Options of {@link Lotward.eventPages}. */
export interface FeedOptions {
  /** The cursor to continue from. Without it the feed starts at its oldest event, or at `since`. */
  after?: string;
  /** Without `after`: starts with events that happened at or after this instant. */
  since?: string;
  /** Only events of this type, or of these types. */
  eventType?: EventType | readonly EventType[];
  /** Events per page, 1 to 200. */
  limit?: number;
  /** Aborts the iteration. */
  signal?: AbortSignal;
}

/** One page of the event feed. */
export interface EventPage {
  /** The events, oldest first. */
  events: LotwardEvent[];
  /** The position after the last event. */
  cursor: string;
}

/** The options of a call with their types erased. */
interface AnyCall extends Settings {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

const RETRIES = 4;
const TIMEOUT_MS = 30_000;

/**
 * Creates a client of the API.
 *
 * @example
 * ```ts
 * const lotward = createClient({ baseUrl: 'https://lotward.example', apiKey: process.env.LOTWARD_KEY });
 * const stock = await lotward.get('/v2/inventory', { query: { productCode: '06901234567892' } });
 * ```
 */
export function createClient(options: ClientOptions): Lotward {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const send = sender(options.fetch ?? globalThis.fetch, options.timeoutMs ?? TIMEOUT_MS);
  const auth = authenticator(baseUrl, options, send);
  const policy = { retries: options.retries ?? RETRIES, onRetry: options.onRetry };

  const call = async (method: Uppercase<Method>, path: string, given: AnyCall = {}): Promise<unknown> => {
    const url = urlOf(baseUrl, path, given.path, given.query);
    const isKeyed = method === 'POST' || method === 'PATCH';
    const idempotencyKey = isKeyed ? (given.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const { ifMatch } = given;
    const attempt = async () => {
      const init = {
        method,
        headers: {
          ...(await auth.headers(method)),
          ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...(ifMatch === undefined ? {} : { 'if-match': conditionOf(ifMatch) }),
        },
        ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
        ...(given.signal ? { signal: given.signal } : {}),
      };
      return send(url, init);
    };
    // Safe for every method, because a repeated POST or PATCH carries the same idempotency key.
    return retrying(policy, true, given.signal, async () => {
      const answer = await attempt();
      // A token can be revoked at any time, so one attempt follows with a new one.
      return readAnswer(answer.status === 401 && auth.refused() ? await attempt() : answer);
    });
  };
  const get = (path: string, given: AnyCall) => call('GET', path, given);

  return {
    get: (path: string, given?: AnyCall) => call('GET', path, given),
    post: (path: string, given?: AnyCall) => call('POST', path, given),
    put: (path: string, given?: AnyCall) => call('PUT', path, given),
    patch: (path: string, given?: AnyCall) => call('PATCH', path, given),
    delete: (path: string, given?: AnyCall) => call('DELETE', path, given),
    each: (path: string, given: AnyCall = {}) => itemsOf(get, path, given),
    eventPages: (feed: FeedOptions = {}) => pagesOf(get, feed),
  } as unknown as Lotward;
}

/** A version is sent in quotes, like an entity tag. */
const conditionOf = (ifMatch: number | string): string =>
  typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch;

type Get = (path: string, given: AnyCall) => Promise<unknown>;

async function* itemsOf(get: Get, path: string, given: AnyCall): AsyncGenerator<unknown, void, undefined> {
  let cursor: string | null = null;
  do {
    const query: Record<string, unknown> = { ...given.query, ...(cursor === null ? {} : { cursor }) };
    const page = (await get(path, { ...given, query })) as { items: unknown[]; nextCursor: string | null };
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function* pagesOf(
  get: Get,
  { signal, since, ...query }: FeedOptions,
): AsyncGenerator<EventPage, void, undefined> {
  let after = query.after;
  for (let more = true; more; ) {
    const page = (await get('/v2/events', {
      query: { ...query, ...(after === undefined ? { since } : { after }) },
      ...(signal ? { signal } : {}),
    })) as { items: LotwardEvent[]; nextCursor: string; hasMore: boolean };
    yield { events: page.items, cursor: page.nextCursor };
    after = page.nextCursor;
    more = page.hasMore;
  }
}
