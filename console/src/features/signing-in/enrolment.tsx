import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keepCsrfToken } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { Problem } from '../../ui/problem.js';
import { AuthenticatorSetup } from './authenticator-setup.js';
import { Card } from './card.js';
import { RecoveryCodes } from './recovery-codes.js';
import { StartAgain } from './start-again.js';
import { signingInWords } from './words.js';

/** An administrator's first sign-in: the second factor must be set up before anything else. */
export default function Enrolment({ onDone }: { onDone: () => void }) {
  const words = useWords(signingInWords);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useMutation({ mutationFn: () => api.post('/v2/session/totp', { body: {} }) });
  if (codes)
    return (
      <Card title={words.recoveryTitle} hint={words.recoveryHint}>
        <RecoveryCodes codes={codes} onKept={onDone} />
      </Card>
    );
  return (
    <Card title={words.enrolTitle} hint={words.enrolHint}>
      {begin.data ? (
        <AuthenticatorSetup
          secret={begin.data.secret}
          uri={begin.data.otpauthUri}
          onConfirmed={(confirmed) => {
            keepCsrfToken(confirmed.csrfToken);
            setCodes(confirmed.recoveryCodes);
          }}
        />
      ) : (
        <Stack>
          {begin.isError && <Problem error={begin.error} action={words.enrolBegin} />}
          <Button onClick={() => begin.mutate()} loading={begin.isPending}>
            {words.enrolBegin}
          </Button>
        </Stack>
      )}
      <StartAgain onDone={onDone} />
    </Card>
  );
}
