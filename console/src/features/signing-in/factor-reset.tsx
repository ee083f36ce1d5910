import { Alert } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link2Off } from 'lucide-react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { refreshSession } from '../../app/queries.js';
import { Empty } from '../../ui/empty.js';
import { Card } from './card.js';
import { useLinkToken } from './link-token.js';
import { OwnPassword } from './new-password.js';
import { ToSignIn } from './reset.js';
import { signingInWords } from './words.js';

/** Target of the link with which a person turns off a lost second factor. */
export default function FactorReset() {
  const words = useWords(signingInWords);
  const token = useLinkToken();
  const confirm = useMutation({
    mutationFn: (password: string) =>
      api.post('/v2/second-factor-resets/confirm', { body: { token: token ?? '', password } }),
    onSuccess: refreshSession,
  });
  return (
    <Card title={words.factorResetTitle} hint={token === null ? undefined : words.factorResetHint}>
      {token === null ? (
        <Empty title={words.badLink} hint={words.badLinkHint} icon={Link2Off} />
      ) : confirm.isSuccess ? (
        <Alert color="teal" role="status">
          {words.factorResetDone}
        </Alert>
      ) : (
        <OwnPassword
          submit={words.factorResetSubmit}
          onSubmit={(password) => confirm.mutate(password)}
          pending={confirm.isPending}
          error={confirm.error}
        />
      )}
      <ToSignIn />
    </Card>
  );
}
