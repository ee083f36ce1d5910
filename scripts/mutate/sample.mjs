/** The same numbers for the same seed (mulberry32), from 0 up to 1. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Some of the values, drawn by the seed, in their own order. */
export function sampleOf(values, size, seed) {
  const draw = random(seed);
  return values
    .map((value, place) => ({ value, place, drawn: draw() }))
    .sort((a, b) => a.drawn - b.drawn)
    .slice(0, size)
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
