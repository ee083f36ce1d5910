import { Button, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ShieldCheck } from 'lucide-react';
import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { DataTable } from '../../ui/data-table.js';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/filter-bar.js';
import { Page, Panel } from '../../ui/page.js';
import { KNOWN_ACTIONS, useActionName } from './audit-actions.js';
import { Entity } from './audit-entity.js';
import { AuditEntry } from './audit-entry.js';
import { VerifyWindow } from './audit-verify.js';
import { auditWords, entityWords } from './audit-words.js';

const FILTERS = ['entityType', 'entityId', 'actor', 'action', 'since', 'until'] as const;
type Filters = Partial<Record<(typeof FILTERS)[number], string>>;
const NONE = { entityType: null, entityId: null, actor: null, action: null, since: null, until: null };

const DAY_MS = 86_400_000;
const isDay = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(Date.parse(`${text}T00:00`));

/** Days are in the browser's time zone; the last one is included. */
function queryOf({ since, until, ...rest }: Filters): object {
  return {
    ...rest,
    ...(isDay(since) ? { since: new Date(`${since}T00:00`).toISOString() } : {}),
    ...(isDay(until) ? { until: new Date(Date.parse(`${until}T00:00`) + DAY_MS).toISOString() } : {}),
  };
}

export default function Audit() {
  const words = useWords(auditWords);
  const [filters, change] = useFilters(FILTERS);
  const [verifying, { open, close }] = useDisclosure();
  const list = useList('/v2/audit', { query: queryOf(filters) });
  return (
    <Page
      title={words.audit}
      hint={words.hint}
      actions={
        <Button variant="default" leftSection={<ShieldCheck size={16} />} onClick={open}>
          {words.verify}
        </Button>
      }
    >
      <Panel>
        <AuditFilters filters={filters} change={change} />
        <AuditTable
          list={list}
          filtered={Object.keys(filters).length > 0}
          onClearFilters={() => change(NONE)}
        />
      </Panel>
      <VerifyWindow opened={verifying} onClose={close} />
    </Page>
  );
}

function AuditFilters({
  filters,
  change,
}: {
  filters: Filters;
  change: (part: Partial<Record<(typeof FILTERS)[number], string | null>>) => void;
}) {
  const words = useWords(auditWords);
  const entities = useWords(entityWords);
  const actionName = useActionName();
  return (
    <FilterBar>
      <ChoiceFilter
        label={words.entityType}
        value={filters.entityType}
        choices={Object.entries(entities).map(([value, label]) => ({ value, label }))}
        onChange={(entityType) => change({ entityType })}
      />
      <SearchFilter
        label={words.entityId}
        value={filters.entityId}
        onChange={(entityId) => change({ entityId })}
      />
      <SearchFilter label={words.actor} value={filters.actor} onChange={(actor) => change({ actor })} />
      <Select
        label={words.action}
        searchable
        clearable
        value={filters.action ?? null}
        data={KNOWN_ACTIONS.map((value) => ({ value, label: actionName(value) }))}
        onChange={(action) => change({ action })}
        w={{ base: '100%', xs: 220 }}
      />
      <TextInput
        type="date"
        label={words.since}
        value={filters.since ?? ''}
        onChange={(event) => change({ since: event.currentTarget.value || null })}
        w={{ base: 'calc(50% - 6px)', xs: 160 }}
      />
      <TextInput
        type="date"
        label={words.until}
        value={filters.until ?? ''}
        onChange={(event) => change({ until: event.currentTarget.value || null })}
        w={{ base: 'calc(50% - 6px)', xs: 160 }}
      />
    </FilterBar>
  );
}

function AuditTable(props: {
  list: ReturnType<typeof useList<'/v2/audit'>>;
  filtered: boolean;
  onClearFilters: () => void;
}) {
  const words = useWords(auditWords);
  const actionName = useActionName();
  const format = useFormat();
  return (
    <DataTable
      {...props}
      label={words.audit}
      rowKey={(entry) => entry.entryId}
      empty={{ title: words.empty }}
      detail={(entry) => <AuditEntry entry={entry} />}
      columns={[
        {
          name: words.at,
          show: (entry) => (
            <Text size="sm" miw={{ base: 90, sm: 170 }}>
              {format.instant(entry.at)}
            </Text>
          ),
        },
        {
          name: words.actor,
          show: (entry) => (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {entry.actor}
            </Text>
          ),
          wide: true,
        },
        { name: words.action, show: (entry) => actionName(entry.action) },
        { name: words.entity, show: (entry) => <Entity entry={entry} />, wide: true },
        { name: words.reason, show: (entry) => entry.reason, wide: true },
      ]}
    />
  );
}
