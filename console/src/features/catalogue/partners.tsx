import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Upload } from 'lucide-react';
import { api, useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/filter-bar.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { Page, Panel } from '../../ui/page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { ExportButton } from './export-button.js';
import { importWords } from './import-words.js';
import { ROLES } from './partner.types.js';
import { PARTNER_COLUMNS } from './partner-columns.js';
import { PartnerForm } from './partner-form.js';
import { partnerWords } from './partner-words.js';

const FILTERS = ['name', 'role', 'status'] as const;

export default function Partners() {
  const words = useWords(partnerWords);
  const common = useWords(commonWords);
  const [filters, change] = useFilters(FILTERS);
  const list = useList('/v2/partners', { query: filters as object });
  return (
    <Page title={words.partners} hint={words.hint} actions={<Actions filters={filters} />}>
      <Panel>
        <FilterBar>
          <SearchFilter label={words.name} value={filters.name} onChange={(name) => change({ name })} />
          <ChoiceFilter
            label={words.role}
            value={filters.role}
            choices={ROLES.map((value) => ({ value, label: words.roleNames[value] }))}
            onChange={(role) => change({ role })}
          />
          <ChoiceFilter
            label={common.status}
            value={filters.status}
            choices={useStatusChoices(['active', 'suspended'])}
            onChange={(status) => change({ status })}
          />
        </FilterBar>
        <DataTable
          list={list}
          label={words.partners}
          rowKey={(partner) => partner.code}
          filtered={Object.keys(filters).length > 0}
          onClearFilters={() => change({ name: null, role: null, status: null })}
          empty={{ title: words.empty, hint: words.emptyHint }}
          columns={[
            {
              name: words.code,
              show: (partner) => (
                <PageLink to="/partners/$partnerCode" params={{ partnerCode: partner.code }}>
                  <CodeText>{partner.code}</CodeText>
                </PageLink>
              ),
            },
            { name: words.name, show: (partner) => partner.name },
            {
              name: words.roles,
              show: (partner) => (
                <Text size="sm">{partner.roles.map((role) => words.roleNames[role]).join(' · ')}</Text>
              ),
              wide: true,
            },
            { name: words.contactName, show: (partner) => partner.contact?.name, wide: true },
            { name: common.status, show: (partner) => <StatusBadge status={partner.status} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}

function Actions({ filters }: { filters: object }) {
  const words = useWords(partnerWords);
  const importing = useWords(importWords);
  const may = useMay();
  const navigate = useNavigate();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <ExportButton
        file="partners.csv"
        columns={PARTNER_COLUMNS}
        each={() => api.each('/v2/partners', { query: { ...filters, limit: 200 } })}
      />
      {may('products:write') && (
        <>
          <ButtonLink to="/partners/import" variant="default" leftSection={<Upload size={16} />}>
            {importing.importFile}
          </ButtonLink>
          <Button leftSection={<Plus size={16} />} onClick={open}>
            {words.newPartner}
          </Button>
          <PartnerForm
            opened={opened}
            onClose={close}
            onDone={({ code }) => navigate({ to: '/partners/$partnerCode', params: { partnerCode: code } })}
          />
        </>
      )}
    </>
  );
}
