import { parseUrl } from '../../platform/parse-url.js';

const ELSEWHERE = 'http://local.invalid';
const LENGTH_MAX = 2_000;

/** The page to return to after signing in: always a path of this server. */
export function localPath(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > LENGTH_MAX || !/^\/(?![/\\])/.test(asked)) return '/';
  // Browsers drop tabs and line breaks and read a backslash as a slash: `/\t/evil.example` would be another host.
  const url = /[\\\p{Cc}]/u.test(asked) ? null : parseUrl(asked, ELSEWHERE);
  if (url === null) return '/';
  const path = url.pathname + url.search + url.hash;
  return url.origin === ELSEWHERE && !path.startsWith('//') ? path : '/';
}
