import { statement, type Tx } from '../../platform/database/index.js';
import type { LinkPurpose } from './link-token.js';

const insert = statement(`
  insert into user_tokens (org_id, token_hash, user_id, purpose, created_at, expires_at, generation)
  values ($1, $2, $3, $4, $5, $6, $7)`);
const find = statement(`
  select user_id as "userId", generation from user_tokens
  where org_id = $1 and token_hash = $2 and purpose = $3 and expires_at > $4`);
const take = statement(`
  delete from user_tokens where org_id = $1 and token_hash = $2 and purpose = $3 and expires_at > $4
  returning user_id as "userId", generation`);
const removeAll = statement('delete from user_tokens where org_id = $1 and user_id = $2');
const removeEarlier = statement(`
  delete from user_tokens where org_id = $1 and user_id = $2 and generation < $3`);
const madeSince = statement(`
  select count(*)::integer as count from user_tokens
  where org_id = $1 and user_id = $2 and purpose = $3 and created_at > $4`);

/** The owner of a link. A link for an account works only while the account has the same generation. */
export interface LinkOwner {
  userId: string;
  /** Null for an invitation. */
  generation: number | null;
}

export interface StoredLink extends LinkOwner {
  hash: Buffer;
  purpose: LinkPurpose;
  expiresAt: Date;
}

export async function saveLink(tx: Tx, link: StoredLink): Promise<void> {
  const { hash, userId, purpose, expiresAt, generation } = link;
  tx.send(insert, [tx.orgId, hash, userId, purpose, tx.now, expiresAt, generation]);
}

export async function findLink(tx: Tx, hash: Buffer, purpose: LinkPurpose): Promise<LinkOwner | null> {
  const [row] = await tx.query<LinkOwner>(find, [tx.orgId, hash, purpose, tx.now]);
  return row ?? null;
}

/** Consumes the link. Only one of two concurrent calls finds it. */
export async function takeLink(tx: Tx, hash: Buffer, purpose: LinkPurpose): Promise<LinkOwner | null> {
  const [row] = await tx.query<LinkOwner>(take, [tx.orgId, hash, purpose, tx.now]);
  return row ?? null;
}

export async function removeLinks(tx: Tx, userId: string): Promise<void> {
  tx.send(removeAll, [tx.orgId, userId]);
}

/** Removes the links that were made before the account changed. */
export async function removeEarlierLinks(tx: Tx, userId: string, generation: number): Promise<void> {
  tx.send(removeEarlier, [tx.orgId, userId, generation]);
}

export async function countLinksSince(
  tx: Tx,
  userId: string,
  purpose: LinkPurpose,
  since: Date,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(madeSince, [tx.orgId, userId, purpose, since]);
  return row?.count ?? 0;
}
