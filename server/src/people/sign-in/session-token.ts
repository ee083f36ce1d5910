import { newId } from '../../platform/ids/index.js';
import { randomSecret } from '../../platform/secrets/index.js';

/**
 * `lws_<organization>_<session>_<secret>`, the ids without their prefixes. It names its organization, so that no
 * directory of all sessions is needed.
 */
const FORM = /^lws_([0-9a-hjkmnp-tv-z]{26})_([0-9a-hjkmnp-tv-z]{26})_([0-9A-Za-z]{32})$/;
const bare = (id: string): string => id.slice(id.indexOf('_') + 1);

export interface SessionName {
  orgId: string;
  sessionId: string;
}

export const newSessionId = (at: Date): string => newId('ses', at);

export const newSessionToken = ({ orgId, sessionId }: SessionName): string =>
  `lws_${bare(orgId)}_${bare(sessionId)}_${randomSecret()}`;

/** The session that a well-formed token names, or null. */
export function sessionNamedBy(token: string): SessionName | null {
  const [, org, session] = FORM.exec(token) ?? [];
  return org && session ? { orgId: `org_${org}`, sessionId: `ses_${session}` } : null;
}
