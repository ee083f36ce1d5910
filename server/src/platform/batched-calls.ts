import type { Tx } from './database/index.js';
import { ApiError } from './errors/index.js';

/** The caller of one of several calls that share a transaction. */
export type Caller = Pick<Tx, 'actor' | 'credentialId' | 'requestId'>;

/** The outcome of one of several calls that share a transaction. A failure of one does not affect the others. */
export type Outcome<T> = { value: T } | { failure: ApiError };

/** Runs the decision of one call; an ApiError becomes its outcome. */
export function outcomeOf<T>(decide: () => T): Outcome<T> {
  try {
    return { value: decide() };
  } catch (error) {
    if (error instanceof ApiError) return { failure: error };
    throw error;
  }
}

/**
 * Runs calls in rounds in which no key occurs twice, so that calls with the same key see each other's effects as if they had
 * arrived one after the other.
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
