import { fromYymmdd } from '../calendar.js';
import { failure, type UdiFailure } from '../failure.js';
import { BASIC_UDI_DI, emptyContent, type UdiContent } from '../udi.js';
import { checkCombination } from './combinations.js';
import type { Element } from './element.js';

/** The identifiers that have a field of their own; all others go to `other` under their number. */
const inFields = new Set(['01', '10', '11', '17', '21', '30']);

/** The value of each identifier. A repeated identifier must have the same value. */
function valuesOf(elements: readonly Element[]): Map<string, string> | UdiFailure {
  const values = new Map<string, string>();
  for (const { ai, value, at } of elements) {
    if ((values.get(ai) ?? value) !== value)
      return failure('conflicting_values', at, `(${ai}) is there twice, with different values`);
    values.set(ai, value);
  }
  return values;
}

function isModelNumberAlone(values: ReadonlyMap<string, string>): boolean {
  return values.size === 1 && values.has('8013');
}

/** The date of an identifier of its own, otherwise the day part of one that gives date and time. */
function dateOf(
  values: ReadonlyMap<string, string>,
  ai: string,
  timed: string,
  thisYear: number,
): string | null {
  const text = values.get(ai) ?? values.get(timed)?.slice(0, 6);
  return (text !== undefined && fromYymmdd(text, thisYear)) || null;
}

/** Combines elements whose values have been checked one by one. */
export function contentOf(elements: readonly Element[], thisYear: number): UdiContent | UdiFailure {
  const values = valuesOf(elements);
  if (!(values instanceof Map)) return values;
  const deviceIdentifier = values.get('01') ?? values.get('8006')?.slice(0, 14) ?? null;
  if (deviceIdentifier === null && !isModelNumberAlone(values))
    return failure('missing_device_identifier', elements[0]?.at ?? 0, 'no (01) GTIN');
  const problem = checkCombination(elements);
  if (problem !== undefined) return problem;
  const quantity = values.get('30');
  const others = [...values].filter(([ai]) => !inFields.has(ai));
  return {
    ...emptyContent,
    issuingAgency: 'GS1',
    deviceIdentifier,
    batchNo: values.get('10') ?? null,
    serialNo: values.get('21') ?? null,
    manufactureDate: dateOf(values, '11', '8008', thisYear),
    expiryDate: dateOf(values, '17', '7003', thisYear),
    quantity: quantity === undefined ? null : Number(quantity),
    other: Object.fromEntries(others.map(([ai, value]) => [ai === '8013' ? BASIC_UDI_DI : ai, value])),
  };
}
