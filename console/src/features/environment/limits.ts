import type { Data, Item } from '@lotward/client';
import type { Format } from '../../app/format.js';
import type { Status } from '../../ui/status.js';

export type Point = Item<'/v2/environment/points'>;
export type Alert = Item<'/v2/environment/alerts'>;
export type AlertDetail = Data<'/v2/environment/alerts/{alertId}', 'get'>;
export type Metric = Alert['metric'];
interface Limits {
  min: number | null;
  max: number | null;
}

export const UNITS: Readonly<Record<Metric, string>> = { temperature: '°C', humidity: '%\u00a0RH' };

/** An ongoing alert is more urgent than other open records. */
export const ALERT_STATUSES = {
  open: 'alert_open',
  closed: 'alert_closed',
} as const satisfies Record<Alert['status'], Status>;

/** A temperature with one decimal, like sensors report it, so that values align: `10.0 °C` and `10.3 °C`. */
export const readingText = (value: number, metric: Metric, language: string): string => {
  const minimumFractionDigits = metric === 'temperature' ? 1 : 0;
  return `${new Intl.NumberFormat(language, { minimumFractionDigits }).format(value)}\u00a0${UNITS[metric]}`;
};

/** Number and unit are not separated by a line break. */
export const withUnit = (value: number | null, unit: string, format: Format): string =>
  value === null ? format.number(null) : `${format.number(value)}\u00a0${unit}`;

/** `2 – 8 °C`, `≤ 70 %`; null if there is no limit. */
export function limitsText(limits: Limits | null, unit: string, format: Format): string | null {
  if (!limits || (limits.min === null && limits.max === null)) return null;
  if (limits.min === null) return `≤ ${withUnit(limits.max, unit, format)}`;
  if (limits.max === null) return `≥ ${withUnit(limits.min, unit, format)}`;
  return `${format.number(limits.min)}${format.dash}${withUnit(limits.max, unit, format)}`;
}

type Measured = Pick<Alert, 'lowerLimit' | 'upperLimit' | 'lowest' | 'highest'>;

/** The peak deviation of an alert: its lowest or highest value, whichever is further outside the limits. */
export function worstOf(alert: Measured): { value: number; is: 'lowest' | 'highest' } {
  const below = alert.lowerLimit === null ? 0 : alert.lowerLimit - alert.lowest;
  const above = alert.upperLimit === null ? 0 : alert.highest - alert.upperLimit;
  const is = below > above ? 'lowest' : 'highest';
  return { value: alert[is], is };
}
