import { readLastUses } from '../credentials/index.js';
import { listActiveSandboxes, type Organization } from '../organizations/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { Failures } from '../platform/failures.js';
import { systemPrincipal } from '../platform/principal.js';
import { closeSandbox, recordEnd } from './end-sandbox.js';
import { UNUSED_DAYS_MAX } from './sandbox.js';

const ACTOR = 'sandboxes@lotward.invalid';
const DAY_MS = 86_400_000;

/**
 * Ends the sandboxes whose credentials nobody used for 30 real days: advancing a sandbox's clock does not count. A failure
 * does not stop the others.
 */
export async function endUnusedSandboxes(
  database: Database,
  { signal }: { signal: AbortSignal },
): Promise<string[]> {
  const before = new Date(database.clock.now().getTime() - UNUSED_DAYS_MAX * DAY_MS);
  const old = await listActiveSandboxes(database.worker, before);
  if (old.length === 0) return [];
  const lastUses = await readLastUses(database.worker, old);
  const ended: string[] = [];
  const failures = new Failures();
  for (const sandbox of old) {
    const lastUsedAt = lastUses.get(sandbox.orgId);
    if (signal.aborted || (lastUsedAt && lastUsedAt >= before)) continue;
    await failures.attempt(async () => {
      await end(database, sandbox);
      ended.push(sandbox.code);
    });
  }
  failures.throwAny((count) => `${count} sandboxes could not be ended`);
  return ended;
}

async function end(database: Database, sandbox: Organization): Promise<void> {
  await closeSandbox(database, sandbox, ACTOR);
  await transact(database, systemPrincipal(sandbox.sandboxOf ?? '', ACTOR), (tx) =>
    recordEnd(tx, sandbox.orgId, 'unused'),
  );
}
