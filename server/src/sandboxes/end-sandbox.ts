import { recordAudit } from '../audit/index.js';
import { listKeys, revokeKey } from '../credentials/index.js';
import {
  changeOrganization,
  lockOwnOrganization,
  type Organization,
  readOrganizations,
} from '../organizations/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { type EndReason, SANDBOXES_MAX } from './sandbox.js';
import { listSandboxes, markEnded } from './sandbox.store.js';

/**
 * Ends a sandbox from inside: revokes its keys, which ends their webhooks, and suspends it. Done before its row says so: if
 * the process dies in between, this can be repeated, and no sandbox shown as ended still works.
 */
export async function closeSandbox(database: Database, sandbox: Organization, by: string): Promise<void> {
  const keys = await listKeys(database.reader, sandbox.orgId);
  await transact(database, systemPrincipal(sandbox.orgId, by, sandbox), async (tx) => {
    const { status } = await lockOwnOrganization(tx);
    if (status === 'suspended') return;
    for (const { keyId, revokedAt } of keys) if (revokedAt === null) await revokeKey(tx, keyId);
    await changeOrganization(tx, { status: 'suspended' });
  });
}

/** Records the end in the organization that opened the sandbox. */
export async function recordEnd(tx: Tx, sandboxId: string, reason: EndReason): Promise<void> {
  if (!(await markEnded(tx, sandboxId, reason))) return;
  await recordAudit(tx, {
    action: 'sandbox.end',
    entityType: 'sandbox',
    entityId: sandboxId,
    after: { endReason: reason },
  });
}

/** Ends all sandboxes of an organization, for the operator who suspends it. Returns their codes. */
export async function endSandboxesOf(database: Database, orgId: string, by: string): Promise<string[]> {
  const parent = systemPrincipal(orgId, by);
  const live = await transact(database, parent, (tx) =>
    listSandboxes(tx, { status: ['active'] }, { limit: SANDBOXES_MAX, after: null, sort: null }),
  );
  const organizations = await readOrganizations(
    database.reader,
    live.map(({ sandboxId }) => ({ orgId: sandboxId })),
  );
  for (const sandbox of organizations.values()) {
    await closeSandbox(database, sandbox, by);
    await transact(database, parent, (tx) => recordEnd(tx, sandbox.orgId, 'deleted'));
  }
  return live.map(({ code }) => code);
}
