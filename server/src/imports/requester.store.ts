import { joinClient, joinKey } from '../credentials/index.js';
import { readGrantEnds } from '../oauth/index.js';
import { joinUser, scopesOfRole, type UserRole } from '../people/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';
import type { Requester } from './import.js';

/** Sessions end every day, so the person is the requester there. */
export function requesterOf({ actor, credentialId, session, client }: Principal): Requester {
  const nobody = { actor, credentialId, keyId: null, clientId: null, userId: null, grantHash: null };
  if (session) return { ...nobody, userId: session.userId };
  if (client) return { ...nobody, clientId: credentialId, ...client };
  return { ...nobody, keyId: credentialId };
}

interface Standing {
  keyScopes: string[] | null;
  keyExpiresAt: Date | null;
  clientScopes: string[] | null;
  role: UserRole | null;
}

// A row of arrays, because Citus 13.2 crashes on an outer join with a parameter that is null.
const standing = statement(`
  select case when num_nonnulls(k.revoked_at, k.disabled_at) = 0 then k.scopes end as "keyScopes", k.expires_at as "keyExpiresAt",
    case when num_nonnulls(c.revoked_at, c.disabled_at) = 0 then c.scopes end as "clientScopes",
    case when u.status = 'active' then u.role end as role
  from unnest($2::text[], $3::text[], $4::text[]) as r(key_id, client_id, user_id)
  left ${joinKey('r', '$1')} left ${joinClient('r', '$1')} left ${joinUser('r', '$1')}`);

/** Whether the requester is still valid and may still do what the import does. */
export async function mayStill(tx: Tx, requester: Requester, scope: string): Promise<boolean> {
  const { keyId, clientId, userId, grantHash } = requester;
  const [row] = await tx.query<Standing>(standing, [tx.orgId, [keyId], [clientId], [userId]]);
  if (!row) return false;
  if (keyId !== null && row.keyExpiresAt !== null && row.keyExpiresAt < tx.now) return false;
  if (keyId !== null && !row.keyScopes?.includes(scope)) return false;
  if (clientId !== null && !row.clientScopes?.includes(scope)) return false;
  if (userId !== null && !(row.role !== null && scopesOfRole(row.role).has(scope))) return false;
  if (grantHash === null) return true;
  const endsAt = (await readGrantEnds(tx, [grantHash])).get(grantHash.toString('hex'));
  return endsAt !== undefined && endsAt >= tx.now;
}
