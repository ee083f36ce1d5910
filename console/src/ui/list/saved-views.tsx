import { ActionIcon, Button, Divider, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocation, useSearch } from '@tanstack/react-router';
import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../../app/language.js';
import type { PlainPath, Search } from '../../app/paths.js';
import { useSession } from '../../app/session.js';
import { PageLink } from '../links.js';
import { listWords } from './list-words.js';
import { isSameView, keepViews, readViews, type SavedView } from './views.js';

/** The saved views of a list: names for URLs, stored per person in this browser. */
export function SavedViews() {
  const words = useWords(listWords);
  const { user, organization } = useSession();
  const { pathname } = useLocation();
  const search: Search = useSearch({ strict: false });
  const place = `${organization.code}.${user.userId}.${pathname}`;
  const [views, setViews] = useState(() => readViews(place));
  const [opened, setOpened] = useState(false);
  const keep = (next: readonly SavedView[]) => {
    keepViews(place, next);
    setViews(next);
  };
  const current = views.find((view) => isSameView(view.search, search));
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          size="compact-sm"
          radius="xl"
          leftSection={<Bookmark size={14} {...(current ? { fill: 'currentColor' } : {})} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {current?.name ?? words.views}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" w={300}>
        <Views
          views={views}
          search={search}
          onRemove={(name) => keep(views.filter((view) => view.name !== name))}
          onOpened={() => setOpened(false)}
          path={pathname as PlainPath}
        />
        <SaveView
          isEmpty={Object.keys(search).length === 0}
          isKnown={current !== undefined}
          onSave={(name) => {
            keep([...views.filter((view) => view.name !== name), { name, search }]);
            setOpened(false);
            notifications.show({ message: words.viewSaved(name), color: 'teal' });
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function Views({
  views,
  search,
  path,
  onRemove,
  onOpened,
}: {
  views: readonly SavedView[];
  search: Search;
  path: PlainPath;
  onRemove: (name: string) => void;
  onOpened: () => void;
}) {
  const words = useWords(listWords);
  if (views.length === 0)
    return (
      <Text size="sm" c="dimmed" p={4}>
        {words.noViews}
      </Text>
    );
  return (
    <Stack gap={2} component="ul" m={0} p={0} aria-label={words.savedViews} style={{ listStyle: 'none' }}>
      {views.map((view) => (
        <Group key={view.name} component="li" wrap="nowrap" gap={4}>
          <PageLink
            to={path}
            search={view.search}
            className="filter-choice"
            underline="never"
            aria-current={isSameView(view.search, search) ? 'page' : undefined}
            onClick={onOpened}
          >
            {view.name}
          </PageLink>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.removeView(view.name)}
            onClick={() => onRemove(view.name)}
          >
            <Trash2 size={14} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}

const NAME_MAX = 60;

function SaveView({
  isEmpty,
  isKnown,
  onSave,
}: {
  /** Without any filter, this is the list itself. */
  isEmpty: boolean;
  isKnown: boolean;
  onSave: (name: string) => void;
}) {
  const words = useWords(listWords);
  const [name, setName] = useState('');
  if (isEmpty || isKnown) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') onSave(name.trim());
      }}
    >
      <Divider my="xs" />
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={words.viewName}
          value={name}
          maxLength={NAME_MAX}
          required
          withAsterisk={false}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit">{words.saveView}</Button>
      </Group>
    </form>
  );
}
