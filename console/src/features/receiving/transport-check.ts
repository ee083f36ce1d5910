import { hasTemperatureLimits, isOutside, type Storage } from '../catalogue/storage-text.js';

export interface TransportCheck {
  /** `unknown`: the conditions are not loaded or cannot be read. `no_conditions`: no product has any recorded. */
  result: 'not_recorded' | 'unknown' | 'no_conditions' | 'within' | 'outside';
  /** The lines whose goods were transported outside their conditions. */
  outside: ReadonlySet<number>;
}

/** Compares the recorded transport temperature with the conditions of the goods; undefined if conditions are unknown. */
export function checkTransport(
  temperature: number | null,
  lines: readonly { lineNo: number; storage: Storage | undefined }[],
): TransportCheck {
  const outside = new Set(
    lines.filter(({ storage }) => isOutside(temperature, storage)).map(({ lineNo }) => lineNo),
  );
  const known = lines.flatMap(({ storage }) => storage ?? []);
  const compared = () => {
    if (outside.size > 0) return 'outside';
    if (known.length < lines.length) return 'unknown';
    return known.some(hasTemperatureLimits) ? 'within' : 'no_conditions';
  };
  return { result: temperature === null ? 'not_recorded' : compared(), outside };
}
