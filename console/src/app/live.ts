import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SESSION } from './session.js';

/** Which lists a kind of news is about: those that are looked at are asked for again. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  events: ['/v2/orders', '/v2/dispatches', '/v2/receipts', '/v2/inventory', '/v2/events', '/v2/overview'],
  deliveries: ['/v2/webhooks'],
  alerts: ['/v2/environment'],
  dispatches: ['/v2/dispatches'],
};

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** News from the server, as long as the page is open and somebody is signed in. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => listen(queries), [queries]);
}

/** Answers how to stop. A browser gives up at the first answer that is not a stream: then we connect again, ever later. */
export function listen(queries: QueryClient): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;
  let wasAway = false;

  const renew = (prefixes: readonly string[]) =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [path] }) =>
        typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix)),
    });
  const connect = () => {
    source = new EventSource('/stream');
    for (const [kind, prefixes] of Object.entries(ABOUT))
      source.addEventListener(kind, () => renew(prefixes));
    source.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS;
      // What happened meanwhile was told to nobody.
      if (wasAway) renew(Object.values(ABOUT).flat());
      wasAway = false;
    });
    source.addEventListener('error', () => {
      wasAway = true;
      if (source.readyState !== EventSource.CLOSED) return;
      // If the session has ended, this finds out, and whoever shows the page takes it away, and us with it.
      queries.invalidateQueries({ queryKey: SESSION });
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
