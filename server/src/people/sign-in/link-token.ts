import { randomBase62 } from '../../platform/ids/index.js';

/** `factor`: to remove a second factor that is lost. */
export type LinkPurpose = 'invitation' | 'reset' | 'factor';

const PREFIX: Readonly<Record<LinkPurpose, string>> = { invitation: 'lwi', reset: 'lwr', factor: 'lwf' };
const PAGE: Readonly<Record<LinkPurpose, string>> = {
  invitation: 'invitation',
  reset: 'password-reset',
  factor: 'second-factor-reset',
};
const SECRET_LENGTH = 32;
const FORM = /^lw[irf]_([0-9a-hjkmnp-tv-z]{26})_[0-9A-Za-z]{32}$/;

/** `lwi_<organization>_<secret>`: like a session token it names its organization. */
export const newLinkToken = (purpose: LinkPurpose, orgId: string): string =>
  `${PREFIX[purpose]}_${orgId.slice(orgId.indexOf('_') + 1)}_${randomBase62(SECRET_LENGTH)}`;

/** The organization a well-formed token names. */
export function organizationNamedBy(token: string): string | null {
  const [, org] = FORM.exec(token) ?? [];
  return org ? `org_${org}` : null;
}

/** In the fragment, which browsers do not send, so that the token appears in no log. */
export const linkTo = (consoleUrl: string, purpose: LinkPurpose, token: string): string =>
  `${consoleUrl}/${PAGE[purpose]}#${token}`;
