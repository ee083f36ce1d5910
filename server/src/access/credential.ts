import type { Principal } from '../platform/principal.js';

export type CredentialKind = 'key' | 'client' | 'session';

/** A credential that is valid now, with everything the authenticator needs to know about it. */
export interface Credential {
  kind: CredentialKind;
  id: string;
  principal: Principal;
  /** The name under which its requests are rate limited. */
  countedAs: string;
  requestsPerMinute: number;
  allows: (address: string) => boolean;
}

export interface Resolution {
  credential: Credential | null;
  /** The credential expires at this instant even if nothing changes. */
  validUntilMs: number;
}
export const REFUSED: Resolution = Object.freeze({ credential: null, validUntilMs: 0 });

/** Resolves tokens of one kind; null, without a query, for a token that is not of that kind. */
export type Resolver = (token: string) => Promise<Resolution> | null;
