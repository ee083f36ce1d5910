/** A generator of its own for each actor: the same seed makes the same choices from the same answers. */
export class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** An integer below `n`. */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  }
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }
  of<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}
