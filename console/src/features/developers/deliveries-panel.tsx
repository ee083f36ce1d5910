import { Select, SimpleGrid, Stack } from '@mantine/core';
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
const CHART_HEIGHT = 230;
/** The maximum of one request; if there are more, the caption says so. */
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
            data={
              webhooks?.map((each) => ({
                value: each.webhookId,
                label: each.description ?? each.callbackUrl,
              })) ?? []
            }
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
        const said = words.says(total('succeeded'), total('failed'));
        const isPart = items.length === DELIVERIES_MAX;
        return (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <AttemptsChart
              hours={hours}
              said={isPart ? `${said} ${words.newestOnly(format.number(items.length))}` : said}
            />
            <ResponseChart hours={hours} />
          </SimpleGrid>
        );
      }}
    </Loaded>
  );
}

/** The frame of both charts: one place on the axis for each hour. */
function useHourAxis(hours: readonly Hour[]) {
  const { language } = useLanguage();
  const colors = useChartColors();
  return useMemo(() => {
    const clock = new Intl.DateTimeFormat(language, {
      timeStyle: 'short',
      hourCycle: 'h23',
      timeZone: shownZone(),
    });
    const axis = overPeriods(
      colors,
      hours.map(({ startMs }) => clock.format(startMs)),
    );
    // Two names fit on one line above the chart.
    return { colors, axis: { ...axis, grid: { ...axis.grid, top: 36 } } };
  }, [hours, colors, language]);
}

function AttemptsChart({ hours, said }: { hours: readonly Hour[]; said: string }) {
  const words = useWords(developerWords);
  const { colors, axis } = useHourAxis(hours);
  const counts = (of: 'succeeded' | 'failed') => hours.map((hour) => hour[of]);
  const option = {
    ...axis,
    series: [
      stackedBars(words.succeeded, colors.good, counts('succeeded')),
      stackedBars(words.failed, colors.danger, counts('failed')),
    ],
  };
  return <ChartFigure option={option} label={said} height={CHART_HEIGHT} />;
}

function ResponseChart({ hours }: { hours: readonly Hour[] }) {
  const words = useWords(developerWords);
  const { colors, axis } = useHourAxis(hours);
  const { axisLabel, ...values } = valueAxis(colors);
  const line = (name: string, color: string, of: 'medianMs' | 'p95Ms') => ({
    ...{ type: 'line', connectNulls: true, symbolSize: 7, showAllSymbol: true, name },
    data: hours.map((hour) => hour[of]),
    ...{ itemStyle: { color }, lineStyle: { color, width: 2 } },
  });
  const option = {
    ...axis,
    yAxis: { ...values, axisLabel: { ...axisLabel, formatter: `{value} ${words.ms}` } },
    series: [line(words.median, colors.second, 'medianMs'), line(words.p95, colors.warning, 'p95Ms')],
  };
  return <ChartFigure option={option} label={words.responseSays} height={CHART_HEIGHT} />;
}
