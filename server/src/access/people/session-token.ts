import { createHash } from 'node:crypto';
import { newId, randomBase62 } from '../../platform/ids/index.js';

/**
 * `lws_<organization>_<session>_<secret>`: it says itself where it is kept, so no directory of all sessions is needed.
 * Without the prefixes of the ids, which stand before every one of them.
 */
const FORM = /^lws_([0-9a-hjkmnp-tv-z]{26})_([0-9a-hjkmnp-tv-z]{26})_([0-9A-Za-z]{32})$/;
const SECRET_LENGTH = 32;
const bare = (id: string): string => id.slice(id.indexOf('_') + 1);

export interface SessionName {
  orgId: string;
  sessionId: string;
}

export const newSessionId = (at: Date): string => newId('ses', at);

export const newSessionToken = ({ orgId, sessionId }: SessionName): string =>
  `lws_${bare(orgId)}_${bare(sessionId)}_${randomBase62(SECRET_LENGTH)}`;

/** Where a well-formed token says that its session is kept. */
export function sessionNamedBy(token: string): SessionName | null {
  const [, org, session] = FORM.exec(token) ?? [];
  return org && session ? { orgId: `org_${org}`, sessionId: `ses_${session}` } : null;
}

/** Told to the page of the session, and to be sent back in a header: no other page can know it. */
export const csrfTokenOf = (token: string): string =>
  createHash('sha256').update('csrf\n').update(token).digest('base64url');

/** The cookie in which a browser keeps its session. */
export interface SessionCookie {
  read(header: string): string | null;
  /** Both as they are sent in `Set-Cookie`. */
  give(token: string): string;
  readonly end: string;
}

/** Under https its name makes browsers refuse it from anybody but this very host. */
export function sessionCookie(secure: boolean): SessionCookie {
  const name = secure ? '__Host-lotward_session' : 'lotward_session';
  const facts = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read: (header) => cookieIn(header, name),
    give: (token) => `${name}=${token}; ${facts}`,
    end: `${name}=; ${facts}; Max-Age=0`,
  };
}

/** One cookie of the header, null when there is none, or more than one: then somebody else set the other. */
export function cookieIn(header: string, name: string): string | null {
  const found = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return found.length === 1 ? (found[0] as string).slice(name.length + 1) : null;
}
