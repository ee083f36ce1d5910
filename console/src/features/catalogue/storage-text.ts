import type { Data } from '@lotward/client';
import type { Format } from '../../app/format.js';

export type Storage = Data<'/v2/products/{id}', 'get'>['storage'];
type Punctuation = Pick<Format, 'dash' | 'list'>;

/** From, to, or between; null where there is no limit. */
export function rangeText(
  min: number | null,
  max: number | null,
  unit: string,
  { dash }: Pick<Format, 'dash'>,
): string | null {
  if (min === null && max === null) return null;
  if (min === null) return `≤ ${max} ${unit}`;
  return max === null ? `≥ ${min} ${unit}` : `${min}${dash}${max} ${unit}`;
}

/** `2 – 8 °C, ≤ 70 %`: the conditions that goods are stored and transported in; null where none are on record. */
export function storageText(storage: Storage | undefined, format: Punctuation): string | null {
  if (storage === undefined) return null;
  const ranges = [
    rangeText(storage.temperatureMin, storage.temperatureMax, '°C', format),
    rangeText(storage.humidityMin, storage.humidityMax, '%', format),
  ].filter((range) => range !== null);
  return ranges.length === 0 ? null : format.list(ranges);
}

export const hasTemperatureLimits = (storage: Storage): boolean =>
  storage.temperatureMin !== null || storage.temperatureMax !== null;

/** Whether goods that were transported at this temperature were outside their conditions. */
export const isOutside = (temperature: number | null, storage: Storage | undefined): boolean =>
  temperature !== null &&
  storage !== undefined &&
  ((storage.temperatureMin !== null && temperature < storage.temperatureMin) ||
    (storage.temperatureMax !== null && temperature > storage.temperatureMax));
