import type { Data } from '@lotward/client';
import type { Format } from '../../app/format.js';

export type Storage = Data<'/v2/products/{id}', 'get'>['storage'];
type Writing = Pick<Format, 'dash' | 'list'> & { humidity: string };

/** A lower bound, an upper bound or a range; null if there is no limit. Never broken over two lines. */
export function rangeText(
  min: number | null,
  max: number | null,
  unit: string,
  { dash }: Pick<Format, 'dash'>,
): string | null {
  if (min === null && max === null) return null;
  const range = min === null ? `≤ ${max}` : max === null ? `≥ ${min}` : `${min}${dash}${max}`;
  return `${range} ${unit}`.replaceAll(' ', '\u00a0');
}

/** `2 – 8 °C, humidity ≤ 70 %`: the storage and transport conditions of goods; null if none are recorded. */
export function storageText(storage: Storage | undefined, format: Writing): string | null {
  if (storage === undefined) return null;
  const humidity = rangeText(storage.humidityMin, storage.humidityMax, '%', format);
  const ranges = [
    rangeText(storage.temperatureMin, storage.temperatureMax, '°C', format),
    humidity && `${format.humidity} ${humidity}`,
  ].filter((range) => range !== null);
  return ranges.length === 0 ? null : format.list(ranges);
}

export const hasTemperatureLimits = (storage: Storage): boolean =>
  storage.temperatureMin !== null || storage.temperatureMax !== null;

/** Whether this transport temperature was outside the conditions of the goods. */
export const isOutside = (temperature: number | null, storage: Storage | undefined): boolean =>
  temperature !== null &&
  storage !== undefined &&
  ((storage.temperatureMin !== null && temperature < storage.temperatureMin) ||
    (storage.temperatureMax !== null && temperature > storage.temperatureMax));
