/** A symbology identifier: the three characters by which a scanner names the symbol it read. */
export interface Symbology {
  /** The three characters. */
  readonly identifier: string;
  /** The content such a symbol holds: GS1 element strings, a GTIN alone, or anything. */
  readonly content: 'elements' | 'gtin' | 'anything';
}

const elements = new Set([']C1', ']d2', ']Q3', ']e0', ']J1']);
const gtin = new Set([']E0', ']E4', ']I1']);

const isLetterOrDigit = (character: string): boolean => /^[0-9A-Za-z]$/.test(character);

/** The symbology identifier at the start of a code, if there is one. */
export function symbologyOf(code: string): Symbology | undefined {
  const identifier = code.slice(0, 3);
  if (identifier.length < 3 || identifier[0] !== ']') return undefined;
  if (!isLetterOrDigit(identifier[1] ?? '') || !isLetterOrDigit(identifier[2] ?? '')) return undefined;
  if (elements.has(identifier)) return { identifier, content: 'elements' };
  return { identifier, content: gtin.has(identifier) ? 'gtin' : 'anything' };
}
