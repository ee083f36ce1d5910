/** Row keys are not part of the content. */
export const contentOf = (value: unknown): string =>
  JSON.stringify(value, (name, part) => (name === 'key' ? undefined : part));

/** The fields that were entered, on top of a record that has changed since; `basis` is the content it had. */
export function mergeEntries<V extends object>(entered: V, basis: string, now: V): V {
  const before = JSON.parse(basis) as Partial<V>;
  const changed = Object.entries(entered).filter(
    ([name, value]) => contentOf(value) !== contentOf(before[name as keyof V]),
  );
  return { ...now, ...Object.fromEntries(changed) };
}
