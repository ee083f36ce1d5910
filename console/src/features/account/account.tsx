import { SimpleGrid, Stack, Switch } from '@mantine/core';
import { api } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { refreshSession } from '../../app/queries.js';
import { useSession } from '../../app/session.js';
import { Facts, Page, Panel } from '../../ui/page.js';
import { useAction } from '../../ui/use-action.js';
import { ScopeList } from '../settings/scope-list.js';
import { roleWords } from '../settings/scope-words.js';
import { accountWords } from './account-words.js';
import { ConnectedAppsPanel } from './connected-apps-panel.js';
import { NameForm } from './name-form.js';
import { OwnCredentialsPanel } from './own-credentials-panel.js';
import { PasswordPanel } from './password-panel.js';
import { PreferencesPanel } from './preferences-panel.js';
import { SecondFactorPanel } from './second-factor-panel.js';
import { SessionsPanel } from './sessions-panel.js';

export default function Account() {
  const words = useWords(accountWords);
  const { user } = useSession();
  return (
    <Page title={words.account}>
      <PreferencesPanel />
      {/* Panels are distributed so that both columns have about the same length. */}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack>
          <Who />
          <SecondFactorPanel />
        </Stack>
        <Stack>
          <PasswordPanel />
          {user.role === 'admin' && <DigestPanel />}
        </Stack>
      </SimpleGrid>
      <OwnCredentialsPanel />
      <ConnectedAppsPanel />
      <SessionsPanel />
      <Panel title={words.allows}>
        <ScopeList scopes={user.scopes} />
      </Panel>
    </Page>
  );
}

function Who() {
  const words = useWords(accountWords);
  const roles = useWords(roleWords);
  const format = useFormat();
  const { user, organization } = useSession();
  return (
    <Panel title={words.who}>
      <NameForm key={user.name} />
      <Facts
        facts={[
          [words.email, user.email],
          [words.organization, `${organization.name} · ${organization.code}`],
          [words.role, `${roles[user.role]}${format.colon}${roles.about[user.role]}`],
        ]}
      />
    </Panel>
  );
}

function DigestPanel() {
  const words = useWords(accountWords);
  const session = useSession();
  const choose = useAction({
    async run(dailyDigest: boolean) {
      const changed = await api.patch('/v2/session', { body: { dailyDigest } });
      await refreshSession();
      return changed;
    },
    done: ({ dailyDigest }) => (dailyDigest ? words.digestOn : words.digestOff),
  });
  return (
    <Panel title={words.digest} hint={words.digestHint}>
      <Switch
        label={words.digestSwitch}
        checked={session.dailyDigest ?? false}
        disabled={choose.isPending}
        onChange={(event) => choose.mutate(event.currentTarget.checked)}
      />
    </Panel>
  );
}
