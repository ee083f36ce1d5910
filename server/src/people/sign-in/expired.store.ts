import { type Pool, statement, type Tx } from '../../platform/database/index.js';
import { joinAccountOf } from '../account.store.js';
import { joinUser } from '../user.store.js';

// A change of the account ends what began under an earlier generation. It also removes the rows, unless its process dies
// first.
const ofEarlierGeneration = (table: string, org = 't.org_id'): string => `
  from ${table} t ${joinUser('t', org)} ${joinAccountOf('u')} where t.generation < a.generation`;

const withExpired = statement(`
  select org_id as "orgId" from sessions where expires_at <= $1 or last_seen_at <= $2
  union select org_id from user_tokens where expires_at <= $1
  union select t.org_id ${ofEarlierGeneration('sessions')}
  union select t.org_id ${ofEarlierGeneration('user_tokens')}`);
const deleteSessions = statement(`
  delete from sessions where org_id = $1 and session_id = any(array(
    select session_id from sessions where org_id = $1 and (expires_at <= $2 or last_seen_at <= $3)
    union select t.session_id ${ofEarlierGeneration('sessions', '$1')} and t.org_id = $1
    limit $4))
  returning 1`);
const deleteLinks = statement(`
  delete from user_tokens where org_id = $1 and token_hash = any(array(
    select token_hash from user_tokens where org_id = $1 and expires_at <= $2
    union select t.token_hash ${ofEarlierGeneration('user_tokens', '$1')} and t.org_id = $1
    limit $3))
  returning 1`);

export async function organizationsWithExpired(worker: Pool, now: Date, idleSince: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(withExpired, [now, idleSince])).map((row) => row.orgId);
}

export async function removeExpiredOf(tx: Tx, idleSince: Date, rowsMax: number): Promise<number> {
  const sessions = await tx.query(deleteSessions, [tx.orgId, tx.now, idleSince, rowsMax]);
  const links = await tx.query(deleteLinks, [tx.orgId, tx.now, rowsMax]);
  return sessions.length + links.length;
}
