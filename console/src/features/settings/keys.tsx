import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList, useResource } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar } from '../../ui/filter-bar.js';
import { PageLink } from '../../ui/links.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { apiWords } from './api-words.js';
import { KeyForm } from './credential-form.js';
import { ScopeSummary } from './scope-list.js';
import { type MadeKey, ShownKey } from './shown-once.js';

export function Keys() {
  const words = useWords(apiWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const [filters, change] = useFilters(['status']);
  const list = useList('/v2/settings/keys', { query: filters as object });
  const usage = useResource('/v2/settings/usage/summary');
  const requestsOf = (keyId: string) =>
    usage.data?.items.find((each) => each.credentialId === keyId)?.lastDay.requests ?? 0;
  return (
    <>
      <FilterBar>
        <ChoiceFilter
          label={common.status}
          value={filters.status}
          choices={useStatusChoices(['active', 'expired', 'revoked'])}
          onChange={(status) => change({ status })}
        />
        <NewKey />
      </FilterBar>
      <DataTable
        list={list}
        label={words.tabs.keys}
        rowKey={(key) => key.keyId}
        filtered={filters.status !== undefined}
        onClearFilters={() => change({ status: null })}
        empty={{ title: words.noKeys, hint: words.noKeysHint }}
        columns={[
          {
            name: words.name,
            show: (key) => (
              <PageLink to="/settings/api/keys/$keyId" params={{ keyId: key.keyId }}>
                {key.name}
              </PageLink>
            ),
          },
          { name: words.id, show: (key) => <Code>{key.keyId}</Code>, wide: true },
          { name: words.owner, show: (key) => key.owner, wide: true },
          { name: words.scopes, show: (key) => <ScopeSummary scopes={key.scopes} />, wide: true },
          {
            name: words.expires,
            show: (key) => (key.expiresAt ? format.instant(key.expiresAt) : words.neverExpires),
            wide: true,
          },
          {
            name: words.lastUsed,
            show: (key) => (key.lastUsedAt ? format.ago(key.lastUsedAt) : words.neverUsed),
          },
          {
            name: words.requestsDay,
            show: (key) => format.number(requestsOf(key.keyId)),
            align: 'right',
            wide: true,
          },
          { name: common.status, show: (key) => <StatusBadge status={key.status} /> },
        ]}
      />
    </>
  );
}

function NewKey() {
  const words = useWords(apiWords);
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  const [made, setMade] = useState<MadeKey | null>(null);
  if (!may('settings:write')) return null;
  return (
    <>
      <Button ml="auto" leftSection={<Plus size={16} />} onClick={open}>
        {words.newKey}
      </Button>
      <KeyForm opened={opened} onClose={close} onDone={setMade} />
      <ShownKey made={made} onKept={() => setMade(null)} />
    </>
  );
}
