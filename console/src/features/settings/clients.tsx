import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../app/api.js';
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
import { ClientForm } from './credential-form.js';
import { ScopeSummary } from './scope-list.js';
import { type MadeClient, ShownClient } from './shown-once.js';

export function Clients() {
  const words = useWords(apiWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const [filters, change] = useFilters(['status']);
  const list = useList('/v2/settings/clients', { query: filters as object });
  return (
    <>
      <FilterBar>
        <ChoiceFilter
          label={common.status}
          value={filters.status}
          choices={useStatusChoices(['active', 'revoked'])}
          onChange={(status) => change({ status })}
        />
        <NewClient />
      </FilterBar>
      <DataTable
        list={list}
        label={words.tabs.clients}
        rowKey={(client) => client.clientId}
        filtered={filters.status !== undefined}
        onClearFilters={() => change({ status: null })}
        empty={{ title: words.noClients, hint: words.noClientsHint }}
        columns={[
          {
            name: words.name,
            show: (client) => (
              <PageLink to="/settings/api/clients/$clientId" params={{ clientId: client.clientId }}>
                {client.name}
              </PageLink>
            ),
          },
          { name: words.id, show: (client) => <Code>{client.clientId}</Code>, wide: true },
          { name: words.owner, show: (client) => client.owner, wide: true },
          { name: words.scopes, show: (client) => <ScopeSummary scopes={client.scopes} />, wide: true },
          {
            name: words.redirectUris,
            show: (client) => format.number(client.redirectUris.length),
            align: 'right',
            wide: true,
          },
          {
            name: words.lastUsed,
            show: (client) => (client.lastUsedAt ? format.ago(client.lastUsedAt) : words.neverUsed),
          },
          { name: common.status, show: (client) => <StatusBadge status={client.status} /> },
        ]}
      />
    </>
  );
}

function NewClient() {
  const words = useWords(apiWords);
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  const [made, setMade] = useState<MadeClient | null>(null);
  if (!may('settings:write')) return null;
  return (
    <>
      <Button ml="auto" leftSection={<Plus size={16} />} onClick={open}>
        {words.newClient}
      </Button>
      <ClientForm opened={opened} onClose={close} onDone={setMade} />
      <ShownClient made={made} onKept={() => setMade(null)} />
    </>
  );
}
