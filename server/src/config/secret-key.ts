const LENGTH_MIN = 16;
/** The effort of guessing, by the most generous estimate: characters chosen independently. */
const BITS_MIN = 64;
const PLACEHOLDERS =
  /change.?me|change.?this|placeholder|example|replace|secret|key|password|your|insecure|default|lotward/gi;

/** Why a key is too weak to seal with, or null. */
export function weaknessOf(key: string): string | null {
  if (key.length < LENGTH_MIN) return `must have at least ${LENGTH_MIN} characters`;
  if (isSequence(key) || bitsOf(key) < BITS_MIN) return 'can be guessed';
  // The rest must be strong enough by itself: a random key may contain such a word.
  if (bitsOf(key.replace(PLACEHOLDERS, '')) < BITS_MIN) return 'is a placeholder';
  return null;
}

/** The entropy of its characters by their frequency. A repeated pattern counts once. */
function bitsOf(key: string): number {
  const pattern = key.slice(0, `${key}${key}`.indexOf(key, 1));
  const counts = new Map<string, number>();
  for (const character of pattern) counts.set(character, (counts.get(character) ?? 0) + 1);
  const perCharacter = [...counts.values()].reduce((sum, count) => {
    const share = count / pattern.length;
    return sum - share * Math.log2(share);
  }, 0);
  return perCharacter * pattern.length;
}

/** Mostly characters that follow each other, as in 0123456789abcdef. */
function isSequence(key: string): boolean {
  const steps = [...key].slice(1).map((character, i) => character.charCodeAt(0) - key.charCodeAt(i));
  return steps.filter((step) => Math.abs(step) <= 1).length > steps.length / 2;
}
