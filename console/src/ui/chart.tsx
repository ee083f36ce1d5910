import { Skeleton, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import type { EChartsCoreOption, EChartsType } from 'echarts/core';
import { useEffect, useMemo, useRef, useState } from 'react';

export interface ChartColors {
  text: string;
  /** Axes and grid lines. */
  faint: string;
  background: string;
  /** The background of the chart. */
  card: string;
  main: string;
  second: string;
  good: string;
  warning: string;
  danger: string;
}

/** Colors with enough contrast in the light and the dark scheme. */
export function useChartColors(): ChartColors {
  const { colors, white } = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return useMemo(() => {
    const of = (name: string, light: number, dark: number) => colors[name]?.[isDark ? dark : light] ?? '';
    return {
      text: isDark ? of('dark', 0, 0) : of('gray', 7, 7),
      faint: isDark ? of('dark', 4, 4) : of('gray', 3, 3),
      background: isDark ? of('dark', 6, 6) : white,
      card: isDark ? of('dark', 7, 7) : white,
      main: of('ward', 7, 4),
      second: of('indigo', 6, 4),
      good: of('teal', 8, 4),
      warning: of('orange', 8, 4),
      danger: of('red', 8, 5),
    };
  }, [colors, white, isDark]);
}

/** Options shared by all charts; a chart's own options override them. */
function framed(option: EChartsCoreOption, colors: ChartColors, fontFamily: string, label: string) {
  return {
    animation: false,
    color: [colors.main, colors.second, colors.good, colors.warning, colors.danger],
    ...option,
    backgroundColor: 'transparent',
    textStyle: { fontFamily, color: colors.text },
    aria: { enabled: true, label: { description: label } },
  };
}

interface ChartProps {
  option: EChartsCoreOption;
  /** The text alternative. */
  label: string;
  height: number;
}

/** A chart with its text alternative below, visible to everyone. */
export const ChartFigure = (props: ChartProps) => (
  <figure style={{ margin: 0 }}>
    <Chart {...props} />
    <Text component="figcaption" size="xs" c="dimmed" mt={4}>
      {props.label}
    </Text>
  </figure>
);

function Chart({ option, label, height }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType | null>(null);
  const colors = useChartColors();
  const { fontFamily } = useMantineTheme();

  useEffect(() => {
    let made: EChartsType | null = null;
    let gone = false;
    const sizes = new ResizeObserver(() => made?.resize());
    // The library is large and only a few pages have charts, so it is loaded on demand.
    import('./chart-engine.js').then(({ init }) => {
      if (gone || !place.current) return;
      made = init(place.current, null, { renderer: 'svg' });
      sizes.observe(place.current);
      setChart(made);
    });
    return () => {
      gone = true;
      sizes.disconnect();
      made?.dispose();
      setChart(null);
    };
  }, []);

  useEffect(() => {
    if (chart && !chart.isDisposed())
      chart.setOption(framed(option, colors, fontFamily ?? 'sans-serif', label), true);
  }, [chart, option, colors, fontFamily, label]);

  return (
    <div style={{ position: 'relative', height }}>
      {!chart && <Skeleton height={height} />}
      <div ref={place} role="img" aria-label={label} style={{ position: 'absolute', inset: 0 }} />
    </div>
  );
}
