import type { Tx } from './database/index.js';
import { ApiError } from './errors/index.js';

/** On whose behalf one of several calls in a transaction is made. */
export type Caller = Pick<Tx, 'actor' | 'credentialId' | 'requestId'>;

/** What one of several calls carried out together came to. A failure of one leaves the others as they are. */
export type Outcome<T> = { value: T } | { failure: ApiError };

/** Runs the decision of one call; a failure meant for its caller becomes its outcome. */
export function outcomeOf<T>(decide: () => T): Outcome<T> {
  try {
    return { value: decide() };
  } catch (error) {
    if (error instanceof ApiError) return { failure: error };
    throw error;
  }
}

/**
 * Carries out calls in rounds in which no key occurs twice: calls about the same thing see each other's effects, as
 * if they had come one after the other.
 */
export async function runInConflictFreeRounds<I, T>(
  items: readonly I[],
  keyOf: (item: I) => string,
  round: (items: readonly I[]) => Promise<Outcome<T>[]>,
): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = new Array(items.length);
  let waiting = items.map((item, place) => ({ item, place }));
  while (waiting.length > 0) {
    const seen = new Set<string>();
    const now = waiting.filter(({ item }) => {
      const key = keyOf(item);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    const results = await round(now.map(({ item }) => item));
    now.forEach(({ place }, i) => {
      outcomes[place] = results[i] as Outcome<T>;
    });
    const done = new Set(now.map(({ place }) => place));
    waiting = waiting.filter(({ place }) => !done.has(place));
  }
  return outcomes;
}
