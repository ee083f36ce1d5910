import { SET_82 } from '../characters.js';

/**
 * The check digit of a GS1 number: modulo 10, with weights 3 and 1 from the right.
 *
 * @param digits - The number without its check digit.
 */
export function checkDigit(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    sum += Number(digits[at]) * ((digits.length - at) % 2 === 1 ? 3 : 1);
  }
  return String((10 - (sum % 10)) % 10);
}

/** Whether the last digit is the check digit of those before it. */
export function hasCheckDigit(digits: string): boolean {
  return checkDigit(digits.slice(0, -1)) === digits.at(-1);
}

const PAIR_WEIGHTS = [83, 79, 73, 71, 67, 61, 59, 53, 47, 43, 41, 37, 31, 29, 23, 19, 17, 13, 11, 7, 5, 3, 2];
const PAIR_CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const values82 = new Map([...SET_82].map((character, value) => [character, value]));

/** The longest text a check pair can protect. */
const GUARDED_MAX = PAIR_WEIGHTS.length;

/** The two check characters of a Global Model Number; HIBC uses the same for its Basic UDI-DI. */
export function checkPair(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    const weight = PAIR_WEIGHTS[GUARDED_MAX - text.length + at] ?? 0;
    sum += (values82.get(text[at] ?? '') ?? 0) * weight;
  }
  const rest = sum % 1021;
  return `${PAIR_CHARACTERS[rest >> 5]}${PAIR_CHARACTERS[rest & 31]}`;
}

/** Whether the text ends with its two check characters. */
export function hasCheckPair(text: string): boolean {
  return text.length > 2 && text.length <= GUARDED_MAX + 2 && checkPair(text.slice(0, -2)) === text.slice(-2);
}
