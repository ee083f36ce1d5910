import type { Data } from '@lotward/client';
import { Alert, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useSession } from '../../app/session.js';
import { PageLink } from '../../ui/links.js';
import { accountWords } from './account-words.js';

export type OwnCredential = Data<'/v2/session/credentials', 'get'>['items'][number];

export const isUnconfirmedOf = (email: string) => (credential: OwnCredential) =>
  credential.owner === email && !credential.ownerConfirmed;

/** Shown on the start page when another person created a credential in this person's name. */
export function UnconfirmedNotice() {
  const words = useWords(accountWords);
  const { user } = useSession();
  const own = useResource('/v2/session/credentials');
  const count = own.data?.items.filter(isUnconfirmedOf(user.email)).length ?? 0;
  if (count === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<KeyRound size={18} />} title={words.unconfirmed(count)}>
      <Text size="sm">
        {words.unconfirmedHint} <PageLink to="/account">{words.toCredentials}</PageLink>
      </Text>
    </Alert>
  );
}
