import { Accordion, Badge, Group, Stack, Text } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { useCountedList, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay, useSession } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { Loaded, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { HandedLinks } from './handed-link.js';
import { ScopeList } from './scope-list.js';
import { roleWords } from './scope-words.js';
import type { User } from './user.types.js';
import { UserActions } from './user-actions.js';
import { InviteWindow } from './user-forms.js';
import { userWords } from './user-words.js';

export default function Users() {
  return (
    <HandedLinks>
      <UserList />
    </HandedLinks>
  );
}

function UserList() {
  const words = useWords(userWords);
  const common = useWords(commonWords);
  const roles = useWords(roleWords);
  const format = useFormat();
  const may = useMay();
  const session = useSession();
  const filters = useListFilters({}, { by: [words.email] });
  return (
    <ListPage
      title={words.users}
      hint={words.hint}
      panelTitle={words.people}
      create={{
        scope: 'settings:write',
        label: words.invite,
        icon: UserPlus,
        window: (window) => <InviteWindow {...window} />,
      }}
      filters={filters}
      list={useCountedList('/v2/settings/users', filters)}
      noun={words.noun}
      rowKey={(user) => user.userId}
      columns={[
        {
          name: words.person,
          show: (user) => (
            <Group gap={6}>
              <Stack gap={0}>
                {user.name && <Text size="sm">{user.name}</Text>}
                <Text
                  size={user.name ? 'xs' : 'sm'}
                  {...(user.name ? { c: 'dimmed' } : {})}
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {user.email}
                </Text>
              </Stack>
              {user.userId === session.user.userId && (
                <Badge variant="light" tt="none">
                  {words.you}
                </Badge>
              )}
            </Group>
          ),
        },
        { name: words.role, show: (user) => roles[user.role], wide: 'below' },
        { name: common.status, show: (user) => <StatusBadge status={user.status} /> },
        {
          name: words.secondFactor,
          show: (user) => (user.secondFactor ? common.yes : common.no),
          wide: 'below',
          below: (user) => `${words.factor}${format.colon}${user.secondFactor ? common.yes : common.no}`,
        },
        {
          name: words.lastSignIn,
          show: (user) => (user.lastSignInAt ? format.instant(user.lastSignInAt) : words.never),
          wide: 'below',
          below: (user) =>
            `${words.lastSignIn}${format.colon}${user.lastSignInAt ? format.instant(user.lastSignInAt) : words.never}`,
        },
        ...(may('settings:write')
          ? [{ name: common.actions, show: (user: User) => <UserActions user={user} /> }]
          : []),
      ]}
    >
      <Roles />
    </ListPage>
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
