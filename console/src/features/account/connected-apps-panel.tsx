import { Text } from '@mantine/core';
import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { AskedButton } from '../../ui/action.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Loaded, Panel } from '../../ui/page.js';
import { ScopeSummary } from '../settings/scope-list.js';
import { accountWords } from './account-words.js';

/** The apps that may act for the person. */
export function ConnectedAppsPanel() {
  const words = useWords(accountWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const apps = useResource('/v2/session/connected-apps');
  return (
    <Panel title={words.apps} hint={words.appsHint}>
      <Loaded query={apps}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.noApps}
            </Text>
          ) : (
            <ItemTable
              items={items}
              label={words.apps}
              rowKey={(app) => app.grantId}
              columns={[
                { name: words.app, show: (app) => app.clientName },
                { name: words.allows, show: (app) => <ScopeSummary scopes={app.scopes} />, wide: true },
                { name: words.allowedAt, show: (app) => format.instant(app.createdAt), wide: true },
                { name: words.allowedUntil, show: (app) => format.instant(app.expiresAt) },
                {
                  name: common.actions,
                  show: ({ grantId, clientName }) => (
                    <AskedButton
                      label={words.endApp}
                      question={words.endAppQuestion(clientName)}
                      danger
                      size="compact-sm"
                      run={() => api.delete('/v2/session/connected-apps/{grantId}', { path: { grantId } })}
                      done={words.appEnded}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
