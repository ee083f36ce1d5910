import type { Item } from '@lotward/client';
import { useMemo } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { overPeriods, stackedBars } from '../../ui/bar-chart.js';
import { ChartFigure, useChartColors } from '../../ui/chart.js';
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
    const bars = (name: string, color: string, of: (usage: Usage) => number) =>
      stackedBars(name, color, items.map(of));
    return {
      ...overPeriods(
        colors,
        items.map((each) => timeOf(each.at)),
      ),
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
  return <ChartFigure option={option} label={said} height={280} />;
}
