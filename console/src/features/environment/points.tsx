import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar } from '../../ui/filter-bar.js';
import { PageLink } from '../../ui/links.js';
import { Page, Panel } from '../../ui/page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { WarehousePicker } from '../catalogue/pickers.js';
import { environmentWords } from './environment-words.js';
import { limitsText, type Point, UNITS, withUnit } from './limits.js';
import { PointForm } from './point-form.js';

const REFRESH_MS = 30_000;

export default function Points() {
  const words = useWords(environmentWords);
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  const canWrite = may('environment:write');
  return (
    <Page
      title={words.points}
      hint={words.pointsHint}
      actions={
        canWrite && (
          <Button leftSection={<Plus size={16} />} onClick={open}>
            {words.newPoint}
          </Button>
        )
      }
    >
      <Panel>
        <PointTable />
      </Panel>
      {canWrite && <PointForm opened={opened} onClose={close} />}
    </Page>
  );
}

function PointTable() {
  const words = useWords(environmentWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const may = useMay();
  const [filters, change] = useFilters(['warehouse', 'state'] as const);
  const list = useList('/v2/environment/points', { query: filters as object, refreshMs: REFRESH_MS });
  return (
    <>
      <FilterBar>
        {may('products:read') && (
          <WarehousePicker
            value={filters.warehouse}
            onChange={(warehouse) => change({ warehouse })}
            w={{ base: '100%', xs: 260 }}
          />
        )}
        <ChoiceFilter
          label={common.status}
          value={filters.state}
          choices={useStatusChoices(['normal', 'alert', 'silent', 'no_data', 'retired'])}
          onChange={(state) => change({ state })}
        />
      </FilterBar>
      <DataTable
        list={list}
        label={words.points}
        rowKey={(point) => point.pointId}
        filtered={Object.keys(filters).length > 0}
        onClearFilters={() => change({ warehouse: null, state: null })}
        empty={{ title: words.noPoints, hint: words.noPointsHint }}
        columns={[
          {
            name: words.name,
            show: (point) => (
              <PageLink to="/environment/points/$pointId" params={{ pointId: point.pointId }}>
                {point.name}
              </PageLink>
            ),
          },
          { name: words.warehouse, show: (point) => point.warehouse, wide: true },
          { name: words.zone, show: (point) => point.zone ?? words.wholeWarehouse, wide: true },
          { name: words.lastReading, show: (point) => <LastReading point={point} /> },
          {
            name: words.limits,
            show: (point) =>
              [
                limitsText(point.temperature, UNITS.temperature, format),
                limitsText(point.humidity, UNITS.humidity, format),
              ]
                .filter(Boolean)
                .join(', ') || NOTHING,
            wide: true,
          },
          { name: common.status, show: (point) => <StatusBadge status={point.state} /> },
        ]}
      />
    </>
  );
}

export function LastReading({ point }: { point: Point }) {
  const words = useWords(environmentWords);
  const format = useFormat();
  const { lastReading } = point;
  if (!lastReading) return words.noReading;
  const values = [
    lastReading.temperature === null ? null : withUnit(lastReading.temperature, UNITS.temperature, format),
    lastReading.humidity === null ? null : withUnit(lastReading.humidity, UNITS.humidity, format),
  ];
  return (
    <Stack gap={0}>
      <Text size="sm">{values.filter(Boolean).join(', ')}</Text>
      <Text size="xs" c="dimmed">
        {format.ago(lastReading.at)}
      </Text>
    </Stack>
  );
}
