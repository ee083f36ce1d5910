/**
 * Null where it is none. `URL.canParse` would do, but that of Node 20 takes letters such as ü for a fault once it was
 * called some thousand times.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
