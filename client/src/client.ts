import { authenticator, type ClientCredentials } from './credentials.js';
import type { EventType, LotwardEvent } from './events.js';
import { type RetryPolicy, retrying } from './retry.js';
import { readAnswer, sender, urlOf } from './transport.js';
import type { CallOptions, Data, Item, ListPath, Method, PathOf, Settings } from './types.js';

export type ClientOptions = ClientCredentials & {
  /** Where the service is: `https://lotward.example`. */
  baseUrl: string;
  /** How long one try may take; 30,000. */
  timeoutMs?: number;
  /** How often a call is tried again when the service is busy or away; 4. */
  retries?: number;
  /** Told before each wait. */
  onRetry?: RetryPolicy['onRetry'];
  fetch?: typeof globalThis.fetch;
};

/** Nothing needs to be given where nothing is needed. */
type RestOf<P extends PathOf<M>, M extends Method> =
  object extends CallOptions<P, M> ? [options?: CallOptions<P, M>] : [options: CallOptions<P, M>];

/** The service, as one credential sees it. Each method answers with `data`, or throws a LotwardError or NoAnswer. */
export interface Lotward {
  get<P extends PathOf<'get'>>(path: P, ...rest: RestOf<P, 'get'>): Promise<Data<P, 'get'>>;
  post<P extends PathOf<'post'>>(path: P, ...rest: RestOf<P, 'post'>): Promise<Data<P, 'post'>>;
  put<P extends PathOf<'put'>>(path: P, ...rest: RestOf<P, 'put'>): Promise<Data<P, 'put'>>;
  patch<P extends PathOf<'patch'>>(path: P, ...rest: RestOf<P, 'patch'>): Promise<Data<P, 'patch'>>;
  delete<P extends PathOf<'delete'>>(path: P, ...rest: RestOf<P, 'delete'>): Promise<Data<P, 'delete'>>;
  /** Every item of a list, page after page, as they are asked for. */
  each<P extends ListPath>(path: P, ...rest: RestOf<P, 'get'>): AsyncGenerator<Item<P>, void, undefined>;
  /**
   * The event feed, page after page, until it has caught up; the last page may be empty. Keep `cursor` once the events of a page are dealt with:
   * given as `after` it goes on from there.
   *
   * Throws `LotwardError` with reason `cursor_ahead` when the service was restored to before `after`, and `cursor_expired` when
   * events after it were removed by age. Begin again without `after`, and pass over events whose `eventId` you have.
   */
  eventPages(options?: FeedOptions): AsyncGenerator<EventPage, void, undefined>;
}

export interface FeedOptions {
  after?: string;
  eventType?: EventType;
  limit?: number;
  signal?: AbortSignal;
}

export interface EventPage {
  events: LotwardEvent[];
  cursor: string;
}

/** A call with its types erased. */
interface AnyCall extends Settings {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

const RETRIES = 4;
const TIMEOUT_MS = 30_000;

export function createClient(options: ClientOptions): Lotward {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const send = sender(options.fetch ?? globalThis.fetch, options.timeoutMs ?? TIMEOUT_MS);
  const auth = authenticator(baseUrl, options, send);
  const policy = { retries: options.retries ?? RETRIES, onRetry: options.onRetry };

  const call = async (method: Uppercase<Method>, path: string, given: AnyCall = {}): Promise<unknown> => {
    const url = urlOf(baseUrl, path, given.path, given.query);
    const idempotencyKey = method === 'POST' ? (given.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const attempt = async () => {
      const init = {
        method,
        headers: {
          ...(await auth.headers(method)),
          ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
        ...(given.signal ? { signal: given.signal } : {}),
      };
      return send(url, init);
    };
    // Every method but POST may be repeated as it is; POST because of its key.
    return retrying(policy, true, given.signal, async () => {
      const answer = await attempt();
      // A token can be ended at any time: one try with a new one.
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
  { signal, ...query }: FeedOptions,
): AsyncGenerator<EventPage, void, undefined> {
  let after = query.after;
  for (let more = true; more; ) {
    const page = (await get('/v2/events', {
      query: { ...query, ...(after === undefined ? {} : { after }) },
      ...(signal ? { signal } : {}),
    })) as { items: LotwardEvent[]; nextCursor: string; hasMore: boolean };
    yield { events: page.items, cursor: page.nextCursor };
    after = page.nextCursor;
    more = page.hasMore;
  }
}
