/** Types to choose from, each once: those in use first, then those that the organization requires, then the usual ones. */
export function offeredTypes(...sources: readonly (readonly string[])[]): string[] {
  return [...new Set(sources.flat().map((type) => type.trim()))].filter((type) => type !== '');
}

/** A type as a name of its own: people enter `registration` and `Registration` alike. */
export const typeName = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1);
