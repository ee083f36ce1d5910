import { Code } from '@mantine/core';
import { useState } from 'react';
import { useList, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { choiceFilter, useListFilters } from '../../ui/list-filters.js';
import { ListSection } from '../../ui/list-page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { apiWords } from './api-words.js';
import { KeyForm } from './credential-form.js';
import { ScopeSummary } from './scope-list.js';
import { type MadeKey, ShownKey } from './shown-once.js';

export function Keys() {
  const words = useWords(apiWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, useStatusChoices(['active', 'expired', 'disabled', 'revoked'])),
    },
    { by: [words.name, words.id, words.owner] },
  );
  const usage = useResource('/v2/settings/usage/summary');
  const requestsOf = (keyId: string) =>
    usage.data?.items.find((each) => each.credentialId === keyId)?.lastDay.requests ?? 0;
  return (
    <ListSection
      create={{
        scope: 'settings:write',
        label: words.newKey,
        window: (window) => <NewKey {...window} />,
      }}
      filters={filters}
      list={useList('/v2/settings/keys', { query: filters.query })}
      label={words.tabs.keys}
      noun={words.keyNoun}
      rowKey={(key) => key.keyId}
      empty={{ title: words.noKeys, hint: words.noKeysHint }}
      columns={[
        {
          name: words.name,
          show: (key) => (
            <RowLink to="/settings/api/keys/$keyId" params={{ keyId: key.keyId }}>
              {key.name}
            </RowLink>
          ),
        },
        { name: words.id, show: (key) => <Code>{key.keyId}</Code>, wide: 'below' },
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
          wide: 'below',
          below: (key) =>
            `${words.lastUsed}${format.colon}${key.lastUsedAt ? format.ago(key.lastUsedAt) : words.neverUsed}`,
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
  );
}

function NewKey(window: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<MadeKey | null>(null);
  return (
    <>
      <KeyForm {...window} onDone={setMade} />
      <ShownKey made={made} onKept={() => setMade(null)} />
    </>
  );
}
