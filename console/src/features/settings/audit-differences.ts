export interface Difference {
  /** The path in the object, such as `storage.temperatureMax`. */
  field: string;
  /** Null if the field was absent. */
  before: string | null;
  after: string | null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null =>
  value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);

/** Changed fields of an object; lists are compared as a whole. */
export function differences(before: unknown, after: unknown, field = ''): Difference[] {
  if (isObject(before) || isObject(after)) {
    const was = isObject(before) ? before : {};
    const is = isObject(after) ? after : {};
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    return names.flatMap((name) => differences(was[name], is[name], field ? `${field}.${name}` : name));
  }
  const texts = [textOf(before ?? undefined), textOf(after ?? undefined)] as const;
  if (texts[0] === texts[1]) return [];
  return [{ field: field || 'value', before: texts[0], after: texts[1] }];
}
