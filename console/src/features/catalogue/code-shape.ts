/**
 * Whether what was typed could be a whole code: it has a digit or is all capitals. Without that check every word typed in
 * search of a name would be requested as a code too, and the service would answer each with 404.
 */
export const couldBeCode = (text: string): boolean =>
  /^[\w./-]{3,64}$/.test(text) && (/\d/.test(text) || text === text.toUpperCase());
