import { performance } from 'node:perf_hooks';

const WINDOW_MS = 1_000;
/** So many refusals in a window are answered at once. */
const AT_ONCE_MAX = 10;
const DELAY_STEP_MS = 20;
const DELAY_MAX_MS = 1_000;
const CALLERS_MAX = 10_000;

/**
 * Delays the refusals of a caller that goes on without waiting. A refusal costs little, but thousands a second would take
 * the time of everybody's requests; one that comes later also brings the next request later.
 */
export class SlowRefusals {
  readonly #counts = new Map<string, number>();
  #windowEndsMs = 0;

  /** Counts a refusal of the caller, and returns how long to keep it. */
  delayMsOf(caller: string): number {
    const nowMs = performance.now();
    if (nowMs >= this.#windowEndsMs || this.#counts.size >= CALLERS_MAX) {
      this.#windowEndsMs = nowMs + WINDOW_MS;
      this.#counts.clear();
    }
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return Math.min(DELAY_MAX_MS, Math.max(0, count - AT_ONCE_MAX) * DELAY_STEP_MS);
  }
}
