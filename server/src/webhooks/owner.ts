import type { Principal } from '../platform/principal.js';

export const OWNER_KINDS = ['organization', 'key', 'client', 'user'] as const;

/** The credential or person a webhook belongs to, as it is shown. */
export interface Owner {
  kind: (typeof OWNER_KINDS)[number];
  /** Null for the organization, as is the name. */
  id: string | null;
  name: string | null;
  /** The person on whose behalf the OAuth client made it. */
  onBehalfOf: string | null;
}

/** Names an owner: a key, an OAuth client (with the grant of a person, if it acts for one) or a person. */
export interface OwnerIds {
  keyId: string | null;
  clientId: string | null;
  userId: string | null;
  grantHash: Buffer | null;
}

/** Nothing ends it. */
export const ORGANIZATION: OwnerIds = { keyId: null, clientId: null, userId: null, grantHash: null };

/** The caller owns the webhooks it makes or adopts. Sessions end every day: there it is the person. */
export function ownerOf({ session, client, credentialId }: Principal): OwnerIds {
  if (session) return { ...ORGANIZATION, userId: session.userId };
  if (client) return { ...ORGANIZATION, clientId: credentialId, ...client };
  return { ...ORGANIZATION, keyId: credentialId };
}
