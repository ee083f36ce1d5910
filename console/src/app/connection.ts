import { LotwardError, NoAnswer } from '@lotward/client';
import { useSyncExternalStore } from 'react';
import { queries } from './queries.js';

/** Statuses with which a proxy answers while its service is gone. */
const GATEWAY = new Set([502, 503, 504]);
/** The service answers, and can do nothing without its database. */
const WITHOUT_DATABASE = new Set(['database_unavailable', 'shutting_down']);

/** Whether a request failed because nobody was there to answer it: the same request may succeed later. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof NoAnswer ||
  (error instanceof LotwardError &&
    (GATEWAY.has(error.status) || error.errors.some(({ reason }) => WITHOUT_DATABASE.has(reason))));

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const PROBE_MS = 5_000;

let isAway = false;
let waitMs = FIRST_WAIT_MS;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: boolean): void {
  if (isAway === next) return;
  isAway = next;
  clearTimeout(timer);
  if (next) schedule();
  // The pages show what they had before: changes since then are fetched now.
  else queries.invalidateQueries();
  for (const listener of listeners) listener();
}

/** The wait is reset by an answer to a request, not by a probe: a service that is ready and fails is asked less often, too. */
function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(checkConnection, waitMs * (0.75 + Math.random() / 4));
  waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
}

/** Asks whether the service is there, and asks again, with back-off, until it is. */
export async function checkConnection(): Promise<void> {
  const isReady = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isReady || !isAway) change(!isReady);
  else schedule();
}

/** Notes the result of a request: of a success, undefined. A cancelled request says nothing. */
export function noteResult(error?: unknown): void {
  if (isUnreachable(error)) change(true);
  else if (error === undefined || error instanceof LotwardError) {
    waitMs = FIRST_WAIT_MS;
    change(false);
  }
}

/** The browser knows before any request that its network is gone or back. */
export function watchNetwork(): void {
  addEventListener('offline', checkConnection);
  addEventListener('online', checkConnection);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the service cannot be reached at the moment. */
export const isAwayNow = (): boolean => isAway;
export const useIsAway = (): boolean => useSyncExternalStore(subscribe, isAwayNow);
