import { createHash } from 'node:crypto';
import { organizationRowIf, type Pool, statement, type Tx } from '../../platform/database/index.js';

/** The refused step: a password, a code of the second factor, or the password again before a lasting change. */
export type RefusedStep = 'password' | 'code' | 'confirmation';

export interface Refusal {
  /** Null if there is no such account. */
  userId: string | null;
  email: string;
  step: RefusedStep;
  address: string;
}

const ADDRESSES_MAX = 10;
const SHARDS = 64;
const REFUSAL_WINDOW_MS = 15 * 60_000;

const withAddress = (row: string, address: string): string => `case when ${address} = any(${row}.addresses)
  or cardinality(${row}.addresses) >= ${ADDRESSES_MAX} then ${row}.addresses else ${row}.addresses || ${address}::text end`;
// Both statements run for every account, existing or not, so that the amount of work reveals nothing.
const countKnown = statement(`
  insert into refused_sign_ins as r (org_id, user_id, window_start, passwords, codes, confirmations, addresses, first_at, last_at)
  select g.org_id, $2, $3::timestamptz, $4::integer, $5::integer, $6::integer, array[$7::text], $8::timestamptz, $8::timestamptz
  from ${organizationRowIf('g', "$2::text <> ''")}
  on conflict (org_id, user_id, window_start) do update set passwords = r.passwords + $4, codes = r.codes + $5,
    confirmations = r.confirmations + $6, addresses = ${withAddress('r', '$7')}, last_at = greatest(r.last_at, $8)
  where r.org_id = $1 returning 1`);
const countUnknown = statement(`
  insert into unknown_sign_ins as u (shard, window_start, refused, addresses)
  select $1::integer, $2::timestamptz, 1, array[$3::text] where $4 = ''
  on conflict (shard, window_start) do update set refused = u.refused + 1, addresses = ${withAddress('u', '$3')}`);
const withClosed = statement(
  'select org_id as "orgId" from refused_sign_ins where window_start <= $1 group by org_id',
);
const takeClosed = statement(`
  delete from refused_sign_ins where org_id = $1 and (user_id, window_start) in (
    select user_id, window_start from refused_sign_ins where org_id = $1 and window_start <= $2 order by window_start limit $3)
  returning user_id as "userId", passwords, codes, confirmations, addresses, first_at as "firstAt", last_at as "lastAt"`);
const takeUnknown = statement(`
  delete from unknown_sign_ins where window_start <= $1 returning window_start as "windowStart", refused, addresses`);

const windowOf = (at: Date): Date =>
  new Date(Math.floor(at.getTime() / REFUSAL_WINDOW_MS) * REFUSAL_WINDOW_MS);

/** The newest window that no process adds to any more: a process that is slow to commit has a minute. */
export const closedBefore = (now: Date): Date =>
  new Date(windowOf(new Date(now.getTime() - 60_000)).getTime() - REFUSAL_WINDOW_MS);

export async function countRefusal(tx: Tx, { userId, email, step, address }: Refusal): Promise<void> {
  const shard = createHash('sha256').update(email).digest().readUInt8() % SHARDS;
  const counts = (['password', 'code', 'confirmation'] as const).map((each) => (each === step ? 1 : 0));
  const known = userId ?? '';
  const window = windowOf(tx.now);
  tx.send(countKnown, [tx.orgId, known, window, ...counts, address, tx.now]);
  tx.send(countUnknown, [shard, window, address, known]);
}

export interface RefusedSignIns {
  userId: string;
  passwords: number;
  codes: number;
  confirmations: number;
  addresses: string[];
  firstAt: Date;
  lastAt: Date;
}

export async function organizationsWithRefusals(worker: Pool, until: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(withClosed, [until])).map((row) => row.orgId);
}

export async function takeRefusals(tx: Tx, until: Date, rowsMax: number): Promise<RefusedSignIns[]> {
  return tx.query<RefusedSignIns>(takeClosed, [tx.orgId, until, rowsMax]);
}

export interface UnknownSignIns {
  windowStart: Date;
  refused: number;
  addresses: string[];
}

export async function takeUnknownRefusals(worker: Pool, until: Date): Promise<UnknownSignIns[]> {
  return worker.query<UnknownSignIns>(takeUnknown, [until]);
}
