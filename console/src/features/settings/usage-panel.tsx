import type { Item } from '@lotward/client';
import { SegmentedControl } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useResource } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import { Empty } from '../../ui/empty.js';
import { Loaded, Panel } from '../../ui/page.js';
import { UsageChart } from './usage-chart.js';
import { usageWords } from './usage-words.js';

type Usage = Item<'/v2/settings/usage'>;

const HOUR_MS = 3_600_000;
const SPANS = {
  day: { step: 'hour', hours: 24 },
  week: { step: 'hour', hours: 7 * 24 },
  month: { step: 'day', hours: 30 * 24 },
} as const;
type Span = keyof typeof SPANS;
const isSpan = (text: string | undefined): text is Span => text !== undefined && text in SPANS;
const REFRESH_MS = 60_000;

/** Starts at a full hour, so that the query and its data stay the same until the next hour. */
const startOf = (span: Span): string =>
  new Date((Math.floor(Date.now() / HOUR_MS) - SPANS[span].hours + 1) * HOUR_MS).toISOString();

/** Requests over time, of one or all credentials, as a chart or table. */
export function UsagePanel({ credentialId }: { credentialId?: string }) {
  const words = useWords(usageWords);
  const [filters, change] = useFilters(['span', 'look']);
  const span = isSpan(filters.span) ? filters.span : 'day';
  const isTable = filters.look === 'table';
  const from = useMemo(() => startOf(span), [span]);
  const timeOf = useTimeOf(span);
  const usage = useResource('/v2/settings/usage', {
    query: { step: SPANS[span].step, from, ...(credentialId === undefined ? {} : { credentialId }) },
    refreshMs: REFRESH_MS,
  });
  return (
    <Panel
      title={words.usage}
      hint={words.hint}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label={words.span}
            value={span}
            data={(['day', 'week', 'month'] as const).map((value) => ({ value, label: words.spans[value] }))}
            onChange={(next) => change({ span: next === 'day' ? null : next })}
          />
          <SegmentedControl
            size="xs"
            aria-label={words.look}
            value={isTable ? 'table' : 'chart'}
            data={(['chart', 'table'] as const).map((value) => ({ value, label: words[value] }))}
            onChange={(next) => change({ look: next === 'chart' ? null : next })}
          />
        </>
      }
    >
      <Loaded query={usage}>
        {({ items }) => {
          if (items.every((each) => each.requests === 0)) return <Empty title={words.nothing} />;
          return isTable ? (
            <UsageTable items={items} timeOf={timeOf} />
          ) : (
            <UsageChart items={items} timeOf={timeOf} />
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** The hour, with its day if there are several; or the day, whose noon is on the same date in most time zones. */
function useTimeOf(span: Span): (at: string) => string {
  const { language } = useLanguage();
  return useCallback(
    (at) => {
      const date = { month: 'short', day: 'numeric' } as const;
      const hour = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
      const style = { day: hour, week: { ...date, ...hour }, month: date }[span];
      const middleMs = span === 'month' ? 12 * HOUR_MS : 0;
      return new Intl.DateTimeFormat(language, style).format(Date.parse(at) + middleMs);
    },
    [language, span],
  );
}

function UsageTable({ items, timeOf }: { items: readonly Usage[]; timeOf: (at: string) => string }) {
  const words = useWords(usageWords);
  const format = useFormat();
  const used = items.filter((each) => each.requests > 0).reverse();
  return (
    <ItemTable
      items={used}
      label={words.usage}
      rowKey={(each) => each.at}
      columns={[
        { name: words.at, show: (each) => timeOf(each.at) },
        { name: words.requests, show: (each) => format.number(each.requests), align: 'right' },
        {
          name: words.clientErrors,
          show: (each) => format.number(each.clientErrors),
          align: 'right',
          wide: true,
        },
        {
          name: words.serverErrors,
          show: (each) => format.number(each.serverErrors),
          align: 'right',
          wide: true,
        },
        { name: words.limited, show: (each) => format.number(each.limited), align: 'right' },
      ]}
    />
  );
}
