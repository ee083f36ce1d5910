import type { Item } from '@lotward/client';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Chart, useChartColors } from '../../ui/chart.js';
import { usageWords } from './usage-words.js';

const sum = (items: readonly Usage[], of: (usage: Usage) => number): number =>
  items.reduce((total, each) => total + of(each), 0);

type Usage = Item<'/v2/settings/usage'>;

/** Stacked: successful requests, and refused ones by reason. */
export function UsageChart({ items, timeOf }: { items: readonly Usage[]; timeOf: (at: string) => string }) {
  const words = useWords(usageWords);
  const colors = useChartColors();
  const format = useFormat();
  const option = useMemo(() => {
    const bars = (name: string, color: string, of: (usage: Usage) => number) => ({
      type: 'bar',
      name,
      stack: 'requests',
      barMaxWidth: 28,
      itemStyle: { color },
      data: items.map(of),
    });
    const text = { color: colors.text };
    return {
      grid: { left: 8, right: 8, top: 48, bottom: 8, containLabel: true },
      legend: { type: 'plain', top: 0, left: 0, itemHeight: 10, itemWidth: 14, textStyle: text },
      tooltip: {
        trigger: 'axis',
        backgroundColor: colors.background,
        borderColor: colors.faint,
        textStyle: text,
      },
      xAxis: {
        type: 'category',
        data: items.map((each) => timeOf(each.at)),
        axisLabel: { ...text, hideOverlap: true },
        axisLine: { lineStyle: { color: colors.faint } },
        axisTick: { show: false },
      },
      yAxis: {
        type: 'value',
        minInterval: 1,
        axisLabel: text,
        splitLine: { lineStyle: { color: colors.faint, opacity: 0.6 } },
      },
      series: [
        bars(
          words.answered,
          colors.main,
          (each) => each.requests - each.clientErrors - each.serverErrors - each.limited,
        ),
        bars(words.clientErrors, colors.second, (each) => each.clientErrors),
        bars(words.limited, colors.warning, (each) => each.limited),
        bars(words.serverErrors, colors.danger, (each) => each.serverErrors),
      ],
    };
  }, [items, words, colors, timeOf]);
  const said = words.says(
    format.number(sum(items, (each) => each.requests)),
    format.number(sum(items, (each) => each.clientErrors + each.serverErrors)),
    format.number(sum(items, (each) => each.limited)),
  );
  return (
    <figure style={{ margin: 0 }}>
      <Chart option={option} label={said} height={280} />
      <Text component="figcaption" size="xs" c="dimmed" mt={4}>
        {said}
      </Text>
    </figure>
  );
}
