import { recordAudit } from '../audit/index.js';
import { dayIn, yearBefore } from '../platform/calendar/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { refuseOrganization, requireTimeZone } from './organization.errors.js';
import type { Edition, Organization } from './organization.js';
import { saveNewOrganization } from './organization.store.js';

export interface NewOrganization {
  code: string;
  name: string;
  edition?: Edition;
  timeZone?: string;
  /** The organization that opens it as a sandbox. */
  sandboxOf?: string;
}

/** Called by the operator: nobody inside an organization can create one. */
export async function createOrganization(
  database: Database,
  operator: string,
  input: NewOrganization,
): Promise<Organization> {
  const timeZone = input.timeZone ?? 'UTC';
  requireTimeZone(timeZone, '/timeZone');
  const orgId = newId('org', database.clock.now());
  return transact(database, systemPrincipal(orgId, operator), async (tx) => {
    const organization: Organization = {
      orgId,
      code: input.code,
      name: input.name,
      edition: input.edition ?? 'ordinary',
      timeZone,
      sandboxOf: input.sandboxOf ?? null,
      sandbox: input.sandboxOf === undefined ? null : { daysAhead: 0 },
      status: 'active',
      samePersonRecheck: false,
      certificateGate: 'refuse',
      demandedCertificates: [],
      booksFrom: yearBefore(dayIn(timeZone, tx.now)),
      createdAt: tx.now,
      updatedAt: tx.now,
    };
    if (!(await saveNewOrganization(tx, organization)))
      throw refuseOrganization('organization_code_taken', '/code');
    await recordAudit(tx, {
      action: 'organization.create',
      entityType: 'organization',
      entityId: orgId,
      after: organization,
    });
    return organization;
  });
}
