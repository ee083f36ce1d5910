import { Box, Group, Text } from '@mantine/core';
import type { Search } from '../../app/paths.js';
import { BoxLink } from '../../ui/links.js';
import classes from './bars.module.css';

interface Place {
  to: string;
  search?: Search;
}

export interface Bar {
  key: string;
  /** Below the bar; empty for none. */
  caption: string;
  /** Above the bar, if there is room. */
  figure?: string;
  /** Everything that the bar shows, as its accessible name and tooltip. */
  says: string;
  parts: readonly { color: string; value: number }[];
  place: Place | null;
}

const FIGURE_HEIGHT = 14;

/**
 * Bars of stacked parts, each a link. Plain boxes, because the start page must not wait for a chart library. Higher means
 * more in every color scheme.
 */
export function Bars({ bars, height, label }: { bars: readonly Bar[]; height: number; label: string }) {
  const most = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  return (
    <ul className={classes.bars} aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.key} className={classes.bar}>
          <Column bar={bar} most={most} height={height} />
          {/* Keeps its space even without a caption, so that all bars align. */}
          <div className={classes.caption} aria-hidden>
            {bar.caption || '\u00a0'}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Column({ bar, most, height }: { bar: Bar; most: number; height: number }) {
  const shown = bar.parts.filter(({ value }) => value > 0);
  const inside =
    shown.length === 0 ? (
      <div className={classes.none} />
    ) : (
      <>
        {bar.figure && <span className={classes.figure} data-figure={bar.figure} />}
        {shown.map(({ color, value }) => (
          <div
            key={color}
            className={classes.part}
            style={{ background: `var(--mantine-color-${color}-filled)`, height: (value / most) * height }}
          />
        ))}
      </>
    );
  const room = bar.figure === undefined ? height : height + FIGURE_HEIGHT;
  const looks = {
    className: classes.column,
    style: { height: room },
    title: bar.says,
    'aria-label': bar.says,
  };
  if (bar.place === null)
    return (
      <div role="img" {...looks}>
        {inside}
      </div>
    );
  return (
    <BoxLink to={bar.place.to} search={bar.place.search ?? {}} bg="transparent" {...looks}>
      {inside}
    </BoxLink>
  );
}

/** The meaning of the colors. */
export const Legend = ({ entries }: { entries: readonly { name: string; color: string }[] }) => (
  <Group gap="sm" aria-hidden>
    {entries.map(({ name, color }) => (
      <Group key={color} gap={6} wrap="nowrap">
        <span className={classes.key} style={{ background: `var(--mantine-color-${color}-filled)` }} />
        <Text component="span" size="xs" c="dimmed">
          {name}
        </Text>
      </Group>
    ))}
  </Group>
);

export interface TileProps {
  name: string;
  value: string;
  more?: string | undefined;
  color?: string | undefined;
  place: Place | null;
  isUrgent?: boolean;
}

/** A figure that links to the records it counts. */
export function Tile({ name, value, more, color, place, isUrgent }: TileProps) {
  const inside = (
    <>
      <Group gap={6} wrap="nowrap">
        {color && (
          <span className={classes.key} style={{ background: `var(--mantine-color-${color}-filled)` }} />
        )}
        <Text component="span" size="xs" c="dimmed">
          {name}
        </Text>
      </Group>
      <Text component="span" display="block" fz="lg" fw={650} lh={1.3}>
        {value}
      </Text>
      {more && (
        <Text component="span" display="block" size="xs" c="dimmed">
          {more}
        </Text>
      )}
    </>
  );
  const looks = { className: classes.tile, 'data-urgent': isUrgent || undefined };
  if (place === null) return <Box {...looks}>{inside}</Box>;
  return (
    <BoxLink to={place.to} search={place.search ?? {}} bg="transparent" {...looks}>
      {inside}
    </BoxLink>
  );
}
