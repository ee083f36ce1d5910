import type { Data } from '@lotward/client';
import { Button, Center, Code, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { Problem } from '../../ui/problem.js';
import { signingInWords } from './words.js';

type Confirmed = Data<'/v2/session/totp/confirm', 'post'>;

/** The secret to scan, and the first code as proof that it was scanned. */
export function AuthenticatorSetup({
  secret,
  uri,
  onConfirmed,
}: {
  secret: string;
  uri: string;
  onConfirmed: (confirmed: Confirmed) => void;
}) {
  const words = useWords(signingInWords);
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => api.post('/v2/session/totp/confirm', { body: { code: code.replace(/\s/g, '') } }),
    onSuccess: onConfirmed,
  });
  const picture = `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <Stack>
        <Center>
          <img src={picture} width={200} height={200} alt={words.qr} />
        </Center>
        <Text size="sm" ta="center">
          {words.orType} <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
        </Text>
        <TextInput
          label={words.code}
          description={words.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {confirm.isError && <Problem error={confirm.error} action={words.confirm} />}
        <Button type="submit" loading={confirm.isPending}>
          {words.confirm}
        </Button>
      </Stack>
    </form>
  );
}
