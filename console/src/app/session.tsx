import { type Data, LotwardError } from '@lotward/client';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, keepCsrfToken } from './api.js';
import { queries, SESSION } from './queries.js';

type AnySession = Data<'/v2/session', 'get'>;
/** A session whose sign-in is complete, with its second factor where one is needed. */
export type Session = AnySession & {
  user: NonNullable<AnySession['user']>;
  organization: NonNullable<AnySession['organization']>;
};

/** Null: no one is signed in here. */
export function useSessionQuery() {
  return useQuery({
    queryKey: SESSION,
    staleTime: 60_000,
    async queryFn(): Promise<AnySession | null> {
      try {
        const session = await api.get('/v2/session');
        keepCsrfToken(session.csrfToken);
        return session;
      } catch (error) {
        if (error instanceof LotwardError && error.status === 401) return null;
        throw error;
      }
    },
  });
}

/** Signs out on this page: the sign-in form takes its place. */
export function endSession(): void {
  keepCsrfToken(null);
  queries.setQueryData(SESSION, null);
}

/**
 * Removes everything that was fetched for the person who was signed in, however the session ended: the next person may be
 * another. Requests in flight are cancelled first, so that their answers do not fill the cache again.
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

/** Whether the person signed in has a scope. What they may not do is not offered. */
export function useMay(): (scope: string) => boolean {
  const session = useContext(CurrentSession);
  const scopes = new Set<string>(session?.user.scopes ?? []);
  return (scope) => scopes.has(scope);
}
