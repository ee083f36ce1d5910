/** Two of them are enough for a list if everything has the text. */
export const FIRST_STRETCHES = 2;
const STRETCHES_MAX = 32;

/**
 * As many stretches as should have what is still missing, if they have as much as those before: a text that is in everything must not
 * make the database return everything, one that is in little must not take a round for each stretch.
 */
export const stretchesToRead = (missing: number, foundInEach: number): number =>
  foundInEach === 0 ? STRETCHES_MAX : Math.min(STRETCHES_MAX, Math.max(1, Math.ceil(missing / foundInEach)));
