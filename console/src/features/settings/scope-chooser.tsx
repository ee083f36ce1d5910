import { Checkbox, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { Loaded } from '../../ui/page.js';
import { useScopeName } from '../../ui/scope-names.js';
import { apiWords } from './api-words.js';
import { byArea } from './scope-list.js';
import { useAreaName } from './scope-words.js';

/** Chooses the scopes of a credential by area. Users can grant only scopes that they have. */
export function ScopeChooser({
  chosen,
  onChange,
  error,
}: {
  chosen: readonly string[];
  onChange: (scopes: string[]) => void;
  error: string | undefined;
}) {
  const words = useWords(apiWords);
  const may = useMay();
  const scopes = useResource('/v2/settings/scopes');
  return (
    <Fieldset legend={words.scopes}>
      <Text size="sm" c="dimmed" mb="sm">
        {words.scopesHint}
      </Text>
      <Loaded query={scopes}>
        {({ items }) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            {byArea(items.map(({ scope }) => scope).filter(may)).map(([area, own]) => (
              <Area
                key={area}
                area={area}
                scopes={own}
                described={(scope) => items.find((each) => each.scope === scope)?.description}
                chosen={chosen}
                onChange={onChange}
              />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
      {error && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </Fieldset>
  );
}

function Area({
  area,
  scopes,
  described,
  chosen,
  onChange,
}: {
  area: string;
  scopes: readonly string[];
  described: (scope: string) => string | undefined;
  chosen: readonly string[];
  onChange: (scopes: string[]) => void;
}) {
  const words = useWords(apiWords);
  const areaName = useAreaName()(area);
  const scopeWords = useScopeName();
  const count = scopes.filter((scope) => chosen.includes(scope)).length;
  const set = (some: readonly string[], wanted: boolean) =>
    onChange([...chosen.filter((scope) => !some.includes(scope)), ...(wanted ? some : [])]);
  return (
    <Stack gap={6}>
      <Checkbox
        label={<b>{areaName}</b>}
        aria-label={words.allOf(areaName)}
        checked={count === scopes.length}
        indeterminate={count > 0 && count < scopes.length}
        onChange={(event) => set(scopes, event.currentTarget.checked)}
      />
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          ml="lg"
          size="sm"
          label={scopeWords(scope, described(scope))}
          description={scope}
          checked={chosen.includes(scope)}
          onChange={(event) => set([scope], event.currentTarget.checked)}
        />
      ))}
    </Stack>
  );
}
