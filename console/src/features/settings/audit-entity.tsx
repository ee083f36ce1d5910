import type { Item } from '@lotward/client';
import { Text } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { recordPath } from '../../app/record-path.js';
import { PageLink } from '../../ui/links.js';
import { entityWords } from './audit-words.js';

export type Entry = Item<'/v2/audit'>;

/** The first of these that the record itself has, where the entry does not name it. */
const NAMING = ['email', 'batchNo', 'name'];

function nameOf({ entityId, entityName, before, after }: Entry): string {
  if (entityName !== null) return entityName;
  const content: Readonly<Record<string, unknown>> = {
    ...(before as object | null),
    ...(after as object | null),
  };
  const name = NAMING.map((field) => content[field]).find((each) => typeof each === 'string' && each !== '');
  return typeof name === 'string' ? name : entityId;
}

/** The changed entity, linked if it has a page. */
export function Entity({ entry }: { entry: Entry }) {
  const { entityType, entityId } = entry;
  const entities: Readonly<Record<string, string>> = useWords(entityWords);
  const path = recordPath(entityType, entityId);
  const name = `${entities[entityType] ?? entityType} ${nameOf(entry)}`;
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
