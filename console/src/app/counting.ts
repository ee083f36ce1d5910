const ENGLISH = new Intl.PluralRules('en');

/**
 * Words a count in English: `counting('unit', 'units')('1')` is `1 unit`. The count may be a number as `format.number` writes
 * it. Chinese has one form.
 */
export const counting =
  (one: string, other: string) =>
  (count: number | string): string =>
    `${count} ${agreeing(one, other)(count)}`;

/** The noun of a list for a single row: `dispatches` is `dispatch`, `entries` is `entry`. */
export const singularOf = (plural: string): string =>
  plural
    .replace(/ies$/, 'ys')
    .replace(/(?<=ch|x)es$/, 's')
    .replace(/s$/, '');

/** The form of a word whose count appears elsewhere: `1 of 12 entries`. */
export const agreeing =
  (one: string, other: string) =>
  (count: number | string): string =>
    ENGLISH.select(Number(String(count).replaceAll(',', ''))) === 'one' ? one : other;
