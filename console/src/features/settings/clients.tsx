import { Code } from '@mantine/core';
import { useState } from 'react';
import { useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { choiceFilter, useListFilters } from '../../ui/list-filters.js';
import { ListSection } from '../../ui/list-page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { apiWords } from './api-words.js';
import { ClientForm } from './credential-form.js';
import { ScopeSummary } from './scope-list.js';
import { type MadeClient, ShownClient } from './shown-once.js';

export function Clients() {
  const words = useWords(apiWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, useStatusChoices(['active', 'disabled', 'revoked'])),
    },
    { by: [words.name, words.id, words.owner] },
  );
  return (
    <ListSection
      create={{
        scope: 'settings:write',
        label: words.newClient,
        window: (window) => <NewClient {...window} />,
      }}
      filters={filters}
      list={useList('/v2/settings/clients', { query: filters.query })}
      label={words.tabs.clients}
      noun={words.clientNoun}
      rowKey={(client) => client.clientId}
      empty={{ title: words.noClients, hint: words.noClientsHint }}
      columns={[
        {
          name: words.name,
          show: (client) => (
            <RowLink to="/settings/api/clients/$clientId" params={{ clientId: client.clientId }}>
              {client.name}
            </RowLink>
          ),
        },
        { name: words.id, show: (client) => <Code>{client.clientId}</Code>, wide: 'below' },
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
          wide: 'below',
          below: (client) =>
            `${words.lastUsed}${format.colon}${client.lastUsedAt ? format.ago(client.lastUsedAt) : words.neverUsed}`,
        },
        { name: common.status, show: (client) => <StatusBadge status={client.status} /> },
      ]}
    />
  );
}

function NewClient(window: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<MadeClient | null>(null);
  return (
    <>
      <ClientForm {...window} onDone={setMade} />
      <ShownClient made={made} onKept={() => setMade(null)} />
    </>
  );
}
