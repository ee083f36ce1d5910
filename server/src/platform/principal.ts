/** Who acts, for whom, and what they may do. Keys, tokens and sessions all resolve to this one shape. */
export interface Principal {
  readonly orgId: string;
  /** E-mail of the person answerable for what is done. */
  readonly actor: string;
  readonly credentialId: string;
  readonly scopes: ReadonlySet<string>;
  /** Set on a bound credential: the party whose data alone it may read and write. Whose that is, its owner defines. */
  readonly boundTo: string | null;
  readonly timeZone: string;
  /** Set when a person is at the console. */
  readonly session?: ConsoleSession;
  /** Set when an OAuth client acts, with the person on whose behalf it does, if there is one. */
  readonly client?: { readonly userId: string | null };
}

export interface ConsoleSession {
  readonly sessionId: string;
  readonly userId: string;
  /** Unfinished until the second factor was given, or set up where it must be. */
  readonly state: SessionState;
}
export type SessionState = 'second_factor' | 'enrolment' | 'complete';

/** The service itself at work for one organization, outside any request. */
export function systemPrincipal(orgId: string, actor: string, timeZone = 'UTC'): Principal {
  return { orgId, actor, credentialId: 'system', scopes: new Set(), boundTo: null, timeZone };
}
