import { yearOf } from './calendar.js';
import { readAliHealth } from './china/ahm.js';
import { readMaCode } from './china/ma.js';
import { failure, isFailure, quote, type UdiFailure } from './failure.js';
import {
  isAddress,
  readBracketed,
  readDigitalLink,
  readDigitsFirst,
  readGtin,
  readScanned,
} from './gs1/read.js';
import { readHibc } from './hibc/read.js';
import { readIfaBasic } from './ifa.js';
import { readIsbt128 } from './isbt128/read.js';
import { symbologyOf } from './symbology.js';
import type { Udi, UdiContent } from './udi.js';

/** Options of {@link readUdi}. */
export interface ReadOptions {
  /** The current day, YYYY-MM-DD. It decides the century of two-digit years. */
  readonly today: string;
}

/** The result of {@link readUdi}: the content of the code, or why it cannot be read. */
export type UdiReading =
  | { readonly ok: true; readonly udi: Udi }
  | { readonly ok: false; readonly failure: UdiFailure };

/** The longest code that is read, in characters: more than any device carries. */
export const CODE_LENGTH_MAX = 2048;

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';

function readContent(code: string, start: number, thisYear: number): UdiContent | UdiFailure {
  const first = code[start];
  if (first === '(' && start === 0) return readBracketed(code, thisYear);
  if (first === '+' || first === '*') return readHibc(code, start, thisYear);
  if (first === '=' || first === '&') return readIsbt128(code, start);
  if (first === '\u001d') return readScanned(code, start, thisYear);
  if (isDigit(first)) return readDigitsFirst(code, start, thisYear);
  if (isAddress(code, start)) return readDigitalLink(code, start, thisYear);
  if (code.startsWith('MA.', start)) return readMaCode(code, start, thisYear);
  if (code.startsWith('AHM', start)) return readAliHealth(code, start);
  if (code.startsWith('PP', start) && isDigit(code[start + 2])) return readIfaBasic(code, start);
  return failure('unknown_format', start, `no code of a known format: ${quote(code.slice(start))}`);
}

/** Removes the line end or tab that a keyboard-wedge scanner types. A space stays: it may be a check character. */
function stripLineEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n\t'.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

function readText(text: string, thisYear: number): UdiContent | UdiFailure {
  if (text.length > CODE_LENGTH_MAX)
    return failure('too_long', CODE_LENGTH_MAX, `a code has at most ${CODE_LENGTH_MAX} characters`);
  const code = stripLineEnd(text);
  const symbology = symbologyOf(code);
  if (symbology?.content === 'elements') return readScanned(code, 3, thisYear);
  if (symbology?.content === 'gtin') return readGtin(code, 3);
  return readContent(code, symbology === undefined ? 0 : 3, thisYear);
}

/**
 * Reads a code of any supported format. Never throws because of the code.
 *
 * @param code the text a scanner sent or a person typed, unchanged
 * @param options the current day
 * @returns the content, or the failure with its position in the code
 * @throws RangeError when `today` is not a day, which is a mistake in the calling program
 */
export function readUdi(code: string, { today }: ReadOptions): UdiReading {
  const thisYear = yearOf(today);
  if (thisYear === undefined) throw new RangeError(`today must be YYYY-MM-DD, not ${today}`);
  const content =
    typeof code === 'string' ? readText(code, thisYear) : failure('unknown_format', 0, 'a code is a text');
  if (isFailure(content)) return { ok: false, failure: content };
  const { issuingAgency, ...rest } = content;
  return { ok: true, udi: { raw: code, issuingAgency, ...rest } };
}
