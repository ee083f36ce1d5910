import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChartLine, Pencil } from 'lucide-react';
import { useMemo } from 'react';
import { useList, useResource } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { DataTable } from '../../ui/data-table.js';
import { Empty } from '../../ui/empty.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { useWarehouseName, useZoneName } from '../catalogue/warehouse-name.js';
import { useAlertColumns } from './alert-columns.js';
import { alertWords, environmentWords } from './environment-words.js';
import { limitsText, type Point, UNITS } from './limits.js';
import { PointChart } from './point-chart.js';
import { PointForm } from './point-form.js';
import { LastReading } from './points.js';

const REFRESH_MS = 30_000;
const DAY_MS = 86_400_000;
const SPANS = { day: 1, week: 7, month: 30, quarter: 90 } as const;
type Span = keyof typeof SPANS;
/** As many as can be distinguished on a wide screen. */
const BUCKETS = 288;

export default function PointPage() {
  const words = useWords(environmentWords);
  const common = useWords(commonWords);
  const pointId = useParam('pointId');
  const point = useResource('/v2/environment/points/{pointId}', { path: { pointId }, refreshMs: REFRESH_MS });
  const [opened, { open, close }] = useDisclosure();
  const may = useMay();
  return (
    <Page
      title={point.data?.name ?? pointId}
      above={{ to: '/environment/points', name: words.points }}
      actions={
        may('environment:write') &&
        point.data && (
          <Button variant="default" leftSection={<Pencil size={16} />} onClick={open}>
            {common.edit}
          </Button>
        )
      }
    >
      <Loaded query={point} missing={{ title: words.notFound, to: '/environment/points' }}>
        {(data) => (
          <Stack>
            <Panel>
              <PointFacts point={data} />
            </Panel>
            <History point={data} />
            <PointAlerts pointId={pointId} />
            <PointForm point={data} opened={opened} onClose={close} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function PointFacts({ point }: { point: Point }) {
  const words = useWords(environmentWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const warehouseName = useWarehouseName();
  const zoneName = useZoneName();
  const minutes = (seconds: number) => words.minutes(format.number(seconds / 60));
  return (
    <Facts
      facts={[
        [common.status, <StatusBadge key="state" status={point.state} />],
        [words.pointId, point.pointId],
        [
          words.warehouse,
          `${warehouseName(point.warehouse)} · ${point.zone === null ? words.wholeWarehouse : zoneName(point.warehouse, point.zone)}`,
        ],
        [words.lastReading, <LastReading key="reading" point={point} />],
        [words.temperatureLimits, limitsText(point.temperature, UNITS.temperature, format) ?? words.noLimits],
        [words.humidityLimits, limitsText(point.humidity, UNITS.humidity, format) ?? words.noLimits],
        [words.delay, point.alarmDelaySeconds === 0 ? words.atOnce : minutes(point.alarmDelaySeconds)],
        [words.silentAfter, minutes(point.silentAfterSeconds)],
        [words.openAlerts, format.number(point.openAlerts)],
      ]}
    />
  );
}

function History({ point: { pointId, lastReading } }: { point: Point }) {
  const words = useWords(environmentWords);
  const [{ span: asked }, change] = useFilters(['span'] as const);
  const span: Span = asked !== undefined && asked in SPANS ? (asked as Span) : 'day';
  // Fixed when the span is chosen, so that refetching asks for the same span, up to now.
  const from = useMemo(() => new Date(Date.now() - SPANS[span] * DAY_MS).toISOString(), [span]);
  const history = useResource('/v2/environment/points/{pointId}/history', {
    path: { pointId },
    query: { from, buckets: BUCKETS },
    refreshMs: REFRESH_MS,
  });
  return (
    <Panel
      title={words.history}
      hint={words.historyHint}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={words.span}
          value={span}
          onChange={(next) => change({ span: next === 'day' ? null : next })}
          data={(Object.keys(SPANS) as Span[]).map((each) => ({ value: each, label: words.spans[each] }))}
        />
      }
    >
      <Loaded query={history}>
        {(data) =>
          data.buckets.length === 0 ? (
            <Empty title={words.noHistory} icon={ChartLine} />
          ) : (
            <Stack>
              <PointChart history={data} newest={lastReading} metric="temperature" />
              <PointChart history={data} newest={lastReading} metric="humidity" />
            </Stack>
          )
        }
      </Loaded>
    </Panel>
  );
}

function PointAlerts({ pointId }: { pointId: string }) {
  const words = useWords(environmentWords);
  const alerts = useWords(alertWords);
  const list = useList('/v2/environment/alerts', { query: { pointId, limit: 20 } });
  return (
    <Panel title={words.alertsOfPoint}>
      <DataTable
        list={list}
        label={words.alertsOfPoint}
        rowKey={(alert) => alert.alertId}
        empty={{ title: alerts.none, hint: alerts.noneHint }}
        columns={useAlertColumns({ ofOnePoint: true })}
      />
    </Panel>
  );
}
