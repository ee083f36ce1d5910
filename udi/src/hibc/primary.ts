import { consistsOf, isDigits } from '../characters.js';
import { failure, quote, type UdiFailure } from '../failure.js';

const LABELER_LENGTH = 4;
const PRODUCT_LENGTH_MAX = 18;

/** Checks the labeler identification code: a letter, then three letters or digits. */
export function checkLabeler(text: string, at: number): UdiFailure | undefined {
  const labeler = text.slice(0, LABELER_LENGTH);
  const isLabeler =
    labeler.length === LABELER_LENGTH &&
    consistsOf(labeler, 'alphanumeric') &&
    consistsOf(labeler.slice(0, 1), 'letters');
  return isLabeler
    ? undefined
    : failure('bad_labeler', at, `no labeler identification code: ${quote(labeler)}`);
}

/** Checks a primary data structure, without + and check character: labeler, product, and one digit for the unit of measure. */
export function checkPrimary(text: string, at: number): UdiFailure | undefined {
  const problem = checkLabeler(text, at);
  if (problem !== undefined) return problem;
  const product = text.slice(LABELER_LENGTH, -1);
  const about = `product number ${quote(product)}`;
  if (text.length < LABELER_LENGTH + 2)
    return failure('too_short', at, `${quote(text)}: a product number and a unit of measure are missing`);
  if (product.length > PRODUCT_LENGTH_MAX)
    return failure('too_long', at + LABELER_LENGTH, `${about}: at most ${PRODUCT_LENGTH_MAX} characters`);
  if (!consistsOf(product, 'spaced'))
    return failure('illegal_character', at + LABELER_LENGTH, `${about}: letters, digits and spaces only`);
  return isDigits(text.slice(-1))
    ? undefined
    : failure('illegal_value', at + text.length - 1, `unit of measure ${quote(text.slice(-1))}: one digit`);
}
