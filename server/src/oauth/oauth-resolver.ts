import { REFUSED, type Resolver } from '../access/index.js';
import type { AccessTokens } from './access-tokens.js';

const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Access tokens of OAuth clients: signed, so that most defects show without asking the database. */
export const oauthResolver =
  (tokens: AccessTokens): Resolver =>
  (token) =>
    FORM.test(token) ? tokens.read(token).then((claims) => (claims ? tokens.judge(claims) : REFUSED)) : null;
