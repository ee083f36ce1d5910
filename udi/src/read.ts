import { yearOf } from './calendar.js';
import { readAliHealth } from './china/ahm.js';
import { readMaCode } from './china/ma.js';
import { failure, isFailure, quoted, type UdiFailure } from './failure.js';
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

export interface ReadOptions {
  /** The current day, YYYY-MM-DD: it decides the century of years with two digits. */
  readonly today: string;
}

export type UdiReading =
  | { readonly ok: true; readonly udi: Udi }
  | { readonly ok: false; readonly failure: UdiFailure };

/** Longer than any code on a device, short enough to be read in no time. */
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
  return failure('unknown_format', start, `no code of a known format: ${quoted(code.slice(start))}`);
}

/** A scanner that types ends with a line end or a tab. A space stays: it may be a check character. */
function withoutLineEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n\t'.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

function readText(text: string, thisYear: number): UdiContent | UdiFailure {
  if (text.length > CODE_LENGTH_MAX)
    return failure('too_long', CODE_LENGTH_MAX, `a code has at most ${CODE_LENGTH_MAX} characters`);
  const code = withoutLineEnd(text);
  const symbology = symbologyOf(code);
  if (symbology?.promise === 'elements') return readScanned(code, 3, thisYear);
  if (symbology?.promise === 'gtin') return readGtin(code, 3);
  return readContent(code, symbology === undefined ? 0 : 3, thisYear);
}

/**
 * Reads a code of any of the formats. Never throws for a code, whatever it holds.
 *
 * @throws RangeError when `today` is no day: a mistake in the program, not in the code
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
