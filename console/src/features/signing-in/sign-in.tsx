import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, useState } from 'react';
import { api, keepCsrfToken } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useSessionQuery } from '../../app/session.js';
import { PageLink } from '../../ui/links.js';
import { Problem } from '../../ui/problem.js';
import { Card } from './card.js';
import { SecondFactor } from './second-factor.js';
import { signingInWords } from './words.js';

/** Loaded separately, because it is rarely needed and contains the QR code renderer. */
const Enrolment = lazy(() => import('./enrolment.js'));

export default function SignIn() {
  return <SignInSteps />;
}

/** Step by step: the password, then the second factor if the account needs one. */
export function SignInSteps({ email = '' }: { email?: string }) {
  const session = useSessionQuery();
  const status = session.data?.status;
  const again = () => {
    session.refetch();
  };
  if (status === 'second_factor') return <SecondFactor onDone={again} />;
  if (status === 'enrolment') return <Enrolment onDone={again} />;
  return <PasswordStep expected={email} onDone={again} />;
}

function PasswordStep({ expected, onDone }: { expected: string; onDone: () => void }) {
  const words = useWords(signingInWords);
  const [email, setEmail] = useState(expected);
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => api.post('/v2/session', { body: { email: email.trim(), password } }),
    onSuccess({ csrfToken }) {
      keepCsrfToken(csrfToken);
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <Card title={words.title}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.email}
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={words.password}
            autoComplete="current-password"
            required
            data-autofocus={expected !== '' || undefined}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {signIn.isError && <Problem error={signIn.error} action={words.signIn} />}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {words.signIn}
          </Button>
          <PageLink to="/password-reset" ta="center">
            {words.forgotten}
          </PageLink>
        </Stack>
      </form>
    </Card>
  );
}
