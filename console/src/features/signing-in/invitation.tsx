import { Center, Loader, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Link2Off } from 'lucide-react';
import { useState } from 'react';
import { api, keepCsrfToken } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { refreshSession } from '../../app/queries.js';
import { Empty } from '../../ui/empty.js';
import { Card } from './card.js';
import { useLinkToken } from './link-token.js';
import { NewPassword, OwnPassword } from './new-password.js';
import { ToSignIn } from './reset.js';
import { signingInWords } from './words.js';

/** Target of the link in an invitation. */
export default function Invitation() {
  const words = useWords(signingInWords);
  const token = useLinkToken() ?? '';
  const navigate = useNavigate();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.post('/v2/invitations/read', { body: { token } }),
    enabled: token !== '',
  });
  const [name, setName] = useState('');
  const accept = useMutation({
    mutationFn: (password: string) => {
      const named = name.trim() === '' ? {} : { name: name.trim() };
      return api.post('/v2/invitations/accept', { body: { token, password, ...named } });
    },
    async onSuccess({ csrfToken }) {
      keepCsrfToken(csrfToken);
      await refreshSession();
      navigate({ to: '/' });
    },
  });
  if (token === '' || invitation.isError)
    return (
      <Card title={words.invitationTitle}>
        <Empty title={words.badLink} hint={words.badLinkHint} icon={Link2Off} />
        <ToSignIn />
      </Card>
    );
  if (!invitation.data)
    return (
      <Center h="60vh">
        <Loader />
      </Center>
    );
  const { email, organization, hasAccount } = invitation.data;
  const form = {
    onSubmit: (password: string) => accept.mutate(password),
    pending: accept.isPending,
    error: accept.error,
  };
  return hasAccount ? (
    <Card title={words.invitationTitle} hint={words.invitedAgain(organization.name, email)}>
      <OwnPassword submit={words.join} {...form} />
    </Card>
  ) : (
    <Card title={words.invitationTitle} hint={words.invitedBy(organization.name, email)}>
      <NewPassword submit={words.accept} {...form}>
        <TextInput
          label={words.yourName}
          description={words.yourNameHint}
          autoComplete="name"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </NewPassword>
    </Card>
  );
}
