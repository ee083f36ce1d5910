/** Seeded pseudo-random numbers, so that the demo is the same everywhere. */
export interface Dice {
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
  oneOf<T>(items: readonly [T, ...T[]]): T;
}

/** Mulberry32: small, and uniform enough for demo data. */
export function diceFrom(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return { between, oneOf: (items) => items[between(0, items.length - 1)] ?? items[0] };
}
