export interface PublishedKey {
  keyId: string;
  signsFrom: Date;
}

const SIGNS_FOR_MS = 90 * 86_400_000;
/** Long enough for clients that cache the JWKS to fetch a new key before it signs. */
export const PUBLISHED_BEFORE_MS = 10 * 60_000;
/** Longer than the lifetime of a token plus the time a process takes to switch to the next key. */
const PUBLISHED_AFTER_MS = 3_600_000;

/** Oldest first, in the order in which they sign. */
const inOrder = <K extends PublishedKey>(keys: readonly K[]): K[] =>
  [...keys].sort((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime() || (a.keyId < b.keyId ? -1 : 1));

/** The keys that may sign now, the preferred one first. */
export const signingNow = <K extends PublishedKey>(keys: readonly K[], now: Date): K[] =>
  inOrder(keys)
    .filter((key) => key.signsFrom <= now)
    .reverse();

/** The instant from which a new key must sign; null when none is due. */
export function nextKeySigns(keys: readonly PublishedKey[], now: Date): Date | null {
  const newest = inOrder(keys).at(-1);
  if (!newest) return now;
  const due = now.getTime() - newest.signsFrom.getTime() >= SIGNS_FOR_MS;
  return due ? new Date(now.getTime() + PUBLISHED_BEFORE_MS) : null;
}

/** Keys whose last token has long expired. */
export function keysToRemove(keys: readonly PublishedKey[], now: Date): string[] {
  const ordered = inOrder(keys);
  return ordered
    .filter((_key, i) => {
      const next = ordered[i + 1];
      return next !== undefined && now.getTime() - next.signsFrom.getTime() >= PUBLISHED_AFTER_MS;
    })
    .map((key) => key.keyId);
}
