import { recordAudit } from '../audit/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { refuseDate } from '../platform/errors/index.js';
import { businessDay, systemPrincipal } from '../platform/principal.js';
import { requireTimeZone } from './organization.errors.js';
import type { Organization } from './organization.js';
import { lockOwnOrganization, saveOrganization } from './organization.store.js';

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
    | 'booksFrom'
  >
>;

/** Called by the operator. */
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
  if (change.timeZone !== undefined) requireTimeZone(change.timeZone, '/timeZone');
  const before = await lockOwnOrganization(tx);
  const after = { ...before, ...change, updatedAt: tx.now };
  const today = businessDay(after, tx.now);
  if (change.booksFrom !== undefined && change.booksFrom > today)
    throw refuseDate('/booksFrom', `booksFrom ${change.booksFrom} is after today, ${today}`);
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
