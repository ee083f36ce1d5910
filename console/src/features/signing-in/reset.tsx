import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { PageLink } from '../../ui/links.js';
import { Problem } from '../../ui/problem.js';
import { Card } from './card.js';
import { useLinkToken } from './link-token.js';
import { NewPassword } from './new-password.js';
import { signingInWords } from './words.js';

/** With the link from a mail, chooses a new password; otherwise requests the mail. */
export default function Reset() {
  const token = useLinkToken();
  return token === null ? <AskForMail /> : <Choose token={token} />;
}

function AskForMail() {
  const words = useWords(signingInWords);
  const [email, setEmail] = useState('');
  const ask = useMutation({
    mutationFn: () => api.post('/v2/password-resets', { body: { email: email.trim() } }),
  });
  return (
    <Card title={words.resetTitle} hint={words.resetAsk}>
      {ask.isSuccess ? (
        <Alert color="teal" role="status">
          {words.resetSent}
        </Alert>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            ask.mutate();
          }}
        >
          <Stack>
            <TextInput
              label={words.email}
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            {ask.isError && <Problem error={ask.error} action={words.resetSend} />}
            <Button type="submit" loading={ask.isPending}>
              {words.resetSend}
            </Button>
          </Stack>
        </form>
      )}
      <ToSignIn />
    </Card>
  );
}

function Choose({ token }: { token: string }) {
  const words = useWords(signingInWords);
  const save = useMutation({
    mutationFn: (password: string) => api.post('/v2/password-resets/complete', { body: { token, password } }),
  });
  return (
    <Card title={words.resetTitle}>
      {save.isSuccess ? (
        <Alert color="teal" role="status">
          {words.passwordSaved}
        </Alert>
      ) : (
        <NewPassword
          submit={words.savePassword}
          onSubmit={(password) => save.mutate(password)}
          pending={save.isPending}
          error={save.error}
        />
      )}
      <ToSignIn />
    </Card>
  );
}

export function ToSignIn() {
  const words = useWords(signingInWords);
  return (
    <PageLink to="/" ta="center">
      {words.toSignIn}
    </PageLink>
  );
}
