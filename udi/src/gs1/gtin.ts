import { hasCheckDigit } from './check-digit.js';

const GTIN_DIGITS = /^(\d{8}|\d{12,14})$/;
const GTIN_LENGTH = 14;

/**
 * Whether a code is a GTIN: 8, 12, 13 or 14 digits with a valid check digit.
 *
 * @param code - The code as it was typed or scanned.
 */
export const isGtin = (code: string): boolean => GTIN_DIGITS.test(code) && hasCheckDigit(code);

/**
 * Whether a text is a Global Location Number: 13 digits with a valid check digit.
 *
 * @param text - The number as it was typed or scanned.
 */
export const isGln = (text: string): boolean => /^\d{13}$/.test(text) && hasCheckDigit(text);

/**
 * The one spelling in which a product code is stored and compared: a GTIN of any length padded to 14 digits, any other
 * code unchanged.
 *
 * @param code - A GTIN, or a code of another scheme.
 * @example canonicalCode('6901234567892') // '06901234567892'
 * @example canonicalCode('PUMP-1') // 'PUMP-1'
 */
export function canonicalCode(code: string): string {
  return isGtin(code) ? code.padStart(GTIN_LENGTH, '0') : code;
}
