import type { ChartColors } from './chart.js';

/** Numbers up the axis, with faint lines across. */
export const valueAxis = (colors: ChartColors) => ({
  type: 'value',
  minInterval: 1,
  axisLabel: { color: colors.text },
  splitLine: { lineStyle: { color: colors.faint, opacity: 0.6 } },
});

const LABELS_MAX = 8;
const LABELS_OF_MANY = 6;

/** Counted from the newest period, which people look for first. */
const isLabelled = (periods: number) => {
  const step = periods <= LABELS_MAX ? 1 : Math.ceil(periods / LABELS_OF_MANY);
  return (at: number): boolean => (periods - 1 - at) % step === 0;
};

/** The options of a chart over periods: legend above, periods below, and a tooltip with all values of one period. */
export const overPeriods = (colors: ChartColors, periods: readonly string[]) => {
  const text = { color: colors.text };
  return {
    grid: { left: 8, right: 8, top: 56, bottom: 8, containLabel: true },
    legend: { type: 'plain', top: 0, left: 0, itemHeight: 10, itemWidth: 14, textStyle: text },
    tooltip: {
      trigger: 'axis',
      backgroundColor: colors.background,
      borderColor: colors.faint,
      textStyle: text,
    },
    xAxis: {
      type: 'category',
      data: periods,
      axisLabel: { ...text, hideOverlap: true, interval: isLabelled(periods.length) },
      axisLine: { lineStyle: { color: colors.faint } },
      axisTick: { show: false },
    },
    yAxis: valueAxis(colors),
  };
};

/** Bars stacked on the previous ones. */
export const stackedBars = (name: string, color: string, data: readonly number[]) => ({
  type: 'bar',
  stack: 'all',
  barMaxWidth: 24,
  name,
  itemStyle: { color },
  data,
});
