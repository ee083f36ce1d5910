import type { Item } from '@lotward/client';
import { Text } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { recordPath } from '../../app/record-path.js';
import { PageLink } from '../../ui/links.js';
import { entityWords } from './audit-words.js';

export type Entry = Item<'/v2/audit'>;

/** The changed entity, linked if it has a page. */
export function Entity({ entry: { entityType, entityId, entityName } }: { entry: Entry }) {
  const entities: Readonly<Record<string, string>> = useWords(entityWords);
  const path = recordPath(entityType, entityId);
  const name = `${entities[entityType] ?? entityType} ${entityName ?? entityId}`;
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
