const ELSEWHERE = 'http://local.invalid';
const LENGTH_MAX = 2_000;

/** Where somebody goes after signing in: a path of this server, whatever was asked for. */
export function localPath(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > LENGTH_MAX || !/^\/(?![/\\])/.test(asked)) return '/';
  // Browsers drop tabs and line breaks and take a backslash for a slash: `/\t/evil.example` would be another host.
  if (/[\\\p{Cc}]/u.test(asked) || !URL.canParse(asked, ELSEWHERE)) return '/';
  const url = new URL(asked, ELSEWHERE);
  const path = url.pathname + url.search + url.hash;
  return url.origin === ELSEWHERE && !path.startsWith('//') ? path : '/';
}
