/** GTINs: one code whatever its length on the package (8, 12, 13 or 14 digits). */

const DIGITS = /^(\d{8}|\d{12,14})$/;

export function hasGtinCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const fromRight = digits.length - 1 - i;
    sum += Number(digits[i]) * (fromRight % 2 === 1 ? 3 : 1);
  }
  return sum % 10 === 0;
}

export function isGtin(code: string): boolean {
  return DIGITS.test(code) && hasGtinCheckDigit(code);
}

/** A Global Location Number: the 13 digits of a place or party, with the check digit of a GTIN. */
export const isGln = (text: string): boolean => /^\d{13}$/.test(text) && hasGtinCheckDigit(text);

/** A GTIN in its 14 digits; any other code verbatim. */
export function canonicalCode(code: string): string {
  return isGtin(code) ? code.padStart(14, '0') : code;
}
