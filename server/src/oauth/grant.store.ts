import { joinClient } from '../credentials/index.js';
import { joinAccountOf, joinUser, joinUserAnywhere, type UserRole } from '../people/index.js';
import { type Pool, statement, type Tx } from '../platform/database/index.js';

/** A grant, limited to what may be shown of it. */
export interface StoredGrant {
  grantHash: Buffer;
  clientId: string;
  clientName: string;
  userId: string;
  email: string;
  /** The scopes agreed to, by resource. */
  resources: Record<string, string> | null;
  expiresAt: Date;
}

export interface GrantFilter {
  userId?: string | undefined;
  clientId?: string | undefined;
  grantHash?: Buffer | undefined;
}

/** A position in the list, newest first. All grants have the same lifetime, so the newest expires last. */
export interface GrantPlace {
  expiresAt: string;
  grantHash: Buffer;
}

// Artifacts have no organization: a grant belongs to the organization of the client and user it names.
const page = statement(`
  select g.id_hash as "grantHash", g.client_id as "clientId", c.name as "clientName", g.user_id as "userId", u.email,
    g.resources, g.expires_at as "expiresAt"
  from (
    select id_hash, client_id, user_id, payload -> 'resources' as resources, expires_at
    from oauth_artifacts where model = 'Grant' and generation is not null and expires_at > $2
  ) g
  ${joinClient('g', '$1')}
  ${joinUser('g', '$1')}
  where ($3::text is null or g.user_id = $3) and ($4::text is null or g.client_id = $4)
    and ($5::bytea is null or g.id_hash = $5)
    and ($6::timestamptz is null or (g.expires_at, g.id_hash) < ($6, $7::bytea))
  order by g.expires_at desc, g.id_hash desc limit $8`);
const endOne = statement("delete from oauth_artifacts where model = 'Grant' and id_hash = $1 returning 1");
const endOfUser = statement(`
  delete from oauth_artifacts where model = 'Grant' and user_id = $1 and ($2::bigint is null or generation < $2)
  returning id_hash as "grantHash", client_id as "clientId"`);
const removeRest = statement('delete from oauth_artifacts where grant_hash = any($1)');

/** Current grants of the organization, newest first. A grant without a generation never received consent. */
export async function readGrants(
  tx: Tx,
  filter: GrantFilter,
  after: GrantPlace | null,
  rowsMax: number,
): Promise<StoredGrant[]> {
  const { userId = null, clientId = null, grantHash = null } = filter;
  const place = [after?.expiresAt ?? null, after?.grantHash ?? null];
  return tx.query<StoredGrant>(page, [tx.orgId, tx.now, userId, clientId, grantHash, ...place, rowsMax]);
}

/** Returns false if it had ended before. The grant is removed first, so that nothing can be added to it meanwhile. */
export async function removeGrant(tx: Tx, grantHash: Buffer): Promise<boolean> {
  const ended = await tx.query(endOne, [grantHash]);
  tx.send(removeRest, [[grantHash]]);
  return ended.length > 0;
}

/** User ids are unique across organizations. With `before`, only grants of an earlier generation of the account. */
export async function removeGrantsOf(
  tx: Tx,
  userId: string,
  before: number | undefined,
): Promise<{ grantHash: Buffer; clientId: string }[]> {
  const ended = await tx.query<{ grantHash: Buffer; clientId: string }>(endOfUser, [userId, before ?? null]);
  tx.send(removeRest, [ended.map(({ grantHash }) => grantHash)]);
  return ended;
}

const superseded = statement(`
  select distinct u.org_id as "orgId", u.user_id as "userId", u.email, a.generation
  from oauth_artifacts g ${joinUserAnywhere('g')} ${joinAccountOf('u')}
  where g.model = 'Grant' and g.generation < a.generation and (u.org_id, u.user_id) > ($1, $2)
  order by u.org_id, u.user_id limit $3`);

/** A person with grants in the organization that belong to an earlier generation of the account. */
export interface SupersededGrants {
  orgId: string;
  userId: string;
  email: string;
  generation: number;
}

/** In order, starting after this person. */
export function findSupersededGrants(
  worker: Pool,
  after: Pick<SupersededGrants, 'orgId' | 'userId'>,
  max: number,
): Promise<SupersededGrants[]> {
  return worker.query<SupersededGrants>(superseded, [after.orgId, after.userId, max]);
}

const settle = statement("update oauth_artifacts set generation = $2 where model = 'Grant' and id_hash = $1");
const holder = statement(`
  select u.email, u.role from (
    select user_id, generation from oauth_artifacts
    where model = 'Grant' and id_hash = $2 and expires_at > $3 and user_id = $4
  ) g
  ${joinUser('g', '$1')}
  ${joinAccountOf('u')}
  where u.status = 'active' and g.generation = a.generation`);

/** The grant counts from here on, for as long as the account has this generation. */
export async function saveGrantSettled(tx: Tx, grantHash: Buffer, generation: number): Promise<void> {
  tx.send(settle, [grantHash, generation]);
}

/** The person who gave the grant, if they may still act in the organization and the grant is valid. */
export async function readGrantHolder(
  reader: Pool,
  grant: { orgId: string; userId: string; grantHash: Buffer },
  now: Date,
): Promise<{ email: string; role: UserRole } | null> {
  const { orgId, grantHash, userId } = grant;
  const [row] = await reader.query<{ email: string; role: UserRole }>(holder, [
    orgId,
    grantHash,
    now,
    userId,
  ]);
  return row ?? null;
}
