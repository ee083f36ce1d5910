import { REFUSED, type Resolver } from '../access/index.js';
import type { AccessTokens } from './access-tokens.js';

const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Resolves access tokens. The signature is checked first, so that most invalid tokens cost no query. */
export const oauthResolver =
  (tokens: AccessTokens): Resolver =>
  (token) =>
    FORM.test(token) ? tokens.read(token).then((claims) => (claims ? tokens.judge(claims) : REFUSED)) : null;
