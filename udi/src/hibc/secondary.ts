import { fromDayOfYear, fromMmddyy, fromMmyy, fromYymmdd, fullYear, isHour } from '../calendar.js';
import { isDigits } from '../characters.js';
import { failure, isFailure, quote, type UdiFailure } from '../failure.js';
import type { HibcFields } from './fields.js';

/** The longest lot or serial number. */
export const NUMBER_LENGTH_MAX = 18;

type DateReader = (text: string, thisYear: number) => string | undefined;

const fromYyjjj: DateReader = (text, thisYear) =>
  fromDayOfYear(fullYear(Number(text.slice(0, 2)), thisYear), Number(text.slice(2, 5)));

/** HIBC always writes the day, so 00 is not a valid one here. */
const fromWrittenDay: DateReader = (text, thisYear) =>
  text.slice(4, 6) === '00' ? undefined : fromYymmdd(text, thisYear);

interface DateForm {
  /** How many digits follow the flag, the hour included. */
  readonly length: number;
  readonly read: DateReader;
  readonly hasHour?: true;
}

/** The date after $$, by its flag. A month without flag begins with 0 or 1, its own first digit. */
const dateForms: Readonly<Record<string, DateForm>> = {
  2: { length: 6, read: fromMmddyy },
  3: { length: 6, read: fromWrittenDay },
  4: { length: 8, read: fromWrittenDay, hasHour: true },
  5: { length: 5, read: fromYyjjj },
  6: { length: 7, read: fromYyjjj, hasHour: true },
};
const monthForm: DateForm = { length: 4, read: fromMmyy };
const NO_DATE = '7';

/** How many digits of quantity follow the flag. */
const quantityLengths: Readonly<Record<string, number>> = { 8: 2, 9: 5 };

function take(text: string, length: number, at: number, what: string): string | UdiFailure {
  const digits = text.slice(0, length);
  if (digits.length < length) return failure('too_short', at, `${what} ${quote(digits)}: ${length} digits`);
  return isDigits(digits) ? digits : failure('illegal_value', at, `${what} ${quote(digits)}: digits only`);
}

/** Reads the date at the front; returns its length in characters. */
function readDate(
  form: DateForm,
  text: string,
  at: number,
  thisYear: number,
  fields: HibcFields,
): number | UdiFailure {
  const digits = take(text, form.length, at, 'expiry date');
  if (isFailure(digits)) return digits;
  const date = form.read(digits, thisYear);
  const hour = form.hasHour && digits.slice(-2);
  if (date === undefined || (hour && !isHour(hour)))
    return failure('illegal_date', at, `expiry date ${quote(digits)}: there is no such date`);
  const conflict = fields.add('expiryDate', date, at) ?? (hour && fields.add('expiryHour', hour, at));
  return conflict || form.length;
}

function readNumber(
  name: 'batchNo' | 'serialNo',
  text: string,
  at: number,
  fields: HibcFields,
): UdiFailure | undefined {
  if (text.length > NUMBER_LENGTH_MAX)
    return failure('too_long', at, `${name} ${quote(text)}: at most ${NUMBER_LENGTH_MAX} characters`);
  return text === '' ? undefined : fields.add(name, text, at);
}

/** Reads the part after $$ or $$+: an optional quantity, an optional date, then the number. */
function readFlagged(
  name: 'batchNo' | 'serialNo',
  text: string,
  start: number,
  thisYear: number,
  fields: HibcFields,
): UdiFailure | undefined {
  let from = 0;
  const quantityLength = quantityLengths[text[0] ?? ''];
  if (quantityLength !== undefined) {
    const quantity = take(text.slice(1), quantityLength, start + 1, 'quantity');
    if (isFailure(quantity)) return quantity;
    const conflict = fields.add('quantity', String(Number(quantity)), start + 1);
    if (conflict !== undefined) return conflict;
    from = 1 + quantityLength;
    if (from === text.length) return undefined;
  }
  const flag = text[from] ?? '';
  const flagged = dateForms[flag];
  const form = flag === '0' || flag === '1' ? monthForm : flagged;
  if (form === undefined && flag !== NO_DATE)
    return failure('unknown_identifier', start + from, `no form of date: ${quote(flag)}`);
  if (form !== monthForm) from += 1;
  if (form !== undefined) {
    const length = readDate(form, text.slice(from), start + from, thisYear, fields);
    if (isFailure(length)) return length;
    from += length;
  }
  return readNumber(name, text.slice(from), start + from, fields);
}

/** Reads a secondary data structure, without + before it and without link and check character behind it. */
export function readSecondary(
  text: string,
  at: number,
  thisYear: number,
  fields: HibcFields,
): UdiFailure | undefined {
  if (text.startsWith('$$+')) return readFlagged('serialNo', text.slice(3), at + 3, thisYear, fields);
  if (text.startsWith('$$')) return readFlagged('batchNo', text.slice(2), at + 2, thisYear, fields);
  if (text === '$' || text === '$+') return failure('too_short', at, `nothing follows ${text}`);
  if (text.startsWith('$+')) return readNumber('serialNo', text.slice(2), at + 2, fields);
  if (text.startsWith('$')) return readNumber('batchNo', text.slice(1), at + 1, fields);
  const length = readDate({ length: 5, read: fromYyjjj }, text, at, thisYear, fields);
  return isFailure(length) ? length : readNumber('batchNo', text.slice(5), at + 5, fields);
}

/** Whether the text begins like a secondary data structure: with $, or with the five digits of a date. */
export function isSecondary(text: string): boolean {
  return text.startsWith('$') || (text.length >= 5 && isDigits(text.slice(0, 5)));
}
