import { performance } from 'node:perf_hooks';

const KEPT_MS = 10_000;
const KEPT_MAX = 10_000;

/**
 * Records whose lock a call failed to get a moment ago. The next calls for them are kept separate from the start, before
 * they delay others. This predicts the near future, so each process may keep its own list.
 */
export class LockedRecords {
  readonly #untilMs = new Map<string, number>();

  hasAny(names: readonly string[]): boolean {
    if (this.#untilMs.size === 0) return false;
    const nowMs = performance.now();
    return names.some((name) => (this.#untilMs.get(name) ?? 0) > nowMs);
  }

  add(names: readonly string[]): void {
    const nowMs = performance.now();
    // In the order in which they expire.
    for (const [name, untilMs] of this.#untilMs) {
      if (untilMs > nowMs && this.#untilMs.size <= KEPT_MAX) break;
      this.#untilMs.delete(name);
    }
    for (const name of names) {
      this.#untilMs.delete(name);
      this.#untilMs.set(name, nowMs + KEPT_MS);
    }
  }

  remove(names: readonly string[]): void {
    for (const name of names) this.#untilMs.delete(name);
  }
}
