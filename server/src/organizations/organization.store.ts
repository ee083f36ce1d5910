import {
  batchedByOrganization,
  batchStatement,
  type Pool,
  queryBatch,
  statement,
  type Tx,
} from '../platform/database/index.js';
import type { Organization } from './organization.js';
import { calendarColumns } from './organization-rows.js';

/**
 * For stores that join the organization of a row; its columns are then `o.status`, `o.edition`, `o.time_zone`, … `org`: the parameter
 * with it, or a column.
 */
export const joinOrganization = (org: string): string => `join organizations o on o.org_id = ${org}`;

/** Organizations for which a condition on `o.org_id` holds. */
export const organizationsWhere = (condition: string): string =>
  `select o.org_id as "orgId" from organizations o where ${condition}`;

const organizationColumns = `org_id as "orgId", code, name, edition, ${calendarColumns}, sandbox_of as "sandboxOf", status,
  same_person_recheck as "samePersonRecheck", certificate_gate as "certificateGate",
  demanded_certificates as "demandedCertificates", books_from as "booksFrom", created_at as "createdAt", updated_at as "updatedAt"`;

const reserveCode = statement(
  'insert into organization_directory (code, org_id) values ($1, $2) on conflict do nothing returning org_id',
);
const insertOrganization = statement(`
  insert into organizations (org_id, code, name, edition, time_zone, status, created_at, updated_at, books_from, sandbox_of)
  values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9)`);
const updateOrganization = statement(`
  update organizations set name = $2, edition = $3, time_zone = $4, status = $5, updated_at = $6, same_person_recheck = $7,
    certificate_gate = $8, demanded_certificates = $9, books_from = $10
  where org_id = $1`);
const lockOrganization = statement(
  `select ${organizationColumns} from organizations o where org_id = $1 for update`,
);
const organizationById = statement(`select ${organizationColumns} from organizations o where org_id = $1`);
const organizationByCode = statement(`
  select ${organizationColumns} from organizations o
  where org_id = (select org_id from organization_directory where code = $1)`);
const allOrganizations = statement(`select ${organizationColumns} from organizations o order by code`);

/** False when another organization has the code. */
export async function saveNewOrganization(tx: Tx, organization: Organization): Promise<boolean> {
  const o = organization;
  const reserved = await tx.query(reserveCode, [o.code, o.orgId]);
  if (reserved.length === 0) return false;
  tx.send(insertOrganization, [
    o.orgId,
    o.code,
    o.name,
    o.edition,
    o.timeZone,
    o.status,
    o.createdAt,
    o.booksFrom,
    o.sandboxOf,
  ]);
  return true;
}

export async function lockOwnOrganization(tx: Tx): Promise<Organization> {
  const [row] = await tx.query<Organization>(lockOrganization, [tx.orgId]);
  if (!row) throw new Error('organization of the transaction not found');
  return row;
}

const setClock = statement(
  'update organizations set days_ahead = $2 where org_id = $1 and sandbox_of is not null',
);

/** The organization must be locked. */
export async function moveClock(tx: Tx, daysAhead: number): Promise<void> {
  tx.send(setClock, [tx.orgId, daysAhead]);
}

const sandboxesBefore = statement(`
  select ${organizationColumns} from organizations o
  where sandbox_of is not null and status = 'active' and created_at < $1 order by created_at`);

/** All sandboxes that have not ended and were opened before. */
export async function listActiveSandboxes(worker: Pool, before: Date): Promise<Organization[]> {
  return worker.query<Organization>(sandboxesBefore, [before]);
}

const named = batchStatement(
  1,
  ({ org, joinRow }) => `
  select ${organizationColumns} from unnest($1::text[]) as q(named_id)
  ${joinRow('organizations', 'o', `o.org_id = ${org('q.named_id')}`)}`,
);

/** The organizations with these ids, by id; omits unknown ones. */
export async function readOrganizations(
  reader: Pool,
  orgs: readonly Pick<Organization, 'orgId'>[],
): Promise<Map<string, Organization>> {
  const rows = await queryBatch<Organization, Pick<Organization, 'orgId'>>(reader, named, orgs, (own) => [
    own.map(({ orgId }) => orgId),
  ]);
  return new Map(rows.map((row) => [row.orgId, row]));
}

const sandboxOfOwn = statement('select 1 from organizations where org_id = $1 and sandbox_of is not null');

export async function isSandbox(tx: Tx): Promise<boolean> {
  return (await tx.query(sandboxOfOwn, [tx.orgId])).length > 0;
}

export async function saveOrganization(tx: Tx, o: Organization): Promise<void> {
  tx.send(updateOrganization, [
    tx.orgId,
    o.name,
    o.edition,
    o.timeZone,
    o.status,
    o.updatedAt,
    o.samePersonRecheck,
    o.certificateGate,
    JSON.stringify(o.demandedCertificates),
    o.booksFrom,
  ]);
}

export async function findOrganization(reader: Pool, code: string): Promise<Organization | null> {
  const [row] = await reader.query<Organization>(organizationByCode, [code]);
  return row ?? null;
}

export async function readOrganization(reader: Pool, orgId: string): Promise<Organization | null> {
  const [row] = await reader.query<Organization>(organizationById, [orgId]);
  return row ?? null;
}

/** For requests: concurrent calls share a statement, because all clients of an organization may start at the same time. */
export function organizationReader(reader: Pool): (orgId: string) => Promise<Organization | null> {
  const read = batchedByOrganization<Pick<Organization, 'orgId'>, Organization | null>(
    reader,
    async (asked) => {
      const orgIds = new Set(asked.map(({ orgId }) => orgId));
      const found = await readOrganizations(
        reader,
        [...orgIds].map((orgId) => ({ orgId })),
      );
      return asked.map(({ orgId }) => found.get(orgId) ?? null);
    },
    { keysMax: 1_000, inFlightMax: 2 },
  );
  return (orgId) => read({ orgId });
}

export async function listOrganizations(reader: Pool): Promise<Organization[]> {
  return reader.query<Organization>(allOrganizations, []);
}
