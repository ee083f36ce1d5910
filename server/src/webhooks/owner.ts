import type { Principal } from '../platform/principal.js';

export const OWNER_KINDS = ['organization', 'key', 'client', 'user'] as const;

/** The credential or person to which a webhook belongs, as the API shows it. */
export interface Owner {
  kind: (typeof OWNER_KINDS)[number];
  /** Null for the organization; the name is then null, too. */
  id: string | null;
  name: string | null;
  /** The person on whose behalf the OAuth client created it. */
  onBehalfOf: string | null;
}

/** Names an owner: a key, an OAuth client (with the grant of a person, if it acts for one) or a person. */
export interface OwnerIds {
  keyId: string | null;
  clientId: string | null;
  userId: string | null;
  grantHash: Buffer | null;
}

/** The organization itself: it never ends. */
export const ORGANIZATION: OwnerIds = { keyId: null, clientId: null, userId: null, grantHash: null };

/** The caller owns the webhooks it creates or adopts. Sessions end every day, so there it is the person. */
export function ownerOf({ session, client, credentialId }: Principal): OwnerIds {
  if (session) return { ...ORGANIZATION, userId: session.userId };
  if (client) return { ...ORGANIZATION, clientId: credentialId, ...client };
  return { ...ORGANIZATION, keyId: credentialId };
}
