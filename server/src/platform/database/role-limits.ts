import { StartRefused } from '../start-refused.js';
import { defaultLimits, type Pool, type PoolLimits } from './pool.js';
import { quoted, type RoleKind } from './role.js';
import { statement } from './statement.js';

/** Limits per organization, which leave connections and queue space for the requests of others. */
const SHARED = { connectionsPerOwnerMax: 7, waitersPerOwnerMax: 250 };
export const ROLE_LIMITS: Readonly<Record<RoleKind, Partial<PoolLimits>>> = {
  app: SHARED,
  reader: SHARED,
  // Background work can wait, and no caller would retry it.
  worker: { ...SHARED, waitersPerOwnerMax: 400, lockMs: 10_000 },
};

/**
 * Time limits as settings of the role itself: a connection pooler drops those given at connection start, and without them a
 * statement that waits forever would hold its connection forever.
 */
export function timeoutStatements(role: string, kind: RoleKind): string[] {
  const { statementMs, lockMs, idleInTransactionMs } = { ...defaultLimits, ...ROLE_LIMITS[kind] };
  const timeouts = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  return Object.entries(timeouts).map(([name, ms]) => `alter role ${quoted(role)} set ${name} = '${ms}ms'`);
}

const unlimited = statement(`
  select current_user as role from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') and setting = '0' limit 1`);

/** Roles of an older installation lack these settings, but need them behind a pooler. */
export async function requireTimeouts(pool: Pool, kind: RoleKind): Promise<void> {
  const [found] = await pool.query<{ role: string }>(unlimited, []);
  if (!found) return;
  const remedy = timeoutStatements(found.role, kind).map((sql) => `  ${sql};`);
  throw new StartRefused(
    `The connection pooler drops the time limits of the role ${kind}. Let an administrator of the server run, then reconnect the pooler:\n${remedy.join('\n')}`,
  );
}
