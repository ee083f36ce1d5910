import { Select, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useList, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { shownZone } from '../../app/zone.js';
import { overPeriods, stackedBars, valueAxis } from '../../ui/bar-chart.js';
import { ChartFigure, useChartColors } from '../../ui/chart.js';
import { Empty } from '../../ui/empty.js';
import { ButtonLink } from '../../ui/links.js';
import { Loaded, Panel } from '../../ui/page.js';
import { developerWords } from './developer-words.js';
import { byHour, type Hour } from './hours.js';

const HOURS = 24;
const REFRESH_MS = 60_000;
/** The most that one request gives; enough for the last day of most webhooks, and the caption says what it covers. */
const DELIVERIES_MAX = 200;

/** Success and latency of a webhook, hour by hour. */
export function DeliveriesPanel() {
  const words = useWords(developerWords);
  const webhooks = useList('/v2/webhooks').data?.pages.flatMap(({ items }) => items);
  const [chosen, choose] = useState<string | null>(null);
  const webhookId = chosen ?? webhooks?.[0]?.webhookId;
  return (
    <Panel
      title={words.deliveries}
      actions={
        webhookId !== undefined && (
          <ButtonLink to="/webhooks/$webhookId" params={{ webhookId }} variant="default" size="compact-sm">
            {words.replay}
          </ButtonLink>
        )
      }
    >
      {webhookId === undefined ? (
        webhooks && <Empty title={words.noWebhooks} hint={words.noWebhooksHint} />
      ) : (
        <Stack>
          <Select
            label={words.webhook}
            data={webhooks?.map((each) => ({ value: each.webhookId, label: each.callbackUrl })) ?? []}
            value={webhookId}
            onChange={choose}
            allowDeselect={false}
            maw={520}
          />
          <Deliveries webhookId={webhookId} />
        </Stack>
      )}
    </Panel>
  );
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const words = useWords(developerWords);
  const format = useFormat();
  const deliveries = useResource('/v2/webhooks/{webhookId}/deliveries', {
    path: { webhookId },
    query: { limit: DELIVERIES_MAX },
    refreshMs: REFRESH_MS,
  });
  return (
    <Loaded query={deliveries}>
      {({ items }) => {
        const hours = byHour(
          items.flatMap(({ attempts }) => attempts),
          Date.now(),
          HOURS,
        );
        const total = (of: 'succeeded' | 'failed') =>
          format.number(hours.reduce((sum, hour) => sum + hour[of], 0));
        return (
          <HourChart
            hours={hours}
            said={words.says(total('succeeded'), total('failed'), format.number(items.length))}
          />
        );
      }}
    </Loaded>
  );
}

/** Counts as bars on the left axis, latencies as lines on the right. */
function HourChart({ hours, said }: { hours: readonly Hour[]; said: string }) {
  const words = useWords(developerWords);
  const { language } = useLanguage();
  const colors = useChartColors();
  const option = useMemo(() => {
    const clock = new Intl.DateTimeFormat(language, {
      timeStyle: 'short',
      hourCycle: 'h23',
      timeZone: shownZone(),
    });
    const text = { color: colors.text };
    const line = (name: string, color: string, data: (number | null)[]) => ({
      ...{ type: 'line', yAxisIndex: 1, connectNulls: true, symbolSize: 5, name, data },
      ...{ itemStyle: { color }, lineStyle: { color, width: 2 } },
    });
    const each = <T,>(of: (hour: Hour) => T) => hours.map(of);
    return {
      ...overPeriods(
        colors,
        each(({ startMs }) => clock.format(startMs)),
      ),
      yAxis: [
        valueAxis(colors),
        {
          ...{ type: 'value', name: words.ms, axisLabel: text, splitLine: { show: false } },
          // Centred above the axis, its second half would be beyond the edge.
          nameTextStyle: { ...text, align: 'right' },
        },
      ],
      series: [
        stackedBars(
          words.succeeded,
          colors.good,
          each(({ succeeded }) => succeeded),
        ),
        stackedBars(
          words.failed,
          colors.danger,
          each(({ failed }) => failed),
        ),
        line(
          words.median,
          colors.second,
          each(({ medianMs }) => medianMs),
        ),
        line(
          words.p95,
          colors.warning,
          each(({ p95Ms }) => p95Ms),
        ),
      ],
    };
  }, [hours, words, colors, language]);
  return <ChartFigure option={option} label={said} height={260} />;
}
