import { type Pool, statement } from '../platform/database/index.js';

/**
 * State that the protocol keeps between requests: codes, grants, refresh tokens, interactions. Like the directory of keys,
 * it is looked up by the hash of a secret before anything is known about its bearer, and only then leads to a client and its
 * organization. An interaction begins without either. So the table has no organization, and nothing lists it.
 */
export interface Artifact {
  payload: Record<string, unknown>;
  consumed: boolean;
}

export interface NewArtifact {
  model: string;
  idHash: Buffer;
  payload: Record<string, unknown>;
  clientId: string | null;
  grantHash: Buffer | null;
  expiresAt: Date;
}

/** The key-share lock makes ending a grant wait for this insert, so that no artifact outlives its grant. */
const save = statement(`
  with standing as (
    select 1 from oauth_artifacts g where g.model = 'Grant' and g.id_hash = $5::bytea for key share
  )
  insert into oauth_artifacts (model, id_hash, payload, client_id, grant_hash, expires_at)
  select $1, $2, $3, $4, $5, $6 where $5::bytea is null or exists (select 1 from standing)
  on conflict (id_hash, model) do update set payload = excluded.payload
  returning 1`);
const find = statement(`
  select payload, consumed_at is not null as consumed from oauth_artifacts
  where model = $1 and id_hash = $2 and expires_at > $3`);
/** Kept as long as its grant, so that a second use can be distinguished from a guess. */
const consume = statement(`
  update oauth_artifacts a set consumed_at = $3, expires_at = g.expires_at
  from oauth_artifacts g
  where a.model = $1 and a.id_hash = $2 and a.consumed_at is null and g.model = 'Grant' and g.id_hash = a.grant_hash
  returning 1`);
const grantOf = statement(
  'select grant_hash as "grantHash" from oauth_artifacts where model = $1 and id_hash = $2',
);
const remove = statement('delete from oauth_artifacts where model = $1 and id_hash = $2');
const clientOf = statement(
  `select client_id as "clientId" from oauth_artifacts where model = 'Grant' and id_hash = $1`,
);
const removeExpired = statement(`
  delete from oauth_artifacts where expires_at <= $1 and id_hash = any(array(
    select id_hash from oauth_artifacts where expires_at <= $1 order by expires_at limit $2))
  returning 1`);

/** False when the grant it belongs to has ended. */
export async function saveArtifact(app: Pool, artifact: NewArtifact): Promise<boolean> {
  const { model, idHash, payload, clientId, grantHash, expiresAt } = artifact;
  const values = [model, idHash, JSON.stringify(payload), clientId, grantHash, expiresAt];
  return (await app.query(save, values)).length > 0;
}

export async function findArtifact(
  app: Pool,
  model: string,
  idHash: Buffer,
  now: Date,
): Promise<Artifact | null> {
  const [row] = await app.query<Artifact>(find, [model, idHash, now]);
  return row ?? null;
}

/** True for exactly one of several concurrent calls. */
export async function consumeArtifact(app: Pool, model: string, idHash: Buffer, now: Date): Promise<boolean> {
  return (await app.query(consume, [model, idHash, now])).length > 0;
}

export async function grantOfArtifact(app: Pool, model: string, idHash: Buffer): Promise<Buffer | null> {
  const [row] = await app.query<{ grantHash: Buffer | null }>(grantOf, [model, idHash]);
  return row?.grantHash ?? null;
}

export async function removeArtifact(app: Pool, model: string, idHash: Buffer): Promise<void> {
  await app.query(remove, [model, idHash]);
}

/** The client to which a grant was given; null when the grant has ended. */
export async function clientOfGrant(app: Pool, grantHash: Buffer): Promise<string | null> {
  const [row] = await app.query<{ clientId: string | null }>(clientOf, [grantHash]);
  return row?.clientId ?? null;
}

/** For stores that join the grant `grant_hash` of a row; its columns are then those of `g`. */
export const joinGrant = (alias: string): string =>
  `join oauth_artifacts g on g.id_hash = ${alias}.grant_hash and g.model = 'Grant'`;

const endsOfGrants = statement(
  `select id_hash as "grantHash", expires_at as "endsAt" from oauth_artifacts where model = 'Grant' and id_hash = any($1)`,
);

/** When each of the grants ends, by its hash in hexadecimal; omits those that have ended. */
export async function readGrantEnds(
  session: Pick<Pool, 'query'>,
  grantHashes: readonly Buffer[],
): Promise<Map<string, Date>> {
  if (grantHashes.length === 0) return new Map();
  const rows = await session.query<{ grantHash: Buffer; endsAt: Date }>(endsOfGrants, [grantHashes]);
  return new Map(rows.map(({ grantHash, endsAt }) => [grantHash.toString('hex'), endsAt]));
}

export async function removeExpiredArtifacts(worker: Pool, now: Date, limit: number): Promise<number> {
  return (await worker.query(removeExpired, [now, limit])).length;
}
