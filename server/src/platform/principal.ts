/** Who acts, for whom, and what they may do. Keys, tokens and sessions all resolve to this one shape. */
export interface Principal {
  readonly orgId: string;
  /** E-mail of the person answerable for what is done. */
  readonly actor: string;
  readonly credentialId: string;
  readonly scopes: ReadonlySet<string>;
  /** Set on a partner's credential: it sees and writes only this customer's things. */
  readonly customerCode: string | null;
  readonly timeZone: string;
}

/** The service itself at work for one organization, outside any request. */
export function systemPrincipal(orgId: string, actor: string, timeZone = 'UTC'): Principal {
  return { orgId, actor, credentialId: 'system', scopes: new Set(), customerCode: null, timeZone };
}
