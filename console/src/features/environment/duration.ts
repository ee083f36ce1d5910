const MINUTE_MS = 60_000;
const UNITS = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** `1 day 2 hr`, `1 hr 20 min`: the two largest units. */
export function durationText(from: string, to: string, language: string): string {
  let minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS));
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(minutes / size);
    minutes -= count * size;
    return count === 0 ? [] : [{ unit, count }];
  });
  const shown = parts.length === 0 ? [{ unit: 'minute', count: 0 }] : parts.slice(0, 2);
  return shown
    .map(({ unit, count }) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count),
    )
    .join(' ');
}

const HOUR_MS = 3_600_000;

/** Intervals of at least five minutes: shorter than the time between readings, they would leave no line to draw. */
const BUCKETS = { min: 12, max: 288, minutes: 5 };

export function bucketsFor({ from, to }: { from: string; to: string }): number {
  const fitting = Math.round((Date.parse(to) - Date.parse(from)) / (BUCKETS.minutes * MINUTE_MS));
  return Math.min(BUCKETS.max, Math.max(BUCKETS.min, fitting));
}

/** The span to show around an excursion: half its length before and after it, at least an hour, and not beyond now. */
export function spanAround(from: string, to: string, now: number): { from: string; to: string } {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const margin = Math.max(HOUR_MS, (end - start) / 2);
  return {
    from: new Date(start - margin).toISOString(),
    to: new Date(Math.max(start + MINUTE_MS, Math.min(now, end + margin))).toISOString(),
  };
}
