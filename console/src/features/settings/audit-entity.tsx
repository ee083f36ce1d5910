import type { Item } from '@lotward/client';
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWords } from '../../app/language.js';
import { entityPath } from '../events/entity-path.js';
import { entityWords } from './audit-words.js';

export type Entry = Item<'/v2/audit'>;

/** What was changed, linked where it has a page. */
export function Entity({ entry: { entityType, entityId } }: { entry: Entry }) {
  const entities: Readonly<Record<string, string>> = useWords(entityWords);
  const path = entityPath(entityType, entityId);
  const name = `${entities[entityType] ?? entityType} ${entityId}`;
  if (path === null)
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    );
  return (
    <Anchor component={Link} to={path} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Anchor>
  );
}
