import { Accordion, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { UserPlus } from 'lucide-react';
import { useList, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay, useSession } from '../../app/session.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Loaded, Page, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { ScopeList } from './scope-list.js';
import { roleWords } from './scope-words.js';
import type { User } from './user.types.js';
import { UserActions } from './user-actions.js';
import { InviteWindow } from './user-forms.js';
import { userWords } from './user-words.js';

export default function Users() {
  const words = useWords(userWords);
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  return (
    <Page
      title={words.users}
      hint={words.hint}
      actions={
        may('settings:write') && (
          <Button leftSection={<UserPlus size={16} />} onClick={open}>
            {words.invite}
          </Button>
        )
      }
    >
      <Panel title={words.people}>
        <UserTable />
      </Panel>
      <Roles />
      <InviteWindow opened={opened} onClose={close} />
    </Page>
  );
}

function UserTable() {
  const words = useWords(userWords);
  const common = useWords(commonWords);
  const roles = useWords(roleWords);
  const format = useFormat();
  const may = useMay();
  const session = useSession();
  const list = useList('/v2/settings/users');
  return (
    <DataTable
      list={list}
      label={words.people}
      rowKey={(user) => user.userId}
      columns={[
        {
          name: words.email,
          show: (user) => (
            <Group gap={6}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {user.email}
              </Text>
              {user.userId === session.user.userId && (
                <Badge variant="light" tt="none">
                  {words.you}
                </Badge>
              )}
            </Group>
          ),
        },
        { name: words.role, show: (user) => roles[user.role] },
        { name: common.status, show: (user) => <StatusBadge status={user.status} />, wide: true },
        {
          name: words.secondFactor,
          show: (user) => (user.secondFactor ? common.yes : common.no),
          wide: true,
        },
        {
          name: words.lastSignIn,
          show: (user) => (user.lastSignInAt ? format.instant(user.lastSignInAt) : words.never),
          wide: true,
        },
        ...(may('settings:write')
          ? [{ name: common.actions, show: (user: User) => <UserActions user={user} /> }]
          : []),
      ]}
    />
  );
}

function Roles() {
  const words = useWords(userWords);
  const roleNames = useWords(roleWords);
  const roles = useResource('/v2/settings/roles');
  return (
    <Panel title={words.roles}>
      <Loaded query={roles}>
        {({ items }) => (
          <Accordion multiple variant="separated" order={3}>
            {items.map(({ role, scopes }) => (
              <Accordion.Item key={role} value={role}>
                <Accordion.Control>
                  <Stack gap={0}>
                    <Text size="sm" fw={600}>
                      {roleNames[role]}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {roleNames.about[role]}
                    </Text>
                  </Stack>
                </Accordion.Control>
                <Accordion.Panel>
                  <ScopeList scopes={scopes} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Loaded>
    </Panel>
  );
}
