import type { Item } from '@lotward/client';
import { Code, Stack } from '@mantine/core';
import { useList, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { recordPath } from '../../app/record-path.js';
import { ItemTable } from '../../ui/data-table.js';
import { PageLink } from '../../ui/links.js';
import { Loaded, Panel } from '../../ui/page.js';
import { UsagePanel } from './usage-panel.js';
import { usageWords } from './usage-words.js';

type Row = Item<'/v2/settings/usage/summary'>;

const KNOWN_MAX = 200;

/** The names of the credentials that the service counts by id. Those beyond the newest 200 of a kind show their id. */
function useNames(): (id: string) => string | undefined {
  const keys = useList('/v2/settings/keys', { query: { limit: KNOWN_MAX } });
  const clients = useList('/v2/settings/clients', { query: { limit: KNOWN_MAX } });
  const users = useList('/v2/settings/users', { query: { limit: KNOWN_MAX } });
  const names = new Map<string, string>([
    ...(keys.data?.pages ?? []).flatMap((page) => page.items.map((key) => [key.keyId, key.name] as const)),
    ...(clients.data?.pages ?? []).flatMap((page) =>
      page.items.map((client) => [client.clientId, client.name] as const),
    ),
    ...(users.data?.pages ?? []).flatMap((page) =>
      page.items.map((user) => [user.userId, user.email] as const),
    ),
  ]);
  return (id) => names.get(id);
}

export function UsageOfAll() {
  const words = useWords(usageWords);
  const format = useFormat();
  const summary = useResource('/v2/settings/usage/summary');
  const nameOf = useNames();
  return (
    <Stack>
      <UsagePanel />
      <Panel title={words.perCredential}>
        <Loaded query={summary}>
          {({ items }) => (
            <ItemTable
              items={[...items].sort((a, b) => b.lastWeek.requests - a.lastWeek.requests)}
              label={words.perCredential}
              rowKey={(row) => `${row.kind} ${row.credentialId}`}
              empty={{ title: words.noneYet }}
              columns={[
                {
                  name: words.credential,
                  show: (row) => <Named row={row} name={nameOf(row.credentialId)} />,
                },
                { name: words.kind, show: (row) => words.kinds[row.kind], wide: true },
                {
                  name: words.lastDay,
                  show: (row) => format.number(row.lastDay.requests),
                  by: (row) => row.lastDay.requests,
                  align: 'right',
                  wide: true,
                },
                {
                  name: words.lastWeek,
                  show: (row) => format.number(row.lastWeek.requests),
                  by: (row) => row.lastWeek.requests,
                  align: 'right',
                },
                {
                  name: words.errorsWeek,
                  show: (row) => format.number(row.lastWeek.clientErrors + row.lastWeek.serverErrors),
                  by: (row) => row.lastWeek.clientErrors + row.lastWeek.serverErrors,
                  align: 'right',
                  wide: true,
                },
                {
                  name: words.limitedWeek,
                  show: (row) => format.number(row.lastWeek.limited),
                  by: (row) => row.lastWeek.limited,
                  align: 'right',
                },
              ]}
            />
          )}
        </Loaded>
      </Panel>
    </Stack>
  );
}

function Named({ row, name }: { row: Row; name: string | undefined }) {
  if (row.kind === 'console') return name ?? <Code>{row.credentialId}</Code>;
  const path = recordPath(row.kind === 'api_key' ? 'api_key' : 'oauth_client', row.credentialId);
  return <PageLink to={path ?? '/settings/api'}>{name ?? row.credentialId}</PageLink>;
}
