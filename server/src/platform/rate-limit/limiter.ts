/**
 * A fixed window per key: it begins with the first counted request, and once `limit` is reached all others are refused until
 * it ends. A refused request is not counted.
 */
export interface Limiter {
  /** `cost` is what the request counts as, usually 1; 0 only checks whether the limit is reached. */
  take(key: string, limit: number, cost?: number): Decision | Promise<Decision>;
}

export interface Decision {
  allowed: boolean;
  /** Requests left in this window. */
  remaining: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}
