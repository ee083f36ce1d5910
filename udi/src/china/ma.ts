import { fromYymmdd, fromYyyymmdd } from '../calendar.js';
import { consistsOf, isDigits } from '../characters.js';
import { failure, isFailure, quote, type UdiFailure } from '../failure.js';
import { emptyContent, type UdiContent } from '../udi.js';

/** Prefix, country, industry, registrant, product. */
const DEVICE_PARTS = 5;

/** The field named by the first letter of each further part. Early codes wrote the production date as `P`. */
const meanings: Readonly<Record<string, string>> = {
  S: 'serialNo',
  L: 'batchNo',
  M: 'manufactureDate',
  P: 'manufactureDate',
  E: 'expiryDate',
  V: 'validUntil',
  D: 'sterilisationBatchNo',
  C: 'checkCharacter',
};
const dates = new Set(['manufactureDate', 'expiryDate', 'validUntil']);

function dateOf(text: string, thisYear: number): string | undefined {
  if (!isDigits(text)) return undefined;
  if (text.length === 6) return fromYymmdd(text, thisYear);
  return text.length === 8 ? fromYyyymmdd(text) : undefined;
}

function readPart(part: string, at: number, thisYear: number): [name: string, value: string] | UdiFailure {
  const name = meanings[part[0] ?? ''];
  const text = part.slice(1);
  if (name === undefined) return failure('unknown_identifier', at, `no part of a MA code: ${quote(part)}`);
  if (text === '') return failure('too_short', at, `${quote(part)}: nothing follows`);
  if (!consistsOf(text, 'set82')) return failure('illegal_character', at, `not allowed: ${quote(part)}`);
  if (!dates.has(name)) return [name, text];
  const date = dateOf(text, thisYear);
  return date === undefined
    ? failure('illegal_date', at, `${quote(part)}: there is no such date`)
    : [name, date];
}

function devicePart(parts: readonly string[], start: number): UdiFailure | undefined {
  if (parts.length < DEVICE_PARTS)
    return failure(
      'missing_device_identifier',
      start,
      'a MA code names country, industry, registrant and product',
    );
  const wrong = parts.slice(0, DEVICE_PARTS).find((part) => part === '' || !consistsOf(part, 'set82'));
  return wrong === undefined
    ? undefined
    : failure('illegal_character', start, `no part of a device identifier: ${quote(wrong)}`);
}

/**
 * Reads a code of the MA issuer (IDcode). Its check characters are kept but not verified: the issuer does not publish
 * the algorithm.
 */
export function readMaCode(code: string, start: number, thisYear: number): UdiContent | UdiFailure {
  const parts = code.slice(start).split('.');
  const problem = devicePart(parts, start);
  if (problem !== undefined) return problem;
  const deviceIdentifier = parts.slice(0, DEVICE_PARTS).join('.');
  const found = new Map<string, string>();
  let at = start + deviceIdentifier.length + 1;
  for (const part of parts.slice(DEVICE_PARTS)) {
    const read = readPart(part, at, thisYear);
    if (isFailure(read)) return read;
    const [name, value] = read;
    if ((found.get(name) ?? value) !== value)
      return failure('conflicting_values', at, `${quote(part)}: said before with a different value`);
    found.set(name, value);
    at += part.length + 1;
  }
  const { serialNo, batchNo, manufactureDate, expiryDate, ...other } = Object.fromEntries(found);
  return {
    ...emptyContent,
    issuingAgency: 'MA',
    deviceIdentifier,
    serialNo: serialNo ?? null,
    batchNo: batchNo ?? null,
    manufactureDate: manufactureDate ?? null,
    expiryDate: expiryDate ?? other.validUntil ?? null,
    other: other as Record<string, string>,
  };
}
