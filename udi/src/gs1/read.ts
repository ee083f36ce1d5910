import { consistsOf, isDigits } from '../characters.js';
import { failure, isFailure, quote, type UdiFailure } from '../failure.js';
import { BASIC_UDI_DI, emptyContent, type UdiContent } from '../udi.js';
import { hasCheckDigit, hasCheckPair } from './check-digit.js';
import { hostStart, splitDigitalLink } from './digital-link.js';
import type { Element } from './element.js';
import { isGtinLength, SEPARATOR, splitBracketed, splitScanned } from './element-string.js';
import { identifierAt } from './identifiers.js';
import { contentOf } from './interpret.js';

type Reading = UdiContent | UdiFailure;

function interpret(elements: Element[] | UdiFailure, thisYear: number): Reading {
  return isFailure(elements) ? elements : contentOf(elements, thisYear);
}

/** Reads the form printed for people. */
export function readBracketed(code: string, thisYear: number): Reading {
  return interpret(splitBracketed(code, thisYear), thisYear);
}

/** Reads element strings as a scanner sends them, without the symbology identifier. */
export function readScanned(code: string, start: number, thisYear: number): Reading {
  return interpret(splitScanned(code, start, thisYear), thisYear);
}

/** Whether a web address begins at this index. */
export function isAddress(code: string, start: number): boolean {
  return hostStart(code.slice(start)) !== -1;
}

/** Reads a GS1 Digital Link. */
export function readDigitalLink(code: string, start: number, thisYear: number): Reading {
  const host = start + hostStart(code.slice(start));
  return interpret(splitDigitalLink(code, host, thisYear), thisYear);
}

/** Reads a GTIN by itself, as retail symbols carry it, in any of its lengths. */
export function readGtin(code: string, start: number): Reading {
  const gtin = code.slice(start);
  if (!isGtinLength(gtin)) return failure('unknown_format', start, `no GTIN: ${quote(gtin)}`);
  if (!hasCheckDigit(gtin))
    return failure('bad_check_digit', start, `GTIN ${quote(gtin)}: the check digit does not fit`);
  return { ...emptyContent, issuingAgency: 'GS1', deviceIdentifier: gtin.padStart(14, '0') };
}

/** A Global Model Number begins with the digits of a company prefix. */
function isModelNumber(text: string): boolean {
  return isDigits(text.slice(0, 4)) && consistsOf(text, 'set82') && hasCheckPair(text);
}

/**
 * Reads a code that begins with a digit: a GTIN, element strings or a Global Model Number. A code that begins like a
 * GTIN with its identifier is never read as a model number, even if its check digit is wrong.
 */
export function readDigitsFirst(code: string, start: number, thisYear: number): Reading {
  const text = code.slice(start);
  if (isGtinLength(text)) return readGtin(code, start);
  const asElements = readScanned(code, start, thisYear);
  if (!isFailure(asElements)) return asElements;
  const isElements = text.startsWith('01') && isDigits(text.slice(0, 16)) && text.length >= 16;
  if (!isElements && isModelNumber(text)) {
    return { ...emptyContent, issuingAgency: 'GS1', other: { [BASIC_UDI_DI]: text } };
  }
  if (identifierAt(code, start) === undefined && !text.includes(SEPARATOR))
    return failure('unknown_format', start, `no code of a known format: ${quote(text)}`);
  return asElements;
}
