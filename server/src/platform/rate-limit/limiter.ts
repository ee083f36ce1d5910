/**
 * A fixed window per key: it begins with the first counted request, and at most `limit` requests are counted
 * in it. A refused request is not counted.
 */
export interface Limiter {
  take(key: string, limit: number): Decision | Promise<Decision>;
}

export interface Decision {
  allowed: boolean;
  /** Requests left in this window. */
  remaining: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}
