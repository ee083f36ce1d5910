/** The three characters a scanner may put in front: which symbol it read, and what it promises about the content. */
export interface Symbology {
  readonly identifier: string;
  /** GS1 element strings, a GTIN alone, or anything. */
  readonly promise: 'elements' | 'gtin' | 'anything';
}

const elements = new Set([']C1', ']d2', ']Q3', ']e0', ']J1']);
const gtin = new Set([']E0', ']E4', ']I1']);

const isLetterOrDigit = (character: string): boolean => /^[0-9A-Za-z]$/.test(character);

export function symbologyOf(code: string): Symbology | undefined {
  const identifier = code.slice(0, 3);
  if (identifier.length < 3 || identifier[0] !== ']') return undefined;
  if (!isLetterOrDigit(identifier[1] ?? '') || !isLetterOrDigit(identifier[2] ?? '')) return undefined;
  if (elements.has(identifier)) return { identifier, promise: 'elements' };
  return { identifier, promise: gtin.has(identifier) ? 'gtin' : 'anything' };
}
