const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const LENGTH_MAX = 2_000;

/**
 * May people be sent back to it with a code? It is compared letter by letter later, so it must already be written as
 * every browser writes it: `https://app.example/back`, not `HTTPS://APP.example:443/back/../back`.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > LENGTH_MAX || /[*#\s\\]/.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  // An address without a path is written with or without its slash; both mean the same and either may be registered.
  if (url.href !== text && url.href !== `${text}/`) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}
