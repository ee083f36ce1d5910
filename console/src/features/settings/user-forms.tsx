import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { FormWindow } from '../../ui/form.js';
import { useHandOver } from './handed-link.js';
import { ROLES, type Role, roleWords } from './scope-words.js';
import type { User } from './user.types.js';
import { userWords } from './user-words.js';

function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const words = useWords(userWords);
  const roles = useWords(roleWords);
  return (
    <Radio.Group label={words.role} value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap="xs" mt={4}>
        {ROLES.map((role) => (
          <Radio key={role} value={role} label={roles[role]} description={roles.about[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface WindowProps {
  opened: boolean;
  onClose: () => void;
}

export function InviteWindow({ opened, onClose }: WindowProps) {
  const words = useWords(userWords);
  const handOver = useHandOver();
  return (
    <FormWindow
      opened={opened}
      onClose={onClose}
      title={words.invite}
      submitLabel={words.sendInvitation}
      initial={{ email: '', role: 'viewer' as Role }}
      run={({ email, role }) => api.post('/v2/settings/users', { body: { email: email.trim(), role } })}
      done={({ email, link }) => (link === null ? words.invited(email) : words.invitedByLink(email))}
      onDone={handOver}
    >
      {(form) => (
        <>
          <Text size="sm">{words.inviteHint}</Text>
          <TextInput
            label={words.email}
            type="email"
            required
            maxLength={254}
            data-autofocus
            {...form.text('email')}
          />
          <RoleChoice value={form.values.role} onChange={(role) => form.set({ role })} />
        </>
      )}
    </FormWindow>
  );
}

export function RoleWindow({ user, opened, onClose }: WindowProps & { user: User }) {
  const words = useWords(userWords);
  return (
    <FormWindow
      opened={opened}
      onClose={onClose}
      title={words.changeRole}
      initial={{ role: user.role as Role }}
      run={(body) => api.patch('/v2/settings/users/{userId}', { path: { userId: user.userId }, body })}
      done={({ email }) => words.roleChanged(email)}
    >
      {(form) => (
        <>
          <Text size="sm">
            {user.email}. {words.changeRoleHint}
          </Text>
          <RoleChoice value={form.values.role} onChange={(role) => form.set({ role })} />
        </>
      )}
    </FormWindow>
  );
}
