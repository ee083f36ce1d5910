/** Distinct types to choose from: first those in use, then those the organization requires, then common ones. */
export function offeredTypes(...sources: readonly (readonly string[])[]): string[] {
  return [...new Set(sources.flat().map((type) => type.trim()))].filter((type) => type !== '');
}

/** A type with an initial capital, because people enter both `registration` and `Registration`. */
export const typeName = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1);
