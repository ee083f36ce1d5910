/** Caches results for a moment, so that a page that many people view is computed once for all of them. */
export interface MomentCache<T> {
  get(key: string, make: () => Promise<T>): Promise<T>;
}

export function momentCache<T>(keptMs: number, keysMax: number, monotonicMs: () => number): MomentCache<T> {
  const entries = new Map<string, { madeAtMs: number; answer: Promise<T> }>();
  return {
    get(key, make) {
      const now = monotonicMs();
      const known = entries.get(key);
      if (known && now - known.madeAtMs <= keptMs) return known.answer;
      const answer = make();
      // Moved to the end, so that the first entry is the oldest.
      entries.delete(key);
      if (entries.size >= keysMax) entries.delete(entries.keys().next().value as string);
      entries.set(key, { madeAtMs: now, answer });
      answer.catch(() => {
        if (entries.get(key)?.answer === answer) entries.delete(key);
      });
      return answer;
    },
  };
}
