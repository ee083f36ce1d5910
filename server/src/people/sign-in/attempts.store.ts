import { createHash } from 'node:crypto';
import { type Pool, statement, type Tx } from '../../platform/database/index.js';
import { ApiError } from '../../platform/errors/index.js';
import { peopleReasons } from '../people.errors.js';

const ATTEMPTS_KEPT_MS = 60 * 60_000;
const WAIT_SECONDS_MAX = 60;
const FREE = 5;

// Counted before the comparison, so that a thousand concurrent guesses get no further than sequential ones. Nothing is
// counted during a delay, so that a stranger cannot prolong it.
const claim = statement(`
  insert into sign_in_failures as f (subject, failures, blocked_until, forget_at) values ($1, 1, $2, $3)
  on conflict (subject) do update set
    failures = case when f.forget_at <= $2 then 1 else f.failures + 1 end,
    blocked_until = case when f.forget_at <= $2 or f.failures < ${FREE} then $2
      else $2::timestamptz + make_interval(secs => least(${WAIT_SECONDS_MAX}, power(2, least(f.failures - ${FREE}, 10)))) end,
    forget_at = $3
  where f.blocked_until <= $2
  returning failures`);
const blocked = statement('select blocked_until as "until" from sign_in_failures where subject = $1');
const clear = statement('delete from sign_in_failures where subject = $1');
const removeOld = statement(`
  delete from sign_in_failures where subject = any(array(
    select subject from sign_in_failures where forget_at <= $1 order by forget_at limit $2)) returning 1`);

/** The counter of an account's passwords, codes or confirmations; each known device has its own. */
export const attemptsAt = (
  what: 'password' | 'factor' | 'confirmation',
  account: string,
  device: string | null,
) =>
  createHash('sha256')
    .update(JSON.stringify([what, account, device]))
    .digest();

/** Counts an attempt as failed in advance; throws while the account is delayed. */
export async function claimAttempt(tx: Tx, subject: Buffer): Promise<void> {
  const forgetAt = new Date(tx.now.getTime() + ATTEMPTS_KEPT_MS);
  if ((await tx.query(claim, [subject, tx.now, forgetAt])).length > 0) return;
  const [row] = await tx.query<{ until: Date }>(blocked, [subject]);
  const seconds = Math.max(1, Math.ceil(((row?.until.getTime() ?? 0) - tx.now.getTime()) / 1000));
  throw delayed(seconds);
}

export async function clearAttempts(tx: Tx, subject: Buffer): Promise<void> {
  tx.send(clear, [subject]);
}

export async function removeOldAttempts(worker: Pool, now: Date, limit: number): Promise<number> {
  return (await worker.query(removeOld, [now, limit])).length;
}

function delayed(seconds: number): ApiError {
  const reason = 'sign_in_delayed';
  return new ApiError('limited', [{ path: null, reason, message: peopleReasons[reason].meaning }], {
    headers: { 'retry-after': String(seconds) },
  });
}
