import { type Pool, statement, type Tx } from '../../platform/database/index.js';
import type { EndpointKey } from '../delivery/lease.store.js';
import type { Standing } from '../outcome.rules.js';
import type { CursorMove } from './pass.rules.js';

const start = statement(`
  insert into webhook_stock_cursors (org_id, webhook_id, position) values ($1, $2, $3)
  on conflict (org_id, webhook_id) do nothing`);
const drop = statement('delete from webhook_stock_cursors where org_id = $1 and webhook_id = $2');

/** Starts pushing changed stock from this position. An existing cursor is kept. */
export function startCursor(tx: Tx, webhookId: string, position: number): void {
  tx.send(start, [tx.orgId, webhookId, position]);
}

export function dropCursor(tx: Tx, webhookId: string): void {
  tx.send(drop, [tx.orgId, webhookId]);
}

export interface DueCursor extends EndpointKey {
  position: number;
}

// If more are due, picks any of them: in a fixed order, the first ones would starve the others.
const DUE_MAX = 2_000;
const due = statement(`
  select c.org_id as "orgId", c.webhook_id as "webhookId", c.position
  from webhook_stock_cursors c join webhook_states s on s.org_id = c.org_id and s.webhook_id = c.webhook_id
  where s.status = 'enabled' and (c.due_at is null or c.due_at <= $1) and (c.leased_until is null or c.leased_until <= $2)
  order by random() limit ${DUE_MAX}`);

/** Cursors of all organizations that may move and that no process holds. Leases use the database's clock. */
export const findDueCursors = (pool: Pool, now: Date, leaseNow: Date): Promise<DueCursor[]> =>
  pool.query<DueCursor>(due, [now, leaseNow]);

const claim = statement(`
  update webhook_stock_cursors set lease_token = $3, leased_until = $4
  where org_id = $1 and webhook_id = $2 and (due_at is null or due_at <= $5) and (leased_until is null or leased_until <= $6)
  returning position, tries`);

export interface Lease {
  /** The token combined with the incarnation of the database. */
  heldToken: string;
  until: Date;
  now: Date;
  leaseNow: Date;
}

/** Null: another process was faster. */
export async function claimCursor(
  tx: Tx,
  webhookId: string,
  lease: Lease,
): Promise<{ position: number; tries: number } | null> {
  const [row] = await tx.query<{ position: number; tries: number }>(claim, [
    tx.orgId,
    webhookId,
    lease.heldToken,
    lease.until,
    lease.now,
    lease.leaseNow,
  ]);
  return row ?? null;
}

const standing = statement(`
  select status, consecutive_failures as "consecutiveFailures", failing_since as "failingSince"
  from webhook_states where org_id = $1 and webhook_id = $2 for update`);

/** Locks the state of the webhook, as every write of its results does; null if it was deleted. */
export async function lockStanding(tx: Tx, webhookId: string): Promise<Standing | null> {
  const [row] = await tx.query<Standing>(standing, [tx.orgId, webhookId]);
  return row ?? null;
}

const move = statement(`
  update webhook_stock_cursors set position = $4, tries = $5, due_at = $6, lease_token = null, leased_until = null
  where org_id = $1 and webhook_id = $2 and lease_token = $3 returning 1`);

/** Moves the cursor and releases the lease. Returns false if the lease is lost. */
export async function moveCursor(
  tx: Tx,
  webhookId: string,
  heldToken: string,
  { position, tries, dueAt }: CursorMove,
): Promise<boolean> {
  const rows = await tx.query(move, [tx.orgId, webhookId, heldToken, position, tries, dueAt]);
  return rows.length > 0;
}
