import { type Pool, statement, type Tx } from '../../platform/database/index.js';

const withExpired = statement(`
  select org_id as "orgId" from sessions where expires_at <= $1 or last_seen_at <= $2
  union select org_id from user_tokens where expires_at <= $1`);
const deleteSessions = statement(`
  delete from sessions where org_id = $1 and (expires_at <= $2 or last_seen_at <= $3) returning 1`);
const deleteLinks = statement('delete from user_tokens where org_id = $1 and expires_at <= $2 returning 1');

export async function organizationsWithExpired(worker: Pool, now: Date, idleSince: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(withExpired, [now, idleSince])).map((row) => row.orgId);
}

export async function removeExpiredOf(tx: Tx, idleSince: Date): Promise<number> {
  const sessions = await tx.query(deleteSessions, [tx.orgId, tx.now, idleSince]);
  const links = await tx.query(deleteLinks, [tx.orgId, tx.now]);
  return sessions.length + links.length;
}
