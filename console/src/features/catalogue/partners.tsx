import { useNavigate } from '@tanstack/react-router';
import { api, useCountedList } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { choiceFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { ExportButton } from './export-button.js';
import { ImportLink } from './import-link.js';
import { type Partner, ROLES } from './partner.types.js';
import { PARTNER_COLUMNS } from './partner-columns.js';
import { PartnerForm } from './partner-form.js';
import { partnerWords } from './partner-words.js';

export default function Partners() {
  const words = useWords(partnerWords);
  const common = useWords(commonWords);
  const navigate = useNavigate();
  const format = useFormat();
  const rolesOf = (partner: Partner) => format.list(partner.roles.map((role) => words.roleNames[role]));
  const roles = ROLES.map((value) => ({ value, label: words.roleNames[value] }));
  const filters = useListFilters(
    {
      role: choiceFilter(words.role, roles),
      status: choiceFilter(common.status, useStatusChoices(['active', 'suspended'])),
    },
    { by: [words.name, words.code, 'GLN'] },
  );
  return (
    <ListPage
      title={words.partners}
      hint={words.hint}
      actions={
        <>
          <ExportButton
            file="partners.csv"
            columns={PARTNER_COLUMNS}
            each={() => api.each('/v2/partners', { query: { ...filters.query, limit: 200 } })}
          />
          <ImportLink to="/partners/import" />
        </>
      }
      create={{
        scope: 'products:write',
        label: words.newPartner,
        window: (window) => (
          <PartnerForm
            {...window}
            onDone={({ code }) => navigate({ to: '/partners/$partnerCode', params: { partnerCode: code } })}
          />
        ),
      }}
      filters={filters}
      list={useCountedList('/v2/partners', filters)}
      noun={words.noun}
      usualSort="code"
      rowKey={(partner) => partner.code}
      empty={{ title: words.empty, hint: words.emptyHint }}
      columns={[
        {
          name: words.name,
          sort: 'name',
          show: (partner) => (
            <RowLink to="/partners/$partnerCode" params={{ partnerCode: partner.code }}>
              {partner.name}
            </RowLink>
          ),
        },
        {
          name: words.code,
          sort: 'code',
          show: (partner) => <CodeText>{partner.code}</CodeText>,
          wide: 'below',
          below: (partner) => (
            <>
              <CodeText>{partner.code}</CodeText> · {rolesOf(partner)}
            </>
          ),
        },
        { name: words.roles, show: rolesOf, wide: true },
        { name: words.contactName, show: (partner) => partner.contact?.name ?? NOTHING, wide: true },
        { name: common.status, show: (partner) => <StatusBadge status={partner.status} /> },
      ]}
    />
  );
}
