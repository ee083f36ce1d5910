import type { Data } from '@lotward/client';
import { Badge, Group, Text } from '@mantine/core';
import { LogOut } from 'lucide-react';
import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { AskedButton } from '../../ui/action.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Loaded, Panel } from '../../ui/page.js';
import { accountWords } from './account-words.js';
import { deviceOf } from './device.js';

type Session = Data<'/v2/sessions', 'get'>['items'][number];

export function SessionsPanel() {
  const words = useWords(accountWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const sessions = useResource('/v2/sessions');
  const hasOthers = (sessions.data?.items.length ?? 0) > 1;
  return (
    <Panel
      title={words.sessions}
      hint={words.sessionsHint}
      actions={
        hasOthers && (
          <AskedButton
            label={words.endOthers}
            question={words.endOthersQuestion}
            danger
            icon={<LogOut size={16} />}
            run={() => api.delete('/v2/sessions')}
            done={words.othersEnded}
          />
        )
      }
    >
      <Loaded query={sessions}>
        {({ items }) => (
          <ItemTable
            items={items}
            label={words.sessions}
            rowKey={(session) => session.sessionId}
            columns={[
              {
                name: words.device,
                show: (session) => (
                  <Group gap={6}>
                    <Text size="sm" title={session.userAgent ?? undefined}>
                      {deviceOf(session.userAgent) ?? words.unknownDevice}
                    </Text>
                    {session.current && (
                      <Badge variant="light" tt="none">
                        {words.thisOne}
                      </Badge>
                    )}
                  </Group>
                ),
              },
              { name: words.address, show: (session) => session.address, wide: true },
              { name: words.began, show: (session) => format.instant(session.createdAt), wide: true },
              { name: words.lastSeen, show: (session) => format.ago(session.lastSeenAt) },
              ...(hasOthers
                ? [{ name: common.actions, show: (session: Session) => <End session={session} /> }]
                : []),
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** Ends another session; signing out ends one's own. */
function End({ session: { sessionId, current } }: { session: Session }) {
  const words = useWords(accountWords);
  if (current) return null;
  return (
    <AskedButton
      label={words.end}
      question={words.endQuestion}
      danger
      size="compact-sm"
      run={() => api.delete('/v2/sessions/{sessionId}', { path: { sessionId } })}
      done={words.ended}
    />
  );
}
