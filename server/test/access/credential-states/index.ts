import { apiKey } from './api-key.js';
import { oauthToken, oauthTokenOnBehalf } from './oauth.js';
import { session } from './session.js';
import type { CredentialState } from './verdict.js';

export { bearer } from './api-key.js';
export { forItself, onBehalf } from './oauth.js';
export * from './verdict.js';

/** Each kind of credential with its states; all kinds are held against the same table of routes. */
export const credentialKinds: Readonly<Record<string, readonly CredentialState[]>> = {
  'API key': apiKey,
  'OAuth token': oauthToken,
  'OAuth token on behalf of somebody': oauthTokenOnBehalf,
  'console session': session,
};
