import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import type { EventEnvelope } from '../events/index.js';
import { deliveryIdOf, pushHeaders, signingKey } from '../webhooks/index.js';
import { say, UsageError } from './output.js';

export interface RelayOptions {
  /** Origin of the server. */
  server: URL;
  apiKey: string;
  /** Null: events are only printed. */
  forwardTo: URL | null;
  /** Empty: all that the key may read. */
  eventTypes: readonly string[];
  /** Null: from the present on. */
  since: string | null;
  secret: string;
  /** Belongs to no webhook; the ids of deliveries contain part of it. */
  webhookId: string;
  headerPrefix: string;
  /** How long the local receiver may take. */
  timeoutMs: number;
  signal: AbortSignal;
}

interface FeedPage {
  items: EventEnvelope[];
  nextCursor: string;
  hasMore: boolean;
}

const PAGE = 100;
/** Thirty requests a minute leave room for other programs with the same key, even where the limit is a hundred. */
const POLL_MS = 2_000;
const REQUEST_MS = 30_000;
const BACK_OFF_MAX_MS = 30_000;
/** No event is later: a page from here on is empty and ends at the current end of the feed. */
const NEVER = '9999-01-01T00:00:00Z';
/** Reads the event feed of a server and posts each event to a local receiver as a push, until the signal is aborted. */
export async function relayEvents(options: RelayOptions): Promise<void> {
  const { signal } = options;
  const counts = { relayed: 0, failed: 0 };
  try {
    let place = options.since === null ? { after: await endOfFeed(options) } : { since: options.since };
    say(
      options.since === null
        ? 'Waiting for events. Press Ctrl-C to stop.'
        : 'Reading events. Press Ctrl-C to stop.',
    );
    while (!signal.aborted) {
      const { items, nextCursor, hasMore } = await readPage(options, place);
      for (const event of items) counts[await relay(options, event)]++;
      place = { after: nextCursor };
      if (!hasMore) await pause(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    say(`${counts.relayed} relayed, ${counts.failed} failed.`);
  }
}

type Place = { after: string } | { since: string };

const endOfFeed = async (options: RelayOptions): Promise<string> =>
  (await readPage(options, { since: NEVER })).nextCursor;

/** Retries until there is a page. Only a permanent refusal ends it. */
async function readPage(options: RelayOptions, place: Place): Promise<FeedPage> {
  const { signal } = options;
  for (let failures = 0; ; failures++) {
    const answer = await askFeed(options, place);
    if ('page' in answer) {
      if (failures > 0) say('Reconnected.');
      return answer.page;
    }
    const backOffMs = Math.min(1_000 * 2 ** failures, BACK_OFF_MAX_MS);
    const waitMs = answer.retryAfterMs ?? backOffMs;
    say(`${answer.problem}; retrying in ${Math.ceil(waitMs / 1000)} s`);
    await pause(waitMs, undefined, { signal });
  }
}

type FeedAnswer = { page: FeedPage } | { problem: string; retryAfterMs: number | null };

async function askFeed(
  { server, apiKey, eventTypes, signal }: RelayOptions,
  place: Place,
): Promise<FeedAnswer> {
  const url = new URL('/v2/events', server);
  for (const [name, value] of Object.entries(place)) url.searchParams.set(name, value);
  for (const type of eventTypes) url.searchParams.append('eventType', type);
  url.searchParams.set('limit', String(PAGE));
  try {
    const { statusCode, headers, body } = await request(url, {
      headers: { authorization: `Bearer ${apiKey}`, 'user-agent': 'lotward-cli' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    const text = await body.text();
    if (statusCode === 200) return { page: pageIn(text) };
    const seconds = Number(headers['retry-after']);
    const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3_600) * 1_000 : null;
    if (statusCode === 429) return { problem: 'The rate limit of the key is reached', retryAfterMs };
    if (statusCode >= 500) return { problem: `The server answered ${statusCode}`, retryAfterMs };
    throw new UsageError(`${server.origin} answered ${statusCode}: ${reasonIn(text)}`);
  } catch (error) {
    if (error instanceof UsageError || signal.aborted) throw error;
    return { problem: `${server.origin} cannot be reached (${causeOf(error)})`, retryAfterMs: null };
  }
}

function pageIn(text: string): FeedPage {
  const page = dataIn(text) as Partial<FeedPage> | null;
  if (!Array.isArray(page?.items) || typeof page.nextCursor !== 'string')
    throw new UsageError('The response is not that of a Lotward server. Check --server.');
  return page as FeedPage;
}

function dataIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { data?: unknown }).data ?? null;
  } catch {
    return null;
  }
}

function reasonIn(text: string): string {
  try {
    const { message, errors = [] } = JSON.parse(text) as { message: string; errors?: { message: string }[] };
    return printable([message, ...errors.map((issue) => issue.message)].join('; '));
  } catch {
    return 'this is not the response of a Lotward server. Check --server.';
  }
}

/**
 * Pushes an event as a worker does, but only once: a developer who watches wants to see the failure and then the next event.
 */
async function relay(options: RelayOptions, event: EventEnvelope): Promise<'relayed' | 'failed'> {
  const { forwardTo, secret, webhookId, headerPrefix, signal, timeoutMs } = options;
  const body = Buffer.from(JSON.stringify(event));
  const { eventId, eventType } = event;
  const what = `${event.timestamp}  ${eventType} ${eventId}`;
  if (forwardTo === null) {
    print(`${what}\n  ${body.toString('utf8')}`);
    return 'relayed';
  }
  const push = { eventId, eventType, deliveryId: deliveryIdOf(webhookId, eventId), attempt: 1, body };
  const headers = pushHeaders(headerPrefix, [signingKey(secret), null], push, new Date());
  const startedMs = performance.now();
  try {
    const answer = await request(forwardTo, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const said = await answer.body.text();
    const tookMs = Math.round(performance.now() - startedMs);
    const isDelivered = answer.statusCode >= 200 && answer.statusCode < 300;
    const excerpt = isDelivered || said === '' ? '' : `\n  ${printable(said)}`;
    print(`${what}  ${isDelivered ? 'delivered' : 'FAILED'}: ${answer.statusCode} in ${tookMs} ms${excerpt}`);
    return isDelivered ? 'relayed' : 'failed';
  } catch (error) {
    if (signal.aborted) throw error;
    print(`${what}  FAILED: ${causeOf(error)}`);
    return 'failed';
  }
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const EXCERPT = 200;

/** Text of another program, without characters that could steer the terminal. */
const printable = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, EXCERPT);

function causeOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'no answer in time';
  return code ?? message;
}
