/** Decides when readings leave and re-enter the limits of a point. Instants are milliseconds, which are cheap to compare. */

export const METRICS = ['temperature', 'humidity'] as const;
export type Metric = (typeof METRICS)[number];

/** Both inclusive; null: no limit on that side. */
export interface Limits {
  min: number | null;
  max: number | null;
}

/** The limits of a point; a metric without limits is never outside. */
export interface PointLimits {
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
  /** Null: opened by these readings, so it has no id yet. */
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

/** The state of one metric of a point. */
export interface Watch {
  value: number | null;
  valueAt: number | null;
  /** The first reading outside without one inside after it, and the extremes since. */
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

/** A notification about an alert that opened, or continues. */
export interface AlertNotification {
  excursion: Excursion;
  /** The limits in force at the reading; the alert may have opened under others. */
  limits: Limits;
  value: number;
  observedAt: number;
  repeat: number;
}

export interface Judgement {
  watch: PointWatch;
  /** How many readings were newer than all earlier ones, and so were judged. */
  judged: number;
  /** Alerts opened, changed or closed. */
  touched: Excursion[];
  notifications: AlertNotification[];
}

const REPEAT_EVERY_MS = 30 * 60_000;

/**
 * Judges the readings of one point by their instants, in whichever order they arrived. Only a reading newer than all
 * earlier ones counts: late and duplicate readings change nothing. Of several with one instant, the first counts.
 */
export function judgeReadings(
  before: PointWatch,
  pointLimits: PointLimits,
  readings: readonly Measured[],
): Judgement {
  const watch: PointWatch = {
    newestAt: before.newestAt,
    temperature: copyOf(before.temperature),
    humidity: copyOf(before.humidity),
  };
  const touched = new Set<Excursion>();
  const notifications: AlertNotification[] = [];
  let judged = 0;
  for (const reading of sortByInstant(readings)) {
    if (watch.newestAt !== null && reading.at <= watch.newestAt) continue;
    watch.newestAt = reading.at;
    judged++;
    for (const metric of METRICS) {
      const value = reading[metric];
      if (value === null) continue;
      observe(watch[metric], metric, pointLimits, value, reading.at, touched, notifications);
    }
  }
  return { watch, judged, touched: [...touched], notifications };
}

const copyOf = (watch: Watch): Watch => ({ ...watch, open: watch.open ? { ...watch.open } : null });

/** Most batches are sorted already. The sort is stable, so that the first reading of an instant stays first. */
function sortByInstant(readings: readonly Measured[]): readonly Measured[] {
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
  pointLimits: PointLimits,
  value: number,
  at: number,
  touched: Set<Excursion>,
  notifications: AlertNotification[],
): void {
  watch.value = value;
  watch.valueAt = at;
  const limits = pointLimits[metric];
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
    if (at < watch.outSince + pointLimits.delayMs) return;
    open = newExcursion(metric, limits, watch.outSince, at, value);
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
    notifications.push({ excursion: open, limits, value, observedAt: at, repeat: open.repeats });
}

const newExcursion = (
  metric: Metric,
  limits: Limits,
  since: number,
  at: number,
  value: number,
): Excursion => ({
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
