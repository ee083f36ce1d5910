import { readUdi, type Udi } from '@lotward/udi';
import { refuseCode, refuseWithoutDevice, unknownDevice } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { type Issue, refuseAny } from '../platform/errors/index.js';
import { invalid, QUANTITY_MAX } from '../platform/http/index.js';
import type { ScannedItem } from './scan.js';
import { type IdentifiedProduct, readIdentifiedProducts } from './scan.store.js';

/** A code and its path in the caller's body. */
export interface GivenCode {
  code: string;
  path: string;
}

/**
 * Parses scanned codes and looks up their products in one query; the result keeps their order. Refuses all codes without
 * a product, together with the `unknown` references that the caller found in the same body.
 */
export async function resolveScans(
  tx: Tx,
  given: readonly GivenCode[],
  unknown: readonly Issue[] = [],
): Promise<ScannedItem[]> {
  if (given.length === 0) refuseAny(unknown);
  if (given.length === 0) return [];
  const read = given.map(({ code, path }) => ({ path, ...readDevice(code, path, tx.today) }));
  const products = await readIdentifiedProducts(
    tx,
    read.map(({ deviceIdentifier }) => deviceIdentifier),
  );
  refuseAny([
    ...unknown,
    ...read
      .filter(({ deviceIdentifier }) => !products.has(deviceIdentifier))
      .map(({ deviceIdentifier, path }) => unknownDevice(path, deviceIdentifier)),
  ]);
  return read.flatMap(({ udi, deviceIdentifier, path }) => {
    const product = products.get(deviceIdentifier);
    return product ? [toItem(udi, product, path)] : [];
  });
}

function readDevice(code: string, path: string, today: string): { udi: Udi; deviceIdentifier: string } {
  const reading = readUdi(code, { today });
  if (!reading.ok) throw refuseCode(reading.failure, path);
  const { deviceIdentifier } = reading.udi;
  if (deviceIdentifier === null) throw refuseWithoutDevice(path);
  return { udi: reading.udi, deviceIdentifier };
}

function toItem(udi: Udi, product: IdentifiedProduct, path: string): ScannedItem {
  const { manufactureDate, expiryDate } = udi;
  const batchNo = storedNumber(udi.batchNo);
  const serialNo = storedNumber(udi.serialNo);
  requireStorable(batchNo, 'batch', path);
  requireStorable(serialNo, 'serial', path);
  const units = (udi.quantity ?? 1) * product.packageUnits;
  if (units < 1 || units > QUANTITY_MAX)
    throw invalid('out_of_range', path, `the code stands for ${units} units`);
  return { code: udi.raw, ...product, units, batchNo, serialNo, manufactureDate, expiryDate };
}

const NUMBER_LENGTH_MAX = 64;

/**
 * A batch or serial number as stored. HIBC allows spaces, and some labels pad fields with them; no number typed or sent by a
 * partner begins or ends with one.
 */
export const storedNumber = (number: string | null): string | null => number?.trim() ?? null;

/** Applies the limits of typed numbers to scanned ones; the agency MA sets none. */
function requireStorable(number: string | null, what: string, path: string): void {
  if (number === null) return;
  if (number.length > NUMBER_LENGTH_MAX)
    throw invalid('bad_length', path, `the ${what} number is longer than ${NUMBER_LENGTH_MAX} characters`);
  if (number === '') throw invalid('bad_format', path, `the ${what} number consists of spaces only`);
}
