const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const LENGTH_MAX = 2_000;

/**
 * Whether people may be redirected to it with a code. It is later compared character by character, so it must have the form
 * in which every browser writes it: `https://app.example/back`, not `HTTPS://APP.example:443/back/../back`.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > LENGTH_MAX || /[*#\s\\]/.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  // Without a path the final slash is optional; either form may be registered.
  if (url.href !== text && url.href !== `${text}/`) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}
