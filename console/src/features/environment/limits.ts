import type { Data, Item } from '@lotward/client';
import type { Format } from '../../app/format.js';

export type Point = Item<'/v2/environment/points'>;
export type Alert = Item<'/v2/environment/alerts'>;
export type AlertDetail = Data<'/v2/environment/alerts/{alertId}', 'get'>;
export type Metric = Alert['metric'];
interface Limits {
  min: number | null;
  max: number | null;
}

export const UNITS: Readonly<Record<Metric, string>> = { temperature: '°C', humidity: '%' };

/** Number and unit are not separated by a line break. */
export const withUnit = (value: number | null, unit: string, format: Format): string =>
  value === null ? format.number(null) : `${format.number(value)}\u00a0${unit}`;

/** `2 – 8 °C`, `≤ 70 %`; null where there is no limit. */
export function limitsText(limits: Limits | null, unit: string, format: Format): string | null {
  if (!limits || (limits.min === null && limits.max === null)) return null;
  if (limits.min === null) return `≤ ${withUnit(limits.max, unit, format)}`;
  if (limits.max === null) return `≥ ${withUnit(limits.min, unit, format)}`;
  return `${format.number(limits.min)}${format.dash}${withUnit(limits.max, unit, format)}`;
}

/** The peak deviation of an alert: its lowest or highest value, the one further outside the limits. */
export function worstOf(alert: Pick<Alert, 'lowerLimit' | 'upperLimit' | 'lowest' | 'highest'>): number {
  const below = alert.lowerLimit === null ? 0 : alert.lowerLimit - alert.lowest;
  const above = alert.upperLimit === null ? 0 : alert.highest - alert.upperLimit;
  return below > above ? alert.lowest : alert.highest;
}
