import { recordAudit } from '../audit/index.js';
import { isTimeZone } from '../platform/calendar/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { refuseAccess } from './access.errors.js';
import { lockOwnOrganization, saveOrganization } from './access.store.js';
import type { Organization } from './organization.js';

export type OrganizationChange = Partial<
  Pick<
    Organization,
    | 'name'
    | 'edition'
    | 'timeZone'
    | 'status'
    | 'samePersonRecheck'
    | 'certificateGate'
    | 'demandedCertificates'
  >
>;

/** By the operator. */
export async function updateOrganization(
  database: Database,
  operator: string,
  orgId: string,
  change: OrganizationChange,
): Promise<Organization> {
  return transact(database, systemPrincipal(orgId, operator), (tx) => changeOrganization(tx, change));
}

/** Changes the organization of the transaction. */
export async function changeOrganization(tx: Tx, change: OrganizationChange): Promise<Organization> {
  if (change.timeZone !== undefined && !isTimeZone(change.timeZone))
    throw refuseAccess('unknown_time_zone', '/timeZone');
  const before = await lockOwnOrganization(tx);
  const after = { ...before, ...change, updatedAt: tx.now };
  await saveOrganization(tx, after);
  await recordAudit(tx, {
    action: 'organization.update',
    entityType: 'organization',
    entityId: tx.orgId,
    before,
    after,
  });
  return after;
}
