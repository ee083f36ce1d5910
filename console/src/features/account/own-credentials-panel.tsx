import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useSession } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Loaded, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { ScopeSummary } from '../settings/scope-list.js';
import { accountWords } from './account-words.js';
import { isUnconfirmedOf, type OwnCredential } from './unconfirmed-notice.js';

/** The keys and OAuth clients that the person owns or created; hidden if there are none. */
export function OwnCredentialsPanel() {
  const words = useWords(accountWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const { user } = useSession();
  const own = useResource('/v2/session/credentials');
  if (own.data?.items.length === 0) return null;
  const isUnconfirmed = isUnconfirmedOf(user.email);
  return (
    <Panel title={words.credentials} hint={words.credentialsHint}>
      <Loaded query={own}>
        {({ items }) => (
          <ItemTable
            items={items}
            label={words.credentials}
            rowKey={(credential) => credential.credentialId}
            columns={[
              {
                name: words.name,
                show: (credential) => `${credential.name} · ${words.types[credential.type]}`,
              },
              { name: words.owner, show: (credential) => credential.owner, wide: true },
              { name: words.createdBy, show: (credential) => credential.createdBy, wide: true },
              { name: words.created, show: (credential) => format.instant(credential.createdAt), wide: true },
              {
                name: words.allows,
                show: (credential) => <ScopeSummary scopes={credential.scopes} />,
                wide: true,
              },
              { name: common.status, show: (credential) => <StatusBadge status={credential.status} /> },
              ...(items.some(isUnconfirmed)
                ? [
                    {
                      name: common.actions,
                      show: (credential: OwnCredential) =>
                        isUnconfirmed(credential) && <Confirm credential={credential} />,
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function Confirm({ credential: { credentialId, name, createdBy } }: { credential: OwnCredential }) {
  const words = useWords(accountWords);
  return (
    <AskedButton
      label={words.confirmCredential}
      question={words.confirmQuestion(name, createdBy)}
      size="compact-sm"
      run={() =>
        api.post('/v2/session/credentials/{credentialId}/confirm', { path: { credentialId }, body: {} })
      }
      done={words.credentialConfirmed}
    />
  );
}
