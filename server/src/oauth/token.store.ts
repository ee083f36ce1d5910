import { type ClientForLogin, clientColumns, joinClient } from '../credentials/index.js';
import { calendarColumns, joinOrganization } from '../organizations/index.js';
import { joinAccountOf, joinUser, readGenerations, type UserRole } from '../people/index.js';
import {
  batchStatement,
  bulkRows,
  type Pool,
  queryBatch,
  statement,
  type Tx,
} from '../platform/database/index.js';

/** The claims by which the state of a token is looked up. */
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

type PlacedStanding = TokenStanding & { place: number };

const nameColumns = bulkRows({
  org_id: 'text',
  client_id: 'text',
  token_id: 'text',
  user_id: 'text',
  grant_hash: 'bytea',
});
const grantJoin = `left ${joinAccountOf('u')}
  left join oauth_artifacts g on g.id_hash = q.grant_hash and g.model = 'Grant' and g.expires_at > $6`;
// Accounts and grants are on another node than what belongs to an organization.
const standings = batchStatement(
  6,
  ({ org, joinRow, isDistributed }) => `
  select q.place, ${clientColumns}, o.status as "orgStatus", o.edition, ${calendarColumns},
    r.token_id is not null as revoked, u.email, u.role, u.status as "userStatus", ${isDistributed ? 'false' : 'g.id_hash is not null and g.generation = a.generation'} as granted
  from ${nameColumns.fromPlaced('q', 1)}
  ${joinClient('q', org('q.org_id'), joinRow)}
  ${joinOrganization(org('c.org_id'))}
  left join oauth_revoked_tokens r on r.org_id = ${org('q.org_id')} and r.token_id = q.token_id
  left ${joinUser('q', org('q.org_id'))}
  ${isDistributed ? 'where $6::timestamptz is not null' : grantJoin}`,
);
const grantsOf = statement(`
  select id_hash as "grantHash", generation from oauth_artifacts
  where id_hash = any($1) and model = 'Grant' and expires_at > $2`);
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
  const rows = await queryBatch<PlacedStanding, TokenName>(reader, standings, names, (own) => [
    ...nameColumns.values(own, (name) => ({
      org_id: name.orgId,
      client_id: name.clientId,
      token_id: name.tokenId,
      user_id: name.userId,
      grant_hash: name.grantHash,
    })),
    now,
  ]);
  if (reader.isDistributed) await judgeGrants(reader, names, rows, now);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return names.map((_name, i) => byPlace.get(i + 1) ?? null);
}

async function judgeGrants(
  reader: Pool,
  names: readonly TokenName[],
  rows: PlacedStanding[],
  now: Date,
): Promise<void> {
  const hashes = names.flatMap(({ grantHash }) => grantHash ?? []);
  if (hashes.length === 0) return;
  const grants = await reader.query<{ grantHash: Buffer; generation: number | null }>(grantsOf, [
    hashes,
    now,
  ]);
  const granted = new Map(grants.map(({ grantHash, generation }) => [grantHash.toString('hex'), generation]));
  const current = await readGenerations(
    reader,
    rows.flatMap(({ email }) => email ?? []),
  );
  for (const row of rows) {
    const generation = granted.get(names[row.place - 1]?.grantHash?.toString('hex') ?? '');
    row.granted = typeof generation === 'number' && generation === current.get(row.email ?? '');
  }
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
