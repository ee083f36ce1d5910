import { isDigits } from '../characters.js';
import { failure, isFailure, quote, type UdiFailure } from '../failure.js';
import { checkValue, type Element, padGtin } from './element.js';
import { isGtinLength } from './element-string.js';
import { applicationIdentifiers } from './identifiers.js';

interface LinkPart {
  readonly text: string;
  readonly at: number;
}

/** Short names that the first edition of the standard allowed in a path instead of digits. */
const pathNames = new Map([
  ['gtin', '01'],
  ['cpv', '22'],
  ['lot', '10'],
  ['ser', '21'],
  ['itip', '8006'],
  ['gmn', '8013'],
]);

const GTIN_QUALIFIERS = ['22', '10', '21', '235'];

/**
 * The keys a path can begin with that are read here, each with its qualifiers in the order GS1 fixes for them. All other
 * keys name no device; all other identifiers are attributes, which the query holds.
 */
export const keyQualifiers: ReadonlyMap<string, readonly string[]> = new Map([
  ['01', GTIN_QUALIFIERS],
  ['8006', GTIN_QUALIFIERS],
  ['8013', []],
]);

const digitOf = (character: string | undefined): number =>
  '0123456789abcdef'.indexOf(character?.toLowerCase() || ' ');

/** Undoes percent-encoding. Values are ASCII, so a byte above 127 is as wrong as a broken escape. */
function decodePart({ text, at }: LinkPart): string | UdiFailure {
  if (!text.includes('%')) return text;
  let value = '';
  for (let from = 0; from < text.length; from += 1) {
    if (text[from] !== '%') {
      value += text[from];
      continue;
    }
    const high = digitOf(text[from + 1]);
    const low = digitOf(text[from + 2]);
    if (high < 0 || low < 0 || high > 7)
      return failure(
        'bad_encoding',
        at + from,
        `no encoded ASCII character: ${quote(text.slice(from, from + 3))}`,
      );
    value += String.fromCharCode(high * 16 + low);
    from += 2;
  }
  return value;
}

function splitParts(code: string, from: number, to: number, separators: string): LinkPart[] {
  const found: LinkPart[] = [];
  let start = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && !separators.includes(code[at] ?? '')) continue;
    found.push({ text: code.slice(start, at), at: start });
    start = at + 1;
  }
  return found;
}

const identifierOf = ({ text }: LinkPart): string => pathNames.get(text) ?? text;

/** A key followed by a well-formed value. A lot or serial number that looks like a key comes later in the path. */
function isSureKey(key: LinkPart, value: LinkPart | undefined): boolean {
  const text = value?.text ?? '';
  if (identifierOf(key) === '01') return isGtinLength(text);
  return identifierOf(key) === '8006' && text.length === 18 && isDigits(text);
}

/** The position of the key in the path: the first well-formed one, otherwise the last that has a value. */
function keyIndex(path: readonly LinkPart[]): number {
  const sure = path.findIndex((key, index) => isSureKey(key, path[index + 1]));
  if (sure !== -1) return sure;
  return path.findLastIndex((key, index) => keyQualifiers.has(identifierOf(key)) && index + 1 < path.length);
}

/** Checks the order of a path whose elements have been read one by one. */
function checkOrder([key, ...qualifiers]: readonly Element[]): UdiFailure | undefined {
  const order = keyQualifiers.get(key?.ai ?? '') ?? [];
  let reached = 0;
  for (const { ai, at } of qualifiers) {
    const rank = order.indexOf(ai);
    if (rank === -1)
      return failure('wrong_order', at, `(${ai}) is no qualifier of (${key?.ai}): it belongs behind the ?`);
    if (rank < reached)
      return failure(
        'wrong_order',
        at,
        `(${ai}) stands before (${order[reached]}) in a path of (${key?.ai})`,
      );
    reached = rank;
  }
  return undefined;
}

function elementOf(ai: string, name: LinkPart, written: LinkPart, thisYear: number): Element | UdiFailure {
  const identifier = applicationIdentifiers.get(ai);
  if (identifier === undefined)
    return failure('unknown_identifier', name.at, `no application identifier: ${quote(name.text)}`);
  const text = decodePart(written);
  if (isFailure(text)) return text;
  const value = padGtin(ai, text);
  return checkValue(identifier, value, written.at, thisYear) ?? { ai, value, at: name.at };
}

/** Names and values of a query; the standard leaves names that are not digits to others. */
function queryPairs(code: string, from: number, to: number): [name: LinkPart, value: LinkPart][] {
  return splitParts(code, from, to, '&;')
    .map(({ text, at }): [LinkPart, LinkPart] => {
      const equals = text.indexOf('=');
      const end = equals === -1 ? text.length : equals;
      return [
        { text: text.slice(0, end), at },
        { text: text.slice(end + 1), at: at + Math.min(end + 1, text.length) },
      ];
    })
    .filter(([name]) => isDigits(name.text));
}

/** The position at which the host begins, or -1. One slash is enough: some servers join the two. */
export function hostStart(code: string): number {
  const scheme = code.slice(0, 6).toLowerCase();
  const colon = scheme.startsWith('http:') ? 5 : scheme === 'https:' ? 6 : -1;
  if (colon === -1 || code[colon] !== '/') return -1;
  return colon + (code[colon + 1] === '/' ? 2 : 1);
}

/** Splits a GS1 Digital Link, from the host on, into its elements. */
export function splitDigitalLink(code: string, start: number, thisYear: number): Element[] | UdiFailure {
  const hash = code.indexOf('#', start);
  const end = hash === -1 ? code.length : hash;
  const question = code.slice(0, end).indexOf('?', start);
  const pathEnd = question === -1 ? end : question;
  const [, ...path] = splitParts(code, start, pathEnd, '/');
  if (path.at(-1)?.text === '') path.pop();
  const first = keyIndex(path);
  if (first === -1) return withoutKey(path, start);
  const named: [LinkPart, LinkPart][] = [];
  for (let at = first; at < path.length; at += 2) {
    const name = path[at] ?? { text: '', at: pathEnd };
    named.push([name, path[at + 1] ?? { text: '', at: pathEnd }]);
  }
  const inPath = elementsOf(named, thisYear);
  if (isFailure(inPath)) return inPath;
  const wrongOrder = checkOrder(inPath);
  if (wrongOrder !== undefined) return wrongOrder;
  const attributes = question === -1 ? [] : queryPairs(code, question + 1, end);
  const inQuery = elementsOf(attributes, thisYear);
  return isFailure(inQuery) ? inQuery : [...inPath, ...inQuery];
}

function elementsOf(named: readonly [LinkPart, LinkPart][], thisYear: number): Element[] | UdiFailure {
  const elements: Element[] = [];
  for (const [name, written] of named) {
    const element = elementOf(identifierOf(name), name, written, thisYear);
    if (isFailure(element)) return element;
    elements.push(element);
  }
  return elements;
}

function withoutKey(path: readonly LinkPart[], start: number): UdiFailure {
  const key = path.find(
    ({ text }, index) => isDigits(text) && applicationIdentifiers.has(text) && index + 1 < path.length,
  );
  return key === undefined
    ? failure('unknown_format', start, 'an address, but no GS1 Digital Link')
    : failure('missing_device_identifier', key.at, `a GS1 Digital Link of (${key.text}), without a GTIN`);
}
