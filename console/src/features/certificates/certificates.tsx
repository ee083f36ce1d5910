import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/filter-bar.js';
import { Page, Panel } from '../../ui/page.js';
import { useStatusChoices } from '../../ui/status.js';
import { useCertificateColumns } from './certificate-columns.js';
import { EnterForm } from './certificate-form.js';
import { certificateWords } from './certificate-words.js';
import { ViewSwitch } from './view-switch.js';

const FILTERS = [
  'certificateNo',
  'status',
  'subjectType',
  'subjectCode',
  'type',
  'expiringWithinDays',
] as const;
const SUBJECT_TYPES = ['supplier', 'product', 'customer'] as const;
const WITHIN_DAYS = [7, 15, 30, 90, 180, 365];

export default function Certificates() {
  const words = useWords(certificateWords);
  const may = useMay();
  const navigate = useNavigate();
  const [opened, { open, close }] = useDisclosure();
  return (
    <Page
      title={words.certificates}
      hint={words.hint}
      actions={
        <>
          <ViewSwitch view="table" />
          {may('certificates:write') && (
            <Button leftSection={<Plus size={16} />} onClick={open}>
              {words.enter}
            </Button>
          )}
        </>
      }
    >
      <Panel>
        <CertificateTable />
      </Panel>
      <EnterForm
        opened={opened}
        onClose={close}
        onDone={({ certificateId }) =>
          navigate({ to: '/certificates/$certificateId', params: { certificateId } })
        }
      />
    </Page>
  );
}

function CertificateTable() {
  const words = useWords(certificateWords);
  const [filters, change] = useFilters(FILTERS);
  const list = useList('/v2/certificates', { query: filters as object });
  return (
    <>
      <Filters filters={filters} change={change} />
      <DataTable
        list={list}
        label={words.certificates}
        rowKey={(certificate) => certificate.certificateId}
        filtered={Object.keys(filters).length > 0}
        onClearFilters={() => change(Object.fromEntries(FILTERS.map((name) => [name, null])))}
        empty={{ title: words.none, hint: words.noneHint }}
        columns={useCertificateColumns()}
      />
    </>
  );
}

type FilterName = (typeof FILTERS)[number];

function Filters({
  filters,
  change,
}: {
  filters: Partial<Record<FilterName, string>>;
  change: (part: Partial<Record<FilterName, string | null>>) => void;
}) {
  const words = useWords(certificateWords);
  const common = useWords(commonWords);
  return (
    <FilterBar>
      <SearchFilter
        label={words.no}
        value={filters.certificateNo}
        onChange={(certificateNo) => change({ certificateNo })}
      />
      <ChoiceFilter
        label={common.status}
        value={filters.status}
        choices={useStatusChoices([
          'valid',
          'expiring',
          'expired',
          'not_yet_valid',
          'suspended',
          'revoked',
          'superseded',
        ])}
        onChange={(status) => change({ status })}
      />
      <ChoiceFilter
        label={words.subjectType}
        value={filters.subjectType}
        choices={SUBJECT_TYPES.map((each) => ({ value: each, label: words.subjectTypes[each] }))}
        onChange={(subjectType) => change({ subjectType })}
      />
      <SearchFilter label={words.typeFilter} value={filters.type} onChange={(type) => change({ type })} />
      <ChoiceFilter
        label={words.expiringWithin}
        value={filters.expiringWithinDays}
        choices={WITHIN_DAYS.map((days) => ({ value: String(days), label: words.within(days) }))}
        onChange={(expiringWithinDays) => change({ expiringWithinDays })}
      />
    </FilterBar>
  );
}
