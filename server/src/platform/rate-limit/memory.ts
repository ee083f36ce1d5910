import type { Decision, Limiter } from './limiter.js';

export interface MemoryLimiter extends Limiter {
  take(key: string, limit: number, cost?: number): Decision;
  /** The number of windows, at most `keysMax`. */
  readonly size: number;
}

interface Window {
  readonly key: string;
  readonly endsAt: number;
  count: number;
  next: Window | undefined;
}

/** Two expired windows are removed for each new one, so that they do not accumulate. */
const SWEPT_PER_WINDOW = 2;

/** Counts in this process. `now` is monotonic, in milliseconds. */
export function memoryLimiter(options: {
  windowMs: number;
  now: () => number;
  keysMax: number;
}): MemoryLimiter {
  const { windowMs, now, keysMax } = options;
  const windows = new Map<string, Window>();
  // All windows have the same length, so this list, ordered by their start, is also ordered by their end: the oldest window
  // is always the next to remove, without a search.
  let oldest: Window | undefined;
  let newest: Window | undefined;

  const removeOldest = (window: Window) => {
    oldest = window.next;
    if (!oldest) newest = undefined;
    // A key that was used again after its window ended has a newer window, which stays.
    if (windows.get(window.key) === window) windows.delete(window.key);
  };

  const begin = (key: string, time: number): Window => {
    const window: Window = { key, endsAt: time + windowMs, count: 0, next: undefined };
    windows.set(key, window);
    if (newest) newest.next = window;
    else oldest = window;
    newest = window;
    for (let i = 0; i < SWEPT_PER_WINDOW && oldest && oldest.endsAt <= time; i++) removeOldest(oldest);
    while (oldest && windows.size > keysMax) removeOldest(oldest);
    return window;
  };

  return {
    take(key, limit, cost = 1) {
      const time = now();
      let window = windows.get(key);
      if (window && window.endsAt <= time) window = undefined;
      if ((window?.count ?? 0) >= limit) {
        return { allowed: false, remaining: 0, resetMs: window ? window.endsAt - time : windowMs };
      }
      if (!window && cost === 0) return { allowed: true, remaining: limit, resetMs: windowMs };
      window ??= begin(key, time);
      window.count += cost;
      return { allowed: true, remaining: Math.max(0, limit - window.count), resetMs: window.endsAt - time };
    },
    get size() {
      return windows.size;
    },
  };
}
