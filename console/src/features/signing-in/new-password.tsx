import { Button, PasswordInput, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../app/language.js';
import { Problem } from '../../ui/problem.js';
import { signingInWords } from './words.js';

interface PasswordFormProps {
  submit: string;
  onSubmit: (password: string) => void;
  pending: boolean;
  error: unknown;
  /** Fields above the password. */
  children?: ReactNode;
}

/** Chooses a password. */
export const NewPassword = (props: PasswordFormProps) => <PasswordForm {...props} isNew />;

/** Asks for the existing password. */
export const OwnPassword = (props: PasswordFormProps) => <PasswordForm {...props} isNew={false} />;

function PasswordForm({
  submit,
  onSubmit,
  pending,
  error,
  isNew,
  children,
}: PasswordFormProps & { isNew: boolean }) {
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
        {children}
        <PasswordInput
          label={isNew ? words.newPassword : words.yourPassword}
          description={isNew ? words.passwordHint : undefined}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          minLength={isNew ? 12 : undefined}
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
