import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { api, keepCsrfToken } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useForm } from '../../ui/form.js';
import { Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { accountWords } from './account-words.js';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordPanel() {
  const words = useWords(accountWords);
  const { form, action, submit, retry } = useForm({
    initial: EMPTY,
    async run(body: typeof EMPTY) {
      const changed = await api.post('/v2/session/password', { body });
      keepCsrfToken(changed.csrfToken);
    },
    done: words.passwordChanged,
    onDone: () => form.set(EMPTY),
  });
  return (
    <Panel title={words.password} hint={words.passwordHint}>
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            label={words.currentPassword}
            autoComplete="current-password"
            required
            {...form.text('currentPassword')}
          />
          <PasswordInput
            label={words.newPassword}
            description={words.newPasswordHint}
            autoComplete="new-password"
            required
            minLength={12}
            {...form.text('newPassword')}
          />
          {action.isError && <Problem error={action.error} action={words.changePassword} onRetry={retry} />}
          <Group justify="flex-end">
            <Button type="submit" loading={action.isPending}>
              {words.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
