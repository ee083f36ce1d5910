import { type Pool, statement, type Tx } from '../../platform/database/index.js';
import type { UserRole } from '../organization.js';
import { type ClientForLogin, clientColumns } from './client.store.js';

/** What a token says of itself, to be compared with what is so now. */
export interface TokenName {
  orgId: string;
  clientId: string;
  tokenId: string;
  userId: string | null;
  grantHash: Buffer | null;
}

export interface TokenStanding
  extends Omit<ClientForLogin, 'secretHash' | 'previousSecretHash' | 'previousValidUntil' | 'orgName'> {
  revoked: boolean;
  email: string | null;
  role: UserRole | null;
  userStatus: 'invited' | 'active' | 'removed' | null;
  granted: boolean;
}

const standings = statement(`
  select q.place, ${clientColumns}, o.status as "orgStatus", o.edition, o.time_zone as "timeZone",
    r.token_id is not null as revoked, u.email, u.role, u.status as "userStatus", g.id_hash is not null as granted
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[])
    with ordinality as q(org_id, client_id, token_id, user_id, grant_hash, place)
  join oauth_clients c on c.org_id = q.org_id and c.client_id = q.client_id
  join organizations o on o.org_id = c.org_id
  left join oauth_revoked_tokens r on r.org_id = q.org_id and r.token_id = q.token_id
  left join users u on u.org_id = q.org_id and u.user_id = q.user_id
  left join oauth_artifacts g on g.id_hash = q.grant_hash and g.model = 'Grant' and g.expires_at > $6`);
const activeUser = statement(`
  select user_id as "userId", email, role from users where org_id = $1 and user_id = $2 and status = 'active'`);
const revokeToken = statement(`
  insert into oauth_revoked_tokens (org_id, token_id, expires_at) values ($1, $2, $3)
  on conflict do nothing returning 1`);
const orgsWithExpired = statement(
  'select distinct org_id as "orgId" from oauth_revoked_tokens where expires_at <= $1',
);
const removeExpired = statement(
  'delete from oauth_revoked_tokens where org_id = $1 and expires_at <= $2 returning 1',
);

/** In the order of the names; null where there is no such client. */
export async function readTokenStandings(
  reader: Pool,
  names: readonly TokenName[],
  now: Date,
): Promise<(TokenStanding | null)[]> {
  const rows = await reader.query<TokenStanding & { place: number }>(standings, [
    names.map((name) => name.orgId),
    names.map((name) => name.clientId),
    names.map((name) => name.tokenId),
    names.map((name) => name.userId),
    names.map((name) => name.grantHash),
    now,
  ]);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return names.map((_name, i) => byPlace.get(i + 1) ?? null);
}

export async function readActiveUser(
  reader: Pool,
  orgId: string,
  userId: string,
): Promise<{ userId: string; email: string; role: UserRole } | null> {
  const [row] = await reader.query<{ userId: string; email: string; role: UserRole }>(activeUser, [
    orgId,
    userId,
  ]);
  return row ?? null;
}

/** False when it was revoked before. */
export async function saveRevokedToken(tx: Tx, tokenId: string, expiresAt: Date): Promise<boolean> {
  return (await tx.query(revokeToken, [tx.orgId, tokenId, expiresAt])).length > 0;
}

export async function organizationsWithExpiredTokens(worker: Pool, now: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(orgsWithExpired, [now])).map((row) => row.orgId);
}

export async function removeExpiredTokens(tx: Tx): Promise<number> {
  return (await tx.query(removeExpired, [tx.orgId, tx.now])).length;
}
