import { readUdi } from '@lotward/client';
import { type Found, type Target, targetOf } from './targets.js';

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/**
 * The record that a scanned code identifies. For a device code, the search returns the unit, batch and product first, most
 * specific first; any other code must be the whole number of one record. Null if there are several or none.
 */
export function scannedTarget(code: string, found: readonly Found[], today: string): Target | null {
  const [first] = found;
  if (first === undefined) return null;
  const isDevice = readUdi(code, { today }).ok && ['serial', 'batch', 'product'].includes(first.kind);
  const whole = found.filter(({ title, id }) => same(title, code) || same(id, code));
  const meant = found.length === 1 || isDevice ? first : whole.length === 1 ? whole[0] : undefined;
  return meant === undefined ? null : targetOf(meant);
}
