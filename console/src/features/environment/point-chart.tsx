import { useMemo } from 'react';
import { type Format, useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { shownZone } from '../../app/zone.js';
import { type ChartColors, ChartFigure, useChartColors } from '../../ui/chart.js';
import { type Dot, dotsOf, type History, middleOf, type Reading, upToNewest } from './curve.js';
import { environmentWords } from './environment-words.js';
import { type Metric, readingText, UNITS, withUnit } from './limits.js';

interface Words {
  average: string;
  range: string;
  upperLimit: string;
  lowerLimit: string;
}

/** One metric over time up to the newest reading: readings, limits, and the periods outside them. */
export function PointChart({
  history: kept,
  newest,
  metric,
}: {
  history: History;
  newest: Reading | null;
  metric: Metric;
}) {
  const history = useMemo(() => upToNewest(kept, newest), [kept, newest]);
  const words = useWords(environmentWords);
  const colors = useChartColors();
  const format = useFormat();
  const { language } = useLanguage();
  const option = useMemo(
    () => optionOf(history, metric, { words, colors, format, language }),
    [history, metric, words, colors, format, language],
  );
  const read = history.buckets.flatMap((bucket) => bucket[metric] ?? []);
  if (read.length === 0) return null;
  const lowest = Math.min(...read.map((each) => each.min));
  const highest = Math.max(...read.map((each) => each.max));
  const excursions = history.alerts.filter((alert) => alert.metric === metric).length;
  const said = words.chartSays(
    words[metric],
    format.instant(history.from),
    format.instant(history.to),
    readingText(lowest, metric, language),
    readingText(highest, metric, language),
    excursions,
  );
  return <ChartFigure option={option} label={said} height={260} />;
}

const LONG_MS = 2 * 86_400_000;

/** The time of day, or the day where the chart shows many. */
function tickOf({ from, to }: History, language: string): (at: number) => string {
  const timeZone = shownZone();
  const isLong = Date.parse(to) - Date.parse(from) > LONG_MS;
  const style = isLong
    ? new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone })
    : new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hour12: false, timeZone });
  return (at) => style.format(at);
}

interface Looks {
  words: Words;
  colors: ChartColors;
  format: Format;
  language: string;
}

function optionOf(history: History, metric: Metric, { words, colors, format, language }: Looks) {
  const unit = UNITS[metric];
  const limits = history[metric];
  const lows = dotsOf(history, metric, 'min');
  // Stacked on the lowest value, the difference to the highest fills the band between them.
  const spread = dotsOf(history, metric, 'max').map(([at, high], n): Dot => {
    const low = lows[n]?.[1] ?? null;
    return [at, high === null || low === null ? null : Number((high - low).toFixed(3))];
  });
  const averages = dotsOf(history, metric, 'avg');
  const lastRead = averages.findLastIndex(([, value]) => value !== null);
  const bare = { type: 'line', symbol: 'none', silent: true, lineStyle: { opacity: 0 } };
  return {
    grid: { left: 8, right: 16, top: 34, bottom: 8, containLabel: true },
    tooltip: tooltipOf(history, metric, colors, format),
    xAxis: {
      type: 'time',
      min: Date.parse(history.from),
      max: Date.parse(history.to),
      axisLabel: { color: colors.text, hideOverlap: true, formatter: tickOf(history, language) },
      axisLine: { lineStyle: { color: colors.faint } },
    },
    yAxis: {
      type: 'value',
      name: unit,
      scale: true,
      min: (shown: Scale) => scaleOf(shown, limits).min,
      max: (shown: Scale) => scaleOf(shown, limits).max,
      nameTextStyle: { color: colors.text },
      // The ends of the scale are whole numbers, often one step from the nearest line, and their labels would overlap.
      axisLabel: { color: colors.text, showMinLabel: false, showMaxLabel: false },
      splitLine: { lineStyle: { color: colors.faint, opacity: 0.6 } },
    },
    series: [
      { ...bare, name: 'low', data: lows, stack: 'band', stackStrategy: 'all' },
      {
        ...bare,
        name: words.range,
        data: spread,
        stack: 'band',
        stackStrategy: 'all',
        areaStyle: { color: colors.main, opacity: 0.18 },
      },
      {
        type: 'line',
        name: words.average,
        symbol: 'none',
        // The newest reading is marked.
        data: averages.map((value, n) =>
          n === lastRead ? { value, symbol: 'circle', symbolSize: 7 } : value,
        ),
        lineStyle: { width: 2, color: colors.main },
        itemStyle: { color: colors.main },
        markLine: limitLines(limits, unit, words, colors, format),
        markArea: excursionsOf(history, metric, colors),
      },
    ],
  };
}

interface Scale {
  min: number;
  max: number;
}
/** Room for the label of a limit, above the upper and below the lower one, as a share of the scale. */
const LABEL_ROOM = 0.15;

/** Keeps the limits visible even when all readings are far from them. */
function scaleOf(shown: Scale, limits: History['temperature']): Scale {
  const low = Math.min(shown.min, limits?.min ?? shown.min);
  const high = Math.max(shown.max, limits?.max ?? shown.max);
  const room = Math.max(1, (high - low) * LABEL_ROOM);
  return { min: Math.floor(low - room), max: Math.ceil(high + room) };
}

function limitLines(
  limits: History['temperature'],
  unit: string,
  words: Words,
  colors: ChartColors,
  format: Format,
) {
  const line = (name: string, value: number | null | undefined, position: string) =>
    value === null || value === undefined
      ? []
      : [
          {
            yAxis: value,
            label: {
              position,
              color: colors.danger,
              formatter: `${name} ${withUnit(value, unit, format)}`,
              // Keeps the lines of the scale from crossing it.
              backgroundColor: colors.card,
              padding: [1, 3],
            },
          },
        ];
  return {
    silent: true,
    symbol: 'none',
    lineStyle: { color: colors.danger, type: 'dashed' },
    data: [
      ...line(words.upperLimit, limits?.max, 'insideStartTop'),
      ...line(words.lowerLimit, limits?.min, 'insideStartBottom'),
    ],
  };
}

const excursionsOf = (history: History, metric: Metric, colors: ChartColors) => ({
  silent: true,
  itemStyle: { color: colors.danger, opacity: 0.15 },
  data: history.alerts
    .filter((alert) => alert.metric === metric)
    .map((alert) => [
      { xAxis: Math.max(Date.parse(alert.startedAt), Date.parse(history.from)) },
      { xAxis: Date.parse(alert.closedAt ?? history.to) },
    ]),
});

const tooltipOf = (history: History, metric: Metric, colors: ChartColors, format: Format) => ({
  trigger: 'axis',
  backgroundColor: colors.background,
  borderColor: colors.faint,
  textStyle: { color: colors.text },
  formatter(shown: { value: Dot }[]) {
    const at = shown[0]?.value[0];
    const bucket = history.buckets.find((each) => middleOf(each) === at);
    const read = bucket?.[metric];
    if (!bucket || !read) return '';
    const range =
      read.min === read.max
        ? ''
        : ` (${format.number(read.min)}${format.dash}${withUnit(read.max, UNITS[metric], format)})`;
    const span =
      bucket.firstAt === bucket.lastAt
        ? format.instant(bucket.firstAt)
        : `${format.instant(bucket.firstAt)}${format.dash}${format.instant(bucket.lastAt)}`;
    return `${span}<br>${withUnit(read.avg, UNITS[metric], format)}${range}`;
  },
});
