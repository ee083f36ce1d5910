import type { Item } from '@lotward/client';
import { Text } from '@mantine/core';
import { useList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { recordPath } from '../../app/record-path.js';
import { useMay } from '../../app/session.js';
import { PageLink } from '../../ui/links.js';
import { entityWords } from './audit-words.js';

export type Entry = Item<'/v2/audit'>;

/** The first of these fields that the record has, if the entry does not name it. */
const NAMING = ['email', 'batchNo', 'name'];

function nameIn({ entityName, before, after }: Entry): string | null {
  if (entityName !== null) return entityName;
  const content: Readonly<Record<string, unknown>> = {
    ...(before as object | null),
    ...(after as object | null),
  };
  const name = NAMING.map((field) => content[field]).find((each) => typeof each === 'string' && each !== '');
  return typeof name === 'string' ? name : null;
}

const USERS_MAX = 200;

/** The address of a user by id, for people who may read users. */
function useUserEmail(isWanted: boolean): (userId: string) => string | undefined {
  const may = useMay();
  const users = useList('/v2/settings/users', {
    query: { limit: USERS_MAX },
    enabled: isWanted && may('settings:read'),
  });
  const items = users.data?.pages.flatMap((page) => page.items) ?? [];
  return (userId) => items.find((user) => user.userId === userId)?.email;
}

/** The changed entity, linked if it has a page. */
export function Entity({ entry }: { entry: Entry }) {
  const { entityType, entityId } = entry;
  const known = nameIn(entry);
  const emailOf = useUserEmail(known === null && entityType === 'user');
  const entities: Readonly<Record<string, string>> = useWords(entityWords);
  const path = recordPath(entityType, entityId);
  const name = `${entities[entityType] ?? entityType} ${known ?? emailOf(entityId) ?? entityId}`;
  if (path === null)
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    );
  return (
    <PageLink to={path} style={{ overflowWrap: 'anywhere' }}>
      {name}
    </PageLink>
  );
}
