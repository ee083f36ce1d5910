import { Box, Button, Group, TextInput } from '@mantine/core';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { refreshSession } from '../../app/queries.js';
import { useSession } from '../../app/session.js';
import { useForm } from '../../ui/form.js';
import { refreshNames } from '../../ui/person.js';
import { Problem } from '../../ui/problem.js';
import { accountWords } from './account-words.js';

const NAME_MAX = 100;

/** The name of the person, for records and paper. */
export function NameForm() {
  const words = useWords(accountWords);
  const { user } = useSession();
  const { form, action, submit, retry } = useForm({
    initial: { name: user.name ?? '' },
    async run({ name }: { name: string }) {
      await api.patch('/v2/session', { body: { name: name.trim() || null } });
      await Promise.all([refreshSession(), refreshNames()]);
    },
    done: words.nameSaved,
  });
  return (
    <form onSubmit={submit}>
      <TextInput
        label={words.ownName}
        description={words.ownNameHint}
        autoComplete="name"
        maxLength={NAME_MAX}
        mb="md"
        // The hint has the full width, while the field shares it with the button.
        inputContainer={(field) => (
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <Box flex={1}>{field}</Box>
            <Button
              type="submit"
              variant="default"
              loading={action.isPending}
              disabled={form.values.name.trim() === (user.name ?? '')}
            >
              {words.saveName}
            </Button>
          </Group>
        )}
        {...form.text('name')}
      />
      {action.isError && <Problem error={action.error} action={words.saveName} onRetry={retry} />}
    </form>
  );
}
