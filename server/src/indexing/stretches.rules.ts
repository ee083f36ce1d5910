/** Two stretches fill a list if everything matches. */
export const FIRST_STRETCHES = 2;
const STRETCHES_MAX = 32;

/**
 * As many stretches as should contain the missing matches, at the density found so far: a common text must not make the
 * database return everything, and a rare one must not take a round per stretch.
 */
export const stretchesToRead = (missing: number, foundInEach: number): number =>
  foundInEach === 0 ? STRETCHES_MAX : Math.min(STRETCHES_MAX, Math.max(1, Math.ceil(missing / foundInEach)));
