import { type Data, LotwardError } from '@lotward/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, keepCsrfToken } from './api.js';

type AnySession = Data<'/v2/session', 'get'>;
/** Of somebody who is all the way in. */
export type Session = AnySession & {
  user: NonNullable<AnySession['user']>;
  organization: NonNullable<AnySession['organization']>;
};

export const SESSION = ['session'] as const;

/** Null: nobody is signed in here. */
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

/** Everything known is forgotten at once: another person may sign in. */
export function useSessionEnd() {
  const queries = useQueryClient();
  return () => {
    keepCsrfToken(null);
    queries.setQueryData(SESSION, null);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  };
}

/** Whether somebody is all the way in: only then the service says who. */
export const isComplete = (session: AnySession | null): session is Session => session?.status === 'complete';

export const CurrentSession = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(CurrentSession);
  if (!session) throw new Error('nobody is signed in');
  return session;
}

/** May whoever is signed in do this? What they may not do is not offered. */
export function useMay(): (scope: string) => boolean {
  const session = useContext(CurrentSession);
  const scopes = new Set<string>(session?.user.scopes ?? []);
  return (scope) => scopes.has(scope);
}
