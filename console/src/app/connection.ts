import { LotwardError, NoAnswer } from '@lotward/client';
import { useSyncExternalStore } from 'react';
import { queries } from './queries.js';

/** Statuses that a proxy returns while its service is down. */
const GATEWAY = new Set([502, 503, 504]);
/** The service responds but can do nothing without its database. */
const WITHOUT_DATABASE = new Set(['database_unavailable', 'shutting_down']);

/** Whether a request failed because the service was unreachable, so that the same request may succeed later. */
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
  // The pages show old data, so changes since then are fetched now.
  else queries.invalidateQueries();
  for (const listener of listeners) listener();
}

/**
 * A response to a request resets the wait, but a probe does not: a service that is ready and yet fails is probed less often,
 * too.
 */
function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(checkConnection, waitMs * (0.75 + Math.random() / 4));
  waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
}

/** Checks whether the service is reachable, and repeats with back-off until it is. */
export async function checkConnection(): Promise<void> {
  const isReady = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isReady || !isAway) change(!isReady);
  else schedule();
}

/** Notes the result of a request; undefined for a success. A cancelled request says nothing. */
export function noteResult(error?: unknown): void {
  if (isUnreachable(error)) change(true);
  else if (error === undefined || error instanceof LotwardError) {
    waitMs = FIRST_WAIT_MS;
    change(false);
  }
}

/** The browser notices before any request that its network is lost or restored. */
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
