/** Numbers that look thrown but are the same every time: the demo is the same everywhere. */
export interface Dice {
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  oneOf<T>(items: readonly [T, ...T[]]): T;
}

/** Mulberry32: small, and even enough for invented stock. */
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
