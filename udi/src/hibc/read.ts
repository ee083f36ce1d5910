import { isDigits } from '../characters.js';
import { failure, quote, type UdiFailure } from '../failure.js';
import { emptyContent, type UdiContent } from '../udi.js';
import { readHibcBasic } from './basic.js';
import { checkCharacter, firstForeign } from './check-character.js';
import { HibcFields } from './fields.js';
import { type Layout, layoutOf } from './layout.js';
import { checkPrimary } from './primary.js';
import { isSecondary, readSecondary } from './secondary.js';
import { readSupplement } from './supplements.js';

/** In print, asterisks stand around a code, and underscores, which HIBC does not have, in place of spaces. */
function withoutAsterisks(code: string, start: number): { text: string; from: number } {
  if (code[start] !== '*') return { text: code, from: start };
  const inside = code.endsWith('*') && code.length > start + 1 ? code.slice(0, -1) : code;
  return { text: inside.replaceAll('_', ' '), from: start + 1 };
}

/**
 * Secondary data by itself begins with $ or with the five digits of a date. Digits in front of a secondary
 * structure are no date, though: there a labeler should stand.
 */
function isSecondaryAlone(text: string, from: number): boolean {
  if (!isSecondary(text.slice(from + 1))) return false;
  const slash = text.slice(0, -2).indexOf('/', from);
  return slash === -1 || text[from + 1] === '$' || !isSecondary(text.slice(slash + 1));
}

function checkCharacters(text: string, { checks, link, linked }: Layout): UdiFailure | undefined {
  for (const { from, at } of checks) {
    const foreign = firstForeign(text.slice(from, at + 1));
    if (foreign !== -1)
      return failure(
        'illegal_character',
        from + foreign,
        `not allowed: ${quote(text[from + foreign] ?? '')}`,
      );
    if (checkCharacter(text.slice(from, at)) !== text[at])
      return failure('bad_check_character', at, `check character ${quote(text[at] ?? '')} does not fit`);
  }
  if (link !== undefined && linked !== undefined && text[link] !== text[linked])
    return failure(
      'bad_link_character',
      link,
      `link character ${quote(text[link] ?? '')} is of another primary code`,
    );
  return undefined;
}

function readParts(
  text: string,
  layout: Layout,
  thisYear: number,
  fields: HibcFields,
): UdiFailure | undefined {
  for (const [index, [from, to]] of layout.parts.entries()) {
    const part = text.slice(from, to);
    const isStructure = part.startsWith('$') || (index === 0 && isSecondary(part));
    const problem = isStructure
      ? readSecondary(part, from, thisYear, fields)
      : readSupplement(part, from, fields);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Reads a HIBC code: primary, secondary, or both. */
export function readHibc(code: string, start: number, thisYear: number): UdiContent | UdiFailure {
  const { text, from } = withoutAsterisks(code, start);
  if (text[from] !== '+')
    return failure('unknown_format', start, `no code of a known format: ${quote(text)}`);
  if (text[from + 1] === '+') return readHibcBasic(text.slice(from), from);
  const isAlone = isSecondaryAlone(text, from);
  if (text.length < from + (isAlone ? 4 : 3))
    return failure('too_short', from, `HIBC ${quote(text)} is not whole`);
  const layout = layoutOf(text, from, isAlone);
  const fields = new HibcFields();
  const problem =
    checkCharacters(text, layout) ?? checkDevice(text, layout) ?? readParts(text, layout, thisYear, fields);
  if (problem !== undefined) return problem;
  return contentOf(text, layout, fields);
}

function checkDevice(text: string, { primary }: Layout): UdiFailure | undefined {
  return primary && checkPrimary(text.slice(...primary), primary[0]);
}

function contentOf(text: string, { primary, link }: Layout, fields: HibcFields): UdiContent {
  const { batchNo, serialNo, manufactureDate, expiryDate, quantity, ...other } = fields.all();
  const linkCharacter =
    primary === undefined && link !== undefined ? { linkCharacter: text[link] ?? '' } : {};
  return {
    ...emptyContent,
    issuingAgency: 'HIBCC',
    deviceIdentifier: primary === undefined ? null : text.slice(...primary),
    batchNo: batchNo ?? null,
    serialNo: serialNo ?? null,
    manufactureDate: manufactureDate ?? null,
    expiryDate: expiryDate ?? null,
    quantity: quantity !== undefined && isDigits(quantity) ? Number(quantity) : null,
    other: { ...other, ...linkCharacter },
  };
}
