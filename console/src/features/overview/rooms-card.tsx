import type { Item } from '@lotward/client';
import { Group, SimpleGrid, Text } from '@mantine/core';
import { useList, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { BoxLink, PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { middleOf } from '../environment/curve.js';
import classes from './bars.module.css';
import { overviewWords } from './overview-words.js';

const ROOMS = 6;
const BUCKETS = 24;
const REFRESH_MS = 60_000;
const WIDTH = 160;
const HEIGHT = 32;

type Point = Item<'/v2/environment/points'>;

/** The monitored rooms, each with a line of its last day. Nothing if there are none. */
export function RoomsCard() {
  const words = useWords(overviewWords);
  const list = useList('/v2/environment/points', { query: { limit: ROOMS }, refreshMs: REFRESH_MS });
  const points = list.data?.pages[0]?.items ?? [];
  if (points.length === 0) return null;
  return (
    <Panel
      title={words.rooms}
      hint={words.roomsHint}
      actions={
        <PageLink to="/environment/points" search={{}}>
          {words.allRooms}
        </PageLink>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {points.map((point) => (
          <Room key={point.pointId} point={point} />
        ))}
      </SimpleGrid>
    </Panel>
  );
}

function Room({ point }: { point: Point }) {
  const words = useWords(overviewWords);
  const format = useFormat();
  const history = useResource('/v2/environment/points/{pointId}/history', {
    path: { pointId: point.pointId },
    query: { buckets: BUCKETS },
    refreshMs: REFRESH_MS,
  });
  const metric = point.temperature ? 'temperature' : 'humidity';
  const values = (history.data?.buckets ?? []).flatMap((bucket) => {
    const value = bucket[metric];
    return value ? [{ at: middleOf(bucket), value: worstOf(value, point[metric]) }] : [];
  });
  const last = point.lastReading?.[metric];
  const unit = metric === 'temperature' ? '°C' : '%';
  return (
    <BoxLink
      to="/environment/points/$pointId"
      params={{ pointId: point.pointId }}
      bg="transparent"
      className={classes.tile}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start" mb={4}>
        <Text component="span" size="xs" c="dimmed" lineClamp={2}>
          {point.name}
        </Text>
        <StatusBadge status={point.state} />
      </Group>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-end">
        <Text component="span" fz="lg" fw={650} lh={1.3} style={{ whiteSpace: 'nowrap' }}>
          {typeof last === 'number' ? `${format.number(last)} ${unit}` : words.none}
        </Text>
        {values.length > 1 && <Sparkline values={values} limits={point[metric]} />}
      </Group>
    </BoxLink>
  );
}

interface Limits {
  min: number | null;
  max: number | null;
}

/** The mean of a span, or the peak deviation from the limits, because a mean would hide a short excursion. */
function worstOf(
  { min, avg, max }: { min: number; avg: number; max: number },
  limits: Limits | null,
): number {
  const above = max - (limits?.max ?? max);
  const below = (limits?.min ?? min) - min;
  if (above <= 0 && below <= 0) return avg;
  return above >= below ? max : min;
}

/** A line of the last day with its limits dashed. The figure next to it and the linked page give the details. */
function Sparkline({
  values,
  limits,
}: {
  values: readonly { at: number; value: number }[];
  limits: Limits | null;
}) {
  const bounds = [limits?.min, limits?.max].filter((bound): bound is number => typeof bound === 'number');
  const all = [...values.map(({ value }) => value), ...bounds];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const [first, last] = [values[0]?.at ?? 0, values.at(-1)?.at ?? 1];
  const x = (at: number) => ((at - first) / Math.max(1, last - first)) * WIDTH;
  const y = (value: number) => 2 + (1 - (value - low) / (high - low || 1)) * (HEIGHT - 4);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width="60%"
      height={HEIGHT}
      preserveAspectRatio="none"
      aria-hidden
    >
      {bounds.map((bound) => (
        <line
          key={bound}
          x1={0}
          x2={WIDTH}
          y1={y(bound)}
          y2={y(bound)}
          stroke="var(--mantine-color-orange-filled)"
          strokeDasharray="3 3"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      <polyline
        points={values.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
        fill="none"
        stroke="var(--mantine-primary-color-light-color)"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
