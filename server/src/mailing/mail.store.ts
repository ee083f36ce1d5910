import { type Pool, readInIndexOrder, statement, type Tx } from '../platform/database/index.js';
import type { ClaimedMail } from './mail.js';

export interface StoredMail {
  mailId: string;
  dedupeKey: string;
  recipients: readonly string[];
  subject: string;
  body: string;
  bodySealed: boolean;
}

const insert = statement(`
  insert into mails (org_id, mail_id, dedupe_key, recipients, subject, body, body_sealed, created_at, due_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $8) on conflict (org_id, dedupe_key) do nothing`);

export async function insertMail(tx: Tx, mail: StoredMail): Promise<void> {
  const { mailId, dedupeKey, recipients, subject, body, bodySealed } = mail;
  tx.send(insert, [tx.orgId, mailId, dedupeKey, recipients, subject, body, bodySealed, tx.now]);
}

const withKey = statement(`
  select count(*)::integer as count from mails
  where org_id = $1 and dedupe_key > $2 and dedupe_key < left($2, -1) || ';' and created_at > $3`);

/**
 * Mails queued since an instant whose deduplication key has this prefix. The prefix ends with a colon, which ; follows in
 * the sort order.
 */
export async function countMails(tx: Tx, keyBeginning: string, since: Date): Promise<number> {
  const [row] = await tx.query<{ count: number }>(withKey, [tx.orgId, keyBeginning, since]);
  return row?.count ?? 0;
}

// The organization that has waited longest comes first, so that none is always last.
const organizationsToServe = statement(
  'select org_id as "orgId" from mails where due_at <= $1 group by org_id order by min(due_at), org_id',
);
const lockDue = statement(`
  select mail_id as "mailId", recipients, delivered_to as "deliveredTo", subject, body,
    body_sealed as "bodySealed", attempts + 1 as attempts
  from mails where org_id = $1 and due_at <= $2
    and not exists (select from unnest(recipients) as r(address) where lower(split_part(r.address, '@', 2)) = any($3))
  order by due_at limit 1 for update skip locked`);
const claim = statement('update mails set due_at = $3, attempts = $4 where org_id = $1 and mail_id = $2');

export async function organizationsWithDueMail(worker: Pool, now: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(organizationsToServe, [now])).map((row) => row.orgId);
}

/** Claims the mail that has been due longest, that no one else has claimed and that goes to none of these domains. */
export async function claimDueMail(
  tx: Tx,
  claimedUntil: Date,
  exceptDomains: readonly string[],
): Promise<ClaimedMail | null> {
  await readInIndexOrder(tx);
  const [mail] = await tx.query<Omit<ClaimedMail, 'claimedUntil'>>(lockDue, [
    tx.orgId,
    tx.now,
    exceptDomains,
  ]);
  if (!mail) return null;
  tx.send(claim, [tx.orgId, mail.mailId, claimedUntil, mail.attempts]);
  return { ...mail, claimedUntil };
}

// The mail was sent, even if another worker has claimed it since.
const settleSent = statement(`
  update mails set due_at = null, sent_at = $3, delivered_to = recipients, last_error = null
  where org_id = $1 and mail_id = $2 and due_at is not null`);
// A worker that returns late must not change a mail that another one took over.
const settleFailure = statement(`
  update mails set due_at = $4, failed_at = $5, last_error = $6, delivered_to = delivered_to || $7::text[]
  where org_id = $1 and mail_id = $2 and due_at = $3`);

export async function markSent(tx: Tx, mailId: string): Promise<void> {
  tx.send(settleSent, [tx.orgId, mailId, tx.now]);
}

export async function markFailed(
  tx: Tx,
  mail: ClaimedMail,
  failure: { error: string; accepted: readonly string[]; nextAttemptAt: Date | null },
): Promise<void> {
  const { error, accepted, nextAttemptAt } = failure;
  const failedAt = nextAttemptAt === null ? tx.now : null;
  const values = [tx.orgId, mail.mailId, mail.claimedUntil, nextAttemptAt, failedAt, error, accepted];
  tx.send(settleFailure, values);
}

const organizationsToClear = statement(`
  select org_id as "orgId" from mails where due_at is null and coalesce(sent_at, failed_at) < $1 group by org_id`);
const removeSettled = statement(`
  delete from mails where org_id = $1 and mail_id = any(array(
    select mail_id from mails where org_id = $1 and due_at is null and coalesce(sent_at, failed_at) < $2
    order by coalesce(sent_at, failed_at) limit $3))
  returning 1`);

export async function organizationsWithOldMail(worker: Pool, before: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(organizationsToClear, [before])).map((row) => row.orgId);
}

export async function removeSettledMails(tx: Tx, before: Date, limit: number): Promise<number> {
  return (await tx.query(removeSettled, [tx.orgId, before, limit])).length;
}
