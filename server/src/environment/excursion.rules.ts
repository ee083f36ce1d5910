/** When readings leave the limits of a point and come back. Instants are milliseconds, which are cheap to compare. */

export const METRICS = ['temperature', 'humidity'] as const;
export type Metric = (typeof METRICS)[number];

/** Both inclusive; null: none on that side. */
export interface Limits {
  min: number | null;
  max: number | null;
}

/** What readings of a point are held against; a metric without limits is never outside. */
export interface Demands {
  temperature: Limits | null;
  humidity: Limits | null;
  delayMs: number;
}

export interface Measured {
  at: number;
  temperature: number | null;
  humidity: number | null;
}

/** One alert, from the reading that opens it to the one that closes it. */
export interface Excursion {
  /** Null: it was opened here and has no name yet. */
  alertId: string | null;
  metric: Metric;
  lowerLimit: number | null;
  upperLimit: number | null;
  startedAt: number;
  openedAt: number;
  lowest: number;
  highest: number;
  lastValue: number;
  lastObservedAt: number;
  repeats: number;
  lastToldAt: number;
  closedAt: number | null;
}

/** Where one metric of a point stands. */
export interface Watch {
  value: number | null;
  valueAt: number | null;
  /** The first reading outside with none inside after it, and the extremes since then. */
  outSince: number | null;
  outLowest: number | null;
  outHighest: number | null;
  open: Excursion | null;
}

export interface PointWatch {
  newestAt: number | null;
  temperature: Watch;
  humidity: Watch;
}

/** Something to tell: an alert that opens, or goes on. */
export interface Telling {
  excursion: Excursion;
  /** In force at the reading, which may be others than those the alert was opened by. */
  limits: Limits;
  value: number;
  observedAt: number;
  repeat: number;
}

export interface Judgement {
  watch: PointWatch;
  /** How many readings were newer than all before, and so were judged. */
  judged: number;
  /** Everything opened, changed or closed. */
  touched: Excursion[];
  tellings: Telling[];
}

const REPEAT_EVERY_MS = 30 * 60_000;

/**
 * Judges the readings of one point in the order of their instants, whatever order they came in. Only what is newer
 * than everything before counts: what is late, or said again, changes nothing. Of one instant the first counts.
 */
export function judgeReadings(
  before: PointWatch,
  demands: Demands,
  readings: readonly Measured[],
): Judgement {
  const watch: PointWatch = {
    newestAt: before.newestAt,
    temperature: copyOf(before.temperature),
    humidity: copyOf(before.humidity),
  };
  const touched = new Set<Excursion>();
  const tellings: Telling[] = [];
  let judged = 0;
  for (const reading of inOrder(readings)) {
    if (watch.newestAt !== null && reading.at <= watch.newestAt) continue;
    watch.newestAt = reading.at;
    judged++;
    for (const metric of METRICS) {
      const value = reading[metric];
      if (value === null) continue;
      observe(watch[metric], metric, demands, value, reading.at, touched, tellings);
    }
  }
  return { watch, judged, touched: [...touched], tellings };
}

const copyOf = (watch: Watch): Watch => ({ ...watch, open: watch.open ? { ...watch.open } : null });

/** Most batches are in order already; the sort keeps what came first of one instant first. */
function inOrder(readings: readonly Measured[]): readonly Measured[] {
  for (let i = 1; i < readings.length; i++) {
    if ((readings[i]?.at ?? 0) < (readings[i - 1]?.at ?? 0)) return readings.toSorted((a, b) => a.at - b.at);
  }
  return readings;
}

function isOutside(value: number, limits: Limits | null): limits is Limits {
  if (limits === null) return false;
  return (limits.min !== null && value < limits.min) || (limits.max !== null && value > limits.max);
}

function observe(
  watch: Watch,
  metric: Metric,
  demands: Demands,
  value: number,
  at: number,
  touched: Set<Excursion>,
  tellings: Telling[],
): void {
  watch.value = value;
  watch.valueAt = at;
  const limits = demands[metric];
  if (!isOutside(value, limits)) {
    if (watch.open) touched.add(Object.assign(watch.open, { closedAt: at }));
    watch.outSince = watch.outLowest = watch.outHighest = null;
    watch.open = null;
    return;
  }
  watch.outSince ??= at;
  watch.outLowest = Math.min(watch.outLowest ?? value, value);
  watch.outHighest = Math.max(watch.outHighest ?? value, value);
  let { open } = watch;
  if (!open) {
    if (at < watch.outSince + demands.delayMs) return;
    open = opened(metric, limits, watch.outSince, at, value);
  } else if (at - open.lastToldAt >= REPEAT_EVERY_MS) {
    open.repeats++;
    open.lastToldAt = at;
  }
  watch.open = Object.assign(open, {
    lowest: watch.outLowest,
    highest: watch.outHighest,
    lastValue: value,
    lastObservedAt: at,
  });
  touched.add(open);
  if (open.lastToldAt === at)
    tellings.push({ excursion: open, limits, value, observedAt: at, repeat: open.repeats });
}

const opened = (metric: Metric, limits: Limits, since: number, at: number, value: number): Excursion => ({
  alertId: null,
  metric,
  lowerLimit: limits.min,
  upperLimit: limits.max,
  startedAt: since,
  openedAt: at,
  lowest: value,
  highest: value,
  lastValue: value,
  lastObservedAt: at,
  repeats: 0,
  lastToldAt: at,
  closedAt: null,
});
