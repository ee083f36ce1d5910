import { LotwardError } from '@lotward/client';
import { queries, refreshSession, SESSION } from './queries.js';

/** Paths of signing in and out, which need no session. */
export const isSignIn = (path: string): boolean =>
  /^\/v2\/(session|invitations|password-resets|second-factor-resets)(\/|$)/.test(path);

interface Identified {
  user?: { userId: string } | null;
  organization?: { code: string } | null;
}

/** The person and the organization of a complete session; null without one. */
export const identityOf = (session: Identified | null | undefined): string | null =>
  session?.user && session.organization ? `${session.organization.code}:${session.user.userId}` : null;

/** The identity of the current session. */
export const identityNow = (): string | null => identityOf(queries.getQueryData<Identified | null>(SESSION));

/** Writes waiting until the person has signed in again. */
let waiting: ((isBack: boolean) => void)[] = [];

/** Sends the waiting writes, or abandons them. */
export function settleWaiting(isBack: boolean): void {
  const all = waiting;
  waiting = [];
  for (const settle of all) settle(isBack);
}

/** The session has ended, or another window has started a new one, whose CSRF token this page does not know. */
const ENDED = new Set(['credential_missing', 'credential_invalid', 'cross_site_request']);
const isEnded = (error: unknown): boolean =>
  error instanceof LotwardError && error.errors.some(({ reason }) => ENDED.has(reason));

/** Repeats a write after the same person has signed in to the same organization again. */
export async function withSession<R>(path: string, send: () => Promise<R>): Promise<R> {
  const before = identityNow();
  try {
    return await send();
  } catch (error) {
    if (isSignIn(path) || !isEnded(error)) throw error;
    const isBack = new Promise<boolean>((resolve) => waiting.push(resolve));
    await refreshSession();
    const now = identityNow();
    if (now !== null) settleWaiting(now === before);
    if (!(await isBack)) throw error;
    return send();
  }
}
