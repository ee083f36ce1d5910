/**
 * Whether the typed text could be a whole code: it has a digit or is all capitals. Without this check, every word of a name
 * search would also be requested as a code, and answered with 404.
 */
export const couldBeCode = (text: string): boolean =>
  /^[\w./-]{3,64}$/.test(text) && (/\d/.test(text) || text === text.toUpperCase());
