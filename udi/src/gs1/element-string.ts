import { isDigits, runLength } from '../characters.js';
import { failure, isFailure, quote, type UdiFailure } from '../failure.js';
import { checkValue, type Element, padGtin } from './element.js';
import { type ApplicationIdentifier, applicationIdentifiers, identifierAt } from './identifiers.js';

/** FNC1 as a scanner sends it between element strings. */
export const SEPARATOR = '\u001d';

/** Splits the text a scanner sends. Values joined by a missing separator stay joined: nothing marks the boundary. */
export function splitScanned(code: string, start: number, thisYear: number): Element[] | UdiFailure {
  const elements: Element[] = [];
  let at = start;
  while (at < code.length) {
    if (code[at] === SEPARATOR) {
      at += 1;
      continue;
    }
    const identifier = identifierAt(code, at);
    if (identifier === undefined)
      return failure('unknown_identifier', at, `no application identifier: ${quote(code.slice(at, at + 4))}`);
    const { ai } = identifier;
    const valueAt = at + ai.length;
    const end = endOfValue(identifier, code, valueAt);
    const value = code.slice(valueAt, end);
    const problem = checkValue(identifier, value, valueAt, thisYear);
    if (problem !== undefined) return problem;
    elements.push({ ai, value, at });
    at = end;
  }
  return elements;
}

/** Searches no further than the value can reach, so that a long code is scanned only once. */
function endOfValue(identifier: ApplicationIdentifier, code: string, valueAt: number): number {
  const limit = identifier.isPredefinedLength ? valueAt + identifier.lengthMax : code.length;
  let end = valueAt;
  while (end < limit && end < code.length && code[end] !== SEPARATOR) end += 1;
  return end;
}

interface Bracket {
  readonly ai: string;
  readonly at: number;
  readonly valueAt: number;
}

/** An identifier in brackets at the given place: an opening bracket, two to four digits, a closing one. */
function bracketAt(code: string, at: number): Bracket | undefined {
  if (code[at] !== '(') return undefined;
  const length = runLength(code, at + 1, 'digits');
  if (length < 2 || length > 4 || code[at + 1 + length] !== ')') return undefined;
  return { ai: code.slice(at + 1, at + 1 + length), at, valueAt: at + length + 2 };
}

/** Splits the form printed for people. A bracket that belongs to a value may be escaped as \(. */
export function splitBracketed(code: string, thisYear: number): Element[] | UdiFailure {
  const elements: Element[] = [];
  let open = bracketAt(code, 0);
  if (open === undefined) return failure('unknown_format', 0, 'no application identifier in brackets');
  while (open !== undefined) {
    const next = endOfBracketed(code, open.valueAt);
    const element = bracketedElement(code, open, next?.at ?? code.length, thisYear);
    if (isFailure(element)) return element;
    elements.push(element);
    open = next;
  }
  return elements;
}

function endOfBracketed(code: string, from: number): Bracket | undefined {
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1;
    else if (code[at] === '(') {
      const bracket = bracketAt(code, at);
      if (bracket !== undefined) return bracket;
    }
  }
  return undefined;
}

function bracketedElement(code: string, open: Bracket, end: number, thisYear: number): Element | UdiFailure {
  const identifier = applicationIdentifiers.get(open.ai);
  if (identifier === undefined)
    return failure('unknown_identifier', open.at, `no application identifier: (${open.ai})`);
  const value = printedValue(open.ai, code.slice(open.valueAt, end));
  const problem = checkValue(identifier, value, open.valueAt, thisYear);
  if (problem === undefined) return { ai: open.ai, value, at: open.at };
  const stray = strayBracket(code, open.valueAt, end);
  if (stray === undefined) return problem;
  const before = printedValue(open.ai, code.slice(open.valueAt, stray));
  return (
    checkValue(identifier, before, open.valueAt, thisYear) ??
    failure(
      'unknown_identifier',
      stray,
      `no application identifier: ${quote(code.slice(stray, code.indexOf(')', stray) + 1 || end))}`,
    )
  );
}

const printedValue = (ai: string, printed: string): string =>
  padGtin(ai, printed.trim().replaceAll('\\(', '('));

/**
 * The index of a bracket that looks like the start of an identifier but holds none. Only a value that does not fit its
 * identifier is searched: in one that fits, such as the lot `A(B)`, the bracket belongs to the value.
 */
function strayBracket(code: string, from: number, end: number): number | undefined {
  for (let at = from; at < end; at += 1) {
    if (code[at] === '\\') at += 1;
    else if (code[at] === '(') return at;
  }
  return undefined;
}

/** Whether the code is digits in one of the lengths of a GTIN. */
export function isGtinLength(code: string): boolean {
  return [8, 12, 13, 14].includes(code.length) && isDigits(code);
}
