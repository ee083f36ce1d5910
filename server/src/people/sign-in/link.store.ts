import { statement, type Tx } from '../../platform/database/index.js';
import type { LinkPurpose } from './link-token.js';

const insert = statement(`
  insert into user_tokens (org_id, token_hash, user_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`);
const find = statement(`
  select user_id as "userId" from user_tokens
  where org_id = $1 and token_hash = $2 and purpose = $3 and expires_at > $4`);
const take = statement(`
  delete from user_tokens where org_id = $1 and token_hash = $2 and purpose = $3 and expires_at > $4
  returning user_id as "userId"`);
const removeAll = statement('delete from user_tokens where org_id = $1 and user_id = $2');
const madeSince = statement(`
  select count(*)::integer as count from user_tokens
  where org_id = $1 and user_id = $2 and purpose = $3 and created_at > $4`);

export interface StoredLink {
  hash: Buffer;
  userId: string;
  purpose: LinkPurpose;
  expiresAt: Date;
}

export async function saveLink(tx: Tx, link: StoredLink): Promise<void> {
  await tx.query(insert, [tx.orgId, link.hash, link.userId, link.purpose, tx.now, link.expiresAt]);
}

/** The user of a valid link. */
export async function findLink(tx: Tx, hash: Buffer, purpose: LinkPurpose): Promise<string | null> {
  const [row] = await tx.query<{ userId: string }>(find, [tx.orgId, hash, purpose, tx.now]);
  return row?.userId ?? null;
}

/** Consumes the link. Only one of two concurrent calls finds it. */
export async function takeLink(tx: Tx, hash: Buffer, purpose: LinkPurpose): Promise<string | null> {
  const [row] = await tx.query<{ userId: string }>(take, [tx.orgId, hash, purpose, tx.now]);
  return row?.userId ?? null;
}

export async function removeLinks(tx: Tx, userId: string): Promise<void> {
  await tx.query(removeAll, [tx.orgId, userId]);
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
