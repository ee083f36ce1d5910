import { fromYyyymmdd } from '../calendar.js';
import { isDigits } from '../characters.js';
import { failure, quote, type UdiFailure } from '../failure.js';
import type { HibcFields } from './fields.js';
import { NUMBER_LENGTH_MAX } from './secondary.js';

interface Supplement {
  readonly identifier: string;
  /** The field, or the name in `other`. */
  readonly name: string;
  readonly holds: 'date' | 'quantity' | 'number' | 'text';
}

/** Data identifiers (ANSI MH10.8.2) that may follow a slash. */
export const supplements: readonly Supplement[] = [
  { identifier: '14D', name: 'expiryDate', holds: 'date' },
  { identifier: '16D', name: 'manufactureDate', holds: 'date' },
  { identifier: 'S', name: 'serialNo', holds: 'number' },
  { identifier: 'Q', name: 'quantity', holds: 'quantity' },
  { identifier: '1T', name: '1T', holds: 'text' },
  { identifier: '1P', name: '1P', holds: 'text' },
  { identifier: '7Q', name: '7Q', holds: 'text' },
  { identifier: 'P', name: 'P', holds: 'text' },
  { identifier: 'L', name: 'L', holds: 'text' },
];

const TEXT_LENGTH_MAX = 50;
const QUANTITY_LENGTH_MAX = 9;

type Problem = ['illegal_date' | 'illegal_value' | 'too_long', string];

const readers: Record<Supplement['holds'], (text: string) => string | Problem> = {
  date: (text) =>
    (text.length === 8 && isDigits(text) && fromYyyymmdd(text)) || ['illegal_date', 'there is no such date'],
  quantity: (text) =>
    isDigits(text) && text.length <= QUANTITY_LENGTH_MAX
      ? String(Number(text))
      : ['illegal_value', `at most ${QUANTITY_LENGTH_MAX} digits`],
  number: (text) =>
    text.length <= NUMBER_LENGTH_MAX ? text : ['too_long', `at most ${NUMBER_LENGTH_MAX} characters`],
  text: (text) =>
    text.length <= TEXT_LENGTH_MAX ? text : ['too_long', `at most ${TEXT_LENGTH_MAX} characters`],
};

/** Reads one item of supplementary data, without the slash before it. */
export function readSupplement(text: string, at: number, fields: HibcFields): UdiFailure | undefined {
  const supplement = supplements.find(({ identifier }) => text.startsWith(identifier));
  if (supplement === undefined)
    return failure('unknown_identifier', at, `no supplementary data: ${quote(text)}`);
  const { identifier, name, holds } = supplement;
  const value = text.slice(identifier.length);
  const valueAt = at + identifier.length;
  if (value === '') return failure('too_short', valueAt, `nothing follows /${identifier}`);
  const read = readers[holds](value);
  return typeof read === 'string'
    ? fields.add(name, read, valueAt)
    : failure(read[0], valueAt, `/${identifier} ${quote(value)}: ${read[1]}`);
}
