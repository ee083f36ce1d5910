/** The 43 characters of Code 39 and HIBC, in the order that gives each its value. */
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%';
const values = new Map([...CHARACTERS].map((character, value) => [character, value]));

/** Index of the first character HIBC does not have, or -1. */
export function firstForeign(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (!values.has(text[at] ?? '')) return at;
  }
  return -1;
}

/** HIBC's check character, modulo 43, for everything before it. It may be a space. */
export function checkCharacter(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += values.get(text[at] ?? '') ?? 0;
  return CHARACTERS[sum % 43] ?? '';
}
