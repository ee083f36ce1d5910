import type { Data } from '@lotward/client';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useWords } from '../../app/language.js';
import { ShownOnce } from '../../ui/shown-once.js';
import { userWords } from './user-words.js';

type LinkedUser = Data<'/v2/settings/users', 'post'>;

const HandOver = createContext<(user: LinkedUser) => void>(() => {});

/** For an action whose response may contain a link: a link that is not mailed is shown once. */
export const useHandOver = (): ((user: LinkedUser) => void) => useContext(HandOver);

/** Above the list of users, because the action's window may close and its row may change before the link is copied. */
export function HandedLinks({ children }: { children: ReactNode }) {
  const words = useWords(userWords);
  const [user, setUser] = useState<LinkedUser | null>(null);
  return (
    <HandOver
      value={(answered) => {
        if (answered.link !== null) setUser(answered);
      }}
    >
      {children}
      <ShownOnce
        opened={user !== null}
        title={words.handOver}
        hint={words.handOverHint(user?.email ?? '')}
        kept={words.handedOver}
        secrets={[[words.handOverLink, user?.link ?? '']]}
        onKept={() => setUser(null)}
      />
    </HandOver>
  );
}
