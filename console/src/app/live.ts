import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { checkConnection } from './connection.js';
import { queries, refreshPaths, SESSION } from './queries.js';

/** The paths that each kind of update concerns: displayed queries are refetched. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  events: ['/v2/orders', '/v2/dispatches', '/v2/receipts', '/v2/inventory', '/v2/events', '/v2/overview'],
  deliveries: ['/v2/webhooks'],
  alerts: ['/v2/environment'],
  dispatches: ['/v2/dispatches'],
};

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Follows updates from the server while the page is open and a person is signed in. */
export function useLiveUpdates(): void {
  useEffect(() => listen(queries, checkConnection), []);
}

/**
 * Returns a function that stops. A browser does not reconnect after a response that is not a stream, so this does, with
 * back-off.
 */
export function listen(cache: QueryClient, onBroken: () => void = () => {}): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;
  let wasAway = false;

  const connect = () => {
    source = new EventSource('/stream');
    for (const [kind, prefixes] of Object.entries(ABOUT))
      source.addEventListener(kind, () => refreshPaths(prefixes, cache));
    source.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS;
      // Updates sent in the meantime are lost.
      if (wasAway) refreshPaths(Object.values(ABOUT).flat(), cache);
      wasAway = false;
    });
    source.addEventListener('error', () => {
      // Only once, because the browser itself retries every few seconds.
      if (!wasAway) onBroken();
      wasAway = true;
      if (source.readyState !== EventSource.CLOSED) return;
      // If the session has ended, this notices it, and the page that listens is unmounted.
      cache.invalidateQueries({ queryKey: SESSION });
      timer = setTimeout(connect, waitMs * (0.75 + Math.random() / 4));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
