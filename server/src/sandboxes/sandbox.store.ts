import {
  composedStatement,
  Filter,
  type ListPage,
  onlyOf,
  statement,
  type Tx,
} from '../platform/database/index.js';
import type { EndReason, SANDBOX_STATUSES, Sandbox } from './sandbox.js';

const columns = `sandbox_id as "sandboxId", code, name, data, created_at as "createdAt", created_by as "createdBy",
  updated_at as "updatedAt", ended_at as "endedAt", end_reason as "endReason"`;
const one = statement(`select ${columns} from sandboxes where org_id = $1 and sandbox_id = $2`);
const counts = statement(`
  select (count(*) filter (where ended_at is null))::integer as live,
    (count(*) filter (where created_at > $2))::integer as opened
  from sandboxes where org_id = $1`);
const insert = statement(`
  insert into sandboxes (org_id, sandbox_id, code, name, data, created_at, created_by, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $6)`);
const end = statement(`
  update sandboxes set ended_at = $3, end_reason = $4, updated_at = $3
  where org_id = $1 and sandbox_id = $2 and ended_at is null returning 1`);

export async function findSandbox(tx: Tx, sandboxId: string): Promise<Sandbox | null> {
  const [row] = await tx.query<Sandbox>(one, [tx.orgId, sandboxId]);
  return row ?? null;
}

/** The number of active sandboxes, and of those opened since an instant. */
export async function countSandboxes(tx: Tx, since: Date): Promise<{ live: number; opened: number }> {
  const [row] = await tx.query<{ live: number; opened: number }>(counts, [tx.orgId, since]);
  return row ?? { live: 0, opened: 0 };
}

export function saveSandbox(tx: Tx, s: Sandbox): void {
  tx.send(insert, [tx.orgId, s.sandboxId, s.code, s.name, s.data, s.createdAt, s.createdBy]);
}

/** False if it had ended before. */
export async function markEnded(tx: Tx, sandboxId: string, reason: EndReason): Promise<boolean> {
  return (await tx.query(end, [tx.orgId, sandboxId, tx.now, reason])).length > 0;
}

/** Newest first: ids grow with time. */
export async function listSandboxes(
  tx: Tx,
  { status }: { status?: readonly (typeof SANDBOX_STATUSES)[number][] | undefined },
  page: ListPage,
): Promise<Sandbox[]> {
  const list = new Filter('org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, { id: 'sandbox_id', direction: 'desc', updatedAt: 'updated_at' });
  const only = onlyOf(status);
  list.and('(ended_at is null) = ?', only === undefined ? undefined : only === 'active');
  return tx.query<Sandbox>(
    composedStatement(`select ${columns} from sandboxes where ${list.where} order by ${order} limit $2`),
    list.values,
  );
}
