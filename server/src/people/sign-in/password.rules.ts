import { FREQUENT_PASSWORDS } from './frequent-passwords.js';

const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 256;

export type PasswordProblem =
  | 'password_too_short'
  | 'password_too_long'
  | 'password_common'
  | 'password_personal';

/** Keyboards compose the same character in different ways. */
export const normalized = (password: string): string => password.normalize('NFKC');

/** Requires length and rejects frequent passwords; character classes do not matter. */
export function passwordProblem(
  password: string,
  about: { email: string; organization: string },
): PasswordProblem | null {
  const text = normalized(password).toLowerCase();
  const length = [...normalized(password)].length;
  if (length < PASSWORD_LENGTH_MIN) return 'password_too_short';
  if (length > PASSWORD_LENGTH_MAX) return 'password_too_long';
  if (isPersonal(text, about)) return 'password_personal';
  return isCommon(text) ? 'password_common' : null;
}

/** Strips the digits and symbols that people add around a word. */
const wordIn = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

function isPersonal(text: string, { email, organization }: { email: string; organization: string }): boolean {
  const address = normalized(email).toLowerCase();
  const own = [address, address.slice(0, address.lastIndexOf('@')), normalized(organization).toLowerCase()];
  const word = wordIn(text);
  return own.some((each) => each !== '' && (text === each || (word !== '' && word === wordIn(each))));
}

function isCommon(text: string): boolean {
  const unit = repeatedUnit(text);
  if (unit !== null && ([...unit].length <= 4 || isKnown(unit))) return true;
  return isSequence(text) || isKnown(text);
}

const isKnown = (text: string): boolean =>
  spellings(text).some(
    (spelling) => FREQUENT_PASSWORDS.has(spelling) || FREQUENT_PASSWORDS.has(wordIn(spelling)),
  );

/** Reads `p@ssw0rd` as `password`. */
function spellings(text: string): string[] {
  const word = wordIn(text);
  const plain = word.replace(/[@4$5037!]/g, (c) => LETTERS[c] as string);
  return [text, word, plain.replaceAll('1', 'i'), plain.replaceAll('1', 'l')];
}
const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  $: 's',
  '5': 's',
  '0': 'o',
  '3': 'e',
  '7': 't',
  '!': 'i',
};

const repeatedUnit = (text: string): string | null => /^(.+?)\1+$/su.exec(text)?.[1] ?? null;

/** Such as `abcdefghijkl`, `123456789012`, `aaaabbbbcccc`, and their reverse. */
function isSequence(text: string): boolean {
  const codes = [...text].map((c) => c.codePointAt(0) as number);
  const follows = (from: number, to: number) =>
    Math.abs(to - from) <= 1 || (from === NINE && to === ZERO) || (from === ZERO && to === NINE);
  return codes.every((code, i) => i === 0 || follows(codes[i - 1] as number, code));
}
const ZERO = 0x30;
const NINE = 0x39;
