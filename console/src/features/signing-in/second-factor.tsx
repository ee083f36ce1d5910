import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keepCsrfToken } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { Problem } from '../../ui/problem.js';
import { Card } from './card.js';
import { StartAgain } from './start-again.js';
import { signingInWords } from './words.js';

export function SecondFactor({ onDone }: { onDone: () => void }) {
  const words = useWords(signingInWords);
  const [recovering, setRecovering] = useState(false);
  const [code, setCode] = useState('');
  const give = useMutation({
    mutationFn: () =>
      api.post('/v2/session/second-factor', {
        body: recovering ? { recoveryCode: code.trim() } : { code: code.replace(/\s/g, '') },
      }),
    onSuccess({ csrfToken }) {
      keepCsrfToken(csrfToken);
      onDone();
    },
  });
  return (
    <Card title={words.secondFactor}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          give.mutate();
        }}
      >
        <Stack>
          <TextInput
            key={String(recovering)}
            label={recovering ? words.recoveryCode : words.code}
            description={recovering ? undefined : words.codeHint}
            inputMode={recovering ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          {give.isError && <Problem error={give.error} action={words.confirm} />}
          <Button type="submit" loading={give.isPending}>
            {words.confirm}
          </Button>
          <Button
            variant="subtle"
            onClick={() => {
              give.reset();
              setCode('');
              setRecovering(!recovering);
            }}
          >
            {recovering ? words.useAuthenticator : words.useRecovery}
          </Button>
          <StartAgain onDone={onDone} />
        </Stack>
      </form>
    </Card>
  );
}
