import type { Item } from '@lotward/client';
import { Code, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, useList } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceField } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { choiceFilter, useListFilters } from '../../ui/list-filters.js';
import { ListSection } from '../../ui/list-page.js';
import { ShownOnce } from '../../ui/shown-once.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { sandboxWords } from './sandbox-words.js';

type Sandbox = Item<'/v2/sandboxes'>;
const DATA = ['catalogue', 'demo', 'empty'] as const satisfies readonly Sandbox['data'][];

/** Organizations for tests. */
export function Sandboxes() {
  const words = useWords(sandboxWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const [apiKey, setApiKey] = useState<string | null>(null);
  const filters = useListFilters({
    status: choiceFilter(common.status, useStatusChoices(['active', 'ended'])),
  });
  return (
    <>
      <ListSection
        create={{
          scope: 'settings:write',
          label: words.open,
          window: (window) => <SandboxForm {...window} onDone={(made) => setApiKey(made.apiKey)} />,
        }}
        filters={filters}
        list={useList('/v2/sandboxes', { query: filters.query })}
        label={words.sandboxes}
        noun={words.noun}
        rowKey={(sandbox) => sandbox.sandboxId}
        empty={{ title: words.none, hint: words.noneHint }}
        columns={[
          { name: words.name, show: (sandbox) => sandbox.name },
          { name: words.code, show: (sandbox) => <Code>{sandbox.code}</Code>, wide: true },
          { name: words.data, show: (sandbox) => words.dataChoices[sandbox.data], wide: true },
          { name: words.businessDate, show: (sandbox) => <BusinessDate sandbox={sandbox} /> },
          {
            name: words.lastUsed,
            show: ({ lastUsedAt }) => (lastUsedAt ? format.ago(lastUsedAt) : words.neverUsed),
            wide: true,
          },
          { name: common.status, show: (sandbox) => <StatusBadge status={sandbox.status} /> },
          {
            name: common.actions,
            show: (sandbox) => <SandboxActions sandbox={sandbox} onKey={setApiKey} />,
          },
        ]}
      />
      <ShownOnce
        opened={apiKey !== null}
        title={words.once}
        hint={words.onceHint}
        kept={words.kept}
        onKept={() => setApiKey(null)}
        secrets={
          apiKey === null
            ? []
            : [
                [words.apiKey, apiKey],
                [words.tryIt, `curl -H 'Authorization: Bearer ${apiKey}' ${location.origin}/v2/whoami`],
              ]
        }
      />
    </>
  );
}

function BusinessDate({ sandbox: { businessDate, daysAhead } }: { sandbox: Sandbox }) {
  const words = useWords(sandboxWords);
  const format = useFormat();
  if (businessDate === null) return NOTHING;
  return (
    <>
      {format.day(businessDate)}
      {daysAhead > 0 && (
        <Text size="xs" c="dimmed">
          {words.ahead(daysAhead)}
        </Text>
      )}
    </>
  );
}

function SandboxActions({
  sandbox: { sandboxId, name, status },
  onKey,
}: {
  sandbox: Sandbox;
  onKey: (apiKey: string) => void;
}) {
  const words = useWords(sandboxWords);
  const may = useMay();
  if (status !== 'active' || !may('settings:write')) return null;
  const path = { sandboxId };
  return (
    <Group gap="xs">
      <AskedButton
        label={words.newKey}
        question={words.newKeyQuestion(name)}
        size="compact-sm"
        run={async () => onKey((await api.post('/v2/sandboxes/{sandboxId}/keys', { path, body: {} })).apiKey)}
        done={words.keyCreated}
      />
      <AskedButton
        label={words.end}
        question={words.endQuestion(name)}
        danger
        size="compact-sm"
        run={() => api.delete('/v2/sandboxes/{sandboxId}', { path })}
        done={words.ended}
      />
    </Group>
  );
}

function SandboxForm(props: {
  opened: boolean;
  onClose: () => void;
  onDone: (made: { apiKey: string }) => void;
}) {
  const words = useWords(sandboxWords);
  return (
    <FormWindow
      {...props}
      title={words.open}
      submitLabel={words.open}
      initial={{ name: '', data: 'catalogue' as Sandbox['data'] }}
      run={({ name, data }) => api.post('/v2/sandboxes', { body: { name: name.trim(), data } })}
      done={({ name }) => words.opened(name)}
    >
      {(form) => (
        <>
          <TextInput label={words.name} required maxLength={300} {...form.text('name')} />
          <Select
            label={words.data}
            description={words.dataHint}
            allowDeselect={false}
            data={DATA.map((value) => ({ value, label: words.dataChoices[value] }))}
            {...choiceField(form, 'data')}
          />
        </>
      )}
    </FormWindow>
  );
}
