import { Box, List, SimpleGrid, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useScopeName } from '../../ui/scope-names.js';
import { areaOf, KNOWN_SCOPES, useAreaName } from './scope-words.js';

/** Scopes of one area under its name, in workflow order; those newer than this page come last. */
export function byArea(scopes: readonly string[]): [area: string, scopes: string[]][] {
  const areas = new Map<string, string[]>();
  const known = KNOWN_SCOPES.filter((scope) => scopes.includes(scope));
  const newer = scopes.filter((scope) => !KNOWN_SCOPES.includes(scope));
  for (const scope of [...known, ...newer])
    areas.set(areaOf(scope), [...(areas.get(areaOf(scope)) ?? []), scope]);
  return [...areas];
}

/** Scopes as a list of permissions in words. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const areaName = useAreaName();
  const scopeWords = useScopeName();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
      {byArea(scopes).map(([area, own]) => (
        <Box key={area}>
          <Text size="sm" fw={600}>
            {areaName(area)}
          </Text>
          <List size="sm" spacing={2}>
            {own.map((scope) => (
              <List.Item key={scope}>{scopeWords(scope)}</List.Item>
            ))}
          </List>
        </Box>
      ))}
    </SimpleGrid>
  );
}

/** `Orders, Stock +3`, short enough for a table. */
export function ScopeSummary({ scopes }: { scopes: readonly string[] }) {
  const areaName = useAreaName();
  const format = useFormat();
  const SHOWN = 2;
  const areas = byArea(scopes).map(([area]) => areaName(area));
  const rest = areas.length - SHOWN;
  return (
    <Text size="sm" title={scopes.join(' ')}>
      {format.list(areas.slice(0, SHOWN))}
      {rest > 0 && ` +${rest}`}
    </Text>
  );
}
