import { type Data, LotwardError, type SCOPES } from '@lotward/client';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import { api, keepCsrfToken } from './api.js';
import { queries, SESSION } from './queries.js';
import { settleWaiting } from './session-end.js';

type AnySession = Data<'/v2/session', 'get'>;
/** A session whose sign-in is complete, including a required second factor. */
export type Session = AnySession & {
  user: NonNullable<AnySession['user']>;
  organization: NonNullable<AnySession['organization']>;
};

/** Null if no one is signed in. */
export function useSessionQuery() {
  return useQuery({
    queryKey: SESSION,
    staleTime: 60_000,
    async queryFn(): Promise<AnySession | null> {
      try {
        const session = await api.get('/v2/session');
        keepCsrfToken(session.csrfToken);
        if (isComplete(session)) isSignedOut = false;
        return session;
      } catch (error) {
        if (error instanceof LotwardError && error.status === 401) return null;
        throw error;
      }
    },
  });
}

let isSignedOut = false;
/** Whether the person has signed out. A session that ended otherwise can be continued. */
export const hasSignedOut = (): boolean => isSignedOut;

/** Storage key that announces a sign-out to the other windows of this browser. */
const SIGNED_OUT = 'lotward.signed-out';

/** Signs out on this page, which then shows the sign-in form. */
export function endSession(): void {
  isSignedOut = true;
  settleWaiting(false);
  keepCsrfToken(null);
  queries.setQueryData(SESSION, null);
}

/** Signs out here and in the other windows of this browser, so that none keeps showing the person's data. */
export function endSessionEverywhere(): void {
  try {
    localStorage.setItem(SIGNED_OUT, String(Date.now()));
  } catch {
    // Without storage the other windows notice with their next request.
  }
  endSession();
}

/** Follows a sign-out in another window. */
export function useSignOutElsewhere(): void {
  useEffect(() => {
    const endHere = ({ key }: StorageEvent) => {
      if (key === SIGNED_OUT) endSession();
    };
    addEventListener('storage', endHere);
    return () => removeEventListener('storage', endHere);
  }, []);
}

/**
 * Removes everything fetched for the signed-in person, however the session ended, because the next person may be another.
 * Requests in flight are cancelled first, so that their responses do not refill the cache.
 */
export function removePersonalData(): void {
  const isPersonal = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== SESSION[0];
  notifications.clean();
  queries.cancelQueries({ predicate: isPersonal });
  queries.getMutationCache().clear();
  queries.resetQueries({ predicate: isPersonal });
}

/** Whether the sign-in is complete; only then does the session name its user. */
export const isComplete = (session: AnySession | null): session is Session => session?.status === 'complete';

export const CurrentSession = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(CurrentSession);
  if (!session) throw new Error('not signed in');
  return session;
}

/** A scope that exists: a typo would hide its feature from everyone. */
export type Scope = keyof typeof SCOPES;

/** Whether the signed-in person has a scope. Actions without permission are not offered. */
export function useMay(): (scope: Scope) => boolean {
  const session = useContext(CurrentSession);
  const scopes = new Set<string>(session?.user.scopes ?? []);
  return (scope) => scopes.has(scope);
}
