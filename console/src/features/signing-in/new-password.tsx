import { Button, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../app/language.js';
import { Problem } from '../../ui/problem.js';
import { signingInWords } from './words.js';

/** Chooses a password. */
export function NewPassword({
  submit,
  onSubmit,
  pending,
  error,
}: {
  submit: string;
  onSubmit: (password: string) => void;
  pending: boolean;
  error: unknown;
}) {
  const words = useWords(signingInWords);
  const [password, setPassword] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(password);
      }}
    >
      <Stack>
        <PasswordInput
          label={words.newPassword}
          description={words.passwordHint}
          autoComplete="new-password"
          required
          minLength={12}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {error !== null && <Problem error={error} action={submit} />}
        <Button type="submit" loading={pending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
