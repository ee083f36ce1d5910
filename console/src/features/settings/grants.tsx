import { api, useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { useListFilters } from '../../ui/list-filters.js';
import { ListSection } from '../../ui/list-page.js';
import { apiWords } from './api-words.js';
import { ScopeSummary } from './scope-list.js';

/** The apps that act for people of the organization. */
export function Grants() {
  const words = useWords(apiWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const may = useMay();
  const filters = useListFilters({});
  return (
    <ListSection
      filters={filters}
      list={useList('/v2/settings/grants', { query: filters.query })}
      label={words.tabs.grants}
      noun={words.grantNoun}
      rowKey={(grant) => grant.grantId}
      empty={{ title: words.noGrants, hint: words.noGrantsHint }}
      columns={[
        { name: words.app, show: (grant) => grant.clientName },
        { name: words.person, show: (grant) => grant.email },
        { name: words.scopes, show: (grant) => <ScopeSummary scopes={grant.scopes} />, wide: true },
        { name: words.created, show: (grant) => format.instant(grant.createdAt), wide: true },
        { name: words.expires, show: (grant) => format.instant(grant.expiresAt), wide: true },
        {
          name: common.actions,
          show: ({ grantId, clientName, email }) =>
            may('settings:write') && (
              <AskedButton
                label={words.endGrant}
                question={words.endGrantQuestion(clientName, email)}
                danger
                size="compact-sm"
                run={() => api.delete('/v2/settings/grants/{grantId}', { path: { grantId } })}
                done={words.grantEnded}
              />
            ),
        },
      ]}
    />
  );
}
