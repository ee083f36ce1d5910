/**
 * Returns null for an invalid URL. Not `URL.canParse`: after some thousand calls, the one in Node 20 rejects letters such as ü.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
