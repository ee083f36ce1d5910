import { fromYymmdd, fromYyyymmdd, isHour, isTime } from '../calendar.js';
import { firstOutside, isDigits } from '../characters.js';
import { type FailureReason, failure, quote, type UdiFailure } from '../failure.js';
import { hasCheckDigit, hasCheckPair } from './check-digit.js';
import type { ApplicationIdentifier, Part, PartContent } from './identifiers.js';

/** One application identifier with its value. */
export interface Element {
  readonly ai: string;
  readonly value: string;
  /** Index of the identifier in the code. */
  readonly at: number;
}

type Problem = readonly [reason: FailureReason, message: string];

const contentProblems: Record<PartContent, (text: string, thisYear: number) => Problem | undefined> = {
  check: (text) => (hasCheckDigit(text) ? undefined : ['bad_check_digit', 'the check digit does not fit']),
  pair: (text) =>
    hasCheckPair(text) ? undefined : ['bad_check_character', 'the check characters do not fit'],
  date: (text, thisYear) =>
    fromYymmdd(text, thisYear) === undefined ? ['illegal_date', 'there is no such date'] : undefined,
  day: (text, thisYear) =>
    text.endsWith('00') || fromYymmdd(text, thisYear) === undefined
      ? ['illegal_date', 'there is no such date']
      : undefined,
  longDay: (text) =>
    fromYyyymmdd(text) === undefined ? ['illegal_date', 'there is no such date'] : undefined,
  hour: (text) => (isHour(text) ? undefined : ['illegal_date', 'there is no such hour']),
  time: (text) => (isTime(text) ? undefined : ['illegal_date', 'there is no such time']),
  timeOrNone: (text) =>
    text === '9999' || isTime(text) ? undefined : ['illegal_date', 'there is no such time'],
  yesno: (text) => (text <= '1' ? undefined : ['illegal_value', 'neither 0 nor 1']),
  minus: (text) => (text === '-' ? undefined : ['illegal_value', 'only a minus may follow']),
  itip: (text) =>
    text.slice(0, 2) !== '00' && text.slice(0, 2) <= text.slice(2)
      ? undefined
      : ['illegal_value', 'the item number must be between 1 and the total'],
};

function partProblem(part: Part, text: string, thisYear: number): Problem | undefined {
  const outside = firstOutside(text, part.set);
  if (outside !== -1) return ['illegal_character', `${quote(text[outside] ?? '')} is not allowed`];
  return part.content && contentProblems[part.content](text, thisYear);
}

/** Pads a shorter GTIN to 14 digits, which is possible wherever the end of the value is marked. */
export function padGtin(ai: string, value: string): string {
  const isShortGtin = (ai === '01' || ai === '02') && [8, 12, 13].includes(value.length) && isDigits(value);
  return isShortGtin ? value.padStart(14, '0') : value;
}

/** Checks length, characters and content of a value; the message names the identifier. */
export function checkValue(
  { ai, title, parts, lengthMin, lengthMax }: ApplicationIdentifier,
  value: string,
  valueAt: number,
  thisYear: number,
): UdiFailure | undefined {
  const about = `(${ai}) ${title} ${quote(value)}`;
  if (value.length > lengthMax)
    return failure('too_long', valueAt, `${about}: at most ${lengthMax} characters`);
  if (value.length < lengthMin)
    return failure('too_short', valueAt, `${about}: at least ${lengthMin} characters`);
  let from = 0;
  for (const part of parts) {
    const text = value.slice(from, from + part.lengthMax);
    if (text === '' && part.isOptional) break;
    if (text.length < part.lengthMin) return failure('too_short', valueAt, `${about}: a part is missing`);
    const problem = partProblem(part, text, thisYear);
    if (problem !== undefined) return failure(problem[0], valueAt, `${about}: ${problem[1]}`);
    from += text.length;
  }
  return undefined;
}
