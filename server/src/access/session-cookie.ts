import { createHash } from 'node:crypto';

/** Given to the page of the session, which sends it back in a header: no other page can know it. */
export const csrfTokenOf = (token: string): string =>
  createHash('sha256').update('csrf\n').update(token).digest('base64url');

/** The cookie that carries a session's token. */
export interface SessionCookie {
  read(header: string): string | null;
  /** A `Set-Cookie` value, like `end`. */
  give(token: string): string;
  readonly end: string;
}

/** The `__Host-` prefix makes browsers refuse the cookie from any other host; it needs https. */
export function sessionCookie(secure: boolean): SessionCookie {
  const name = secure ? '__Host-lotward_session' : 'lotward_session';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read: (header) => cookieIn(header, name),
    give: (token) => `${name}=${token}; ${attributes}`,
    end: `${name}=; ${attributes}; Max-Age=0`,
  };
}

/**
 * The value of one cookie of the header; null when it is missing or occurs twice, since another site must have set one of
 * them.
 */
export function cookieIn(header: string, name: string): string | null {
  const found = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return found.length === 1 ? (found[0] as string).slice(name.length + 1) : null;
}
