import { type Pool, type Statement, statement, type Tx } from '../platform/database/index.js';
import type { Edition, Organization, OrganizationStatus } from './organization.js';

const organizationColumns = `org_id as "orgId", code, name, edition, time_zone as "timeZone", status,
  same_person_recheck as "samePersonRecheck", certificate_gate as "certificateGate",
  demanded_certificates as "demandedCertificates", books_from as "booksFrom", created_at as "createdAt", updated_at as "updatedAt"`;

const reserveCode = statement(
  'insert into organization_directory (code, org_id) values ($1, $2) on conflict do nothing returning org_id',
);
const insertOrganization = statement(`
  insert into organizations (org_id, code, name, edition, time_zone, status, created_at, updated_at, books_from)
  values ($1, $2, $3, $4, $5, $6, $7, $7, $8)`);
const updateOrganization = statement(`
  update organizations set name = $2, edition = $3, time_zone = $4, status = $5, updated_at = $6, same_person_recheck = $7,
    certificate_gate = $8, demanded_certificates = $9, books_from = $10
  where org_id = $1`);
const lockOrganization = statement(
  `select ${organizationColumns} from organizations where org_id = $1 for update`,
);
const organizationById = statement(`select ${organizationColumns} from organizations where org_id = $1`);
const organizationByCode = statement(`
  select ${organizationColumns} from organizations
  where org_id = (select org_id from organization_directory where code = $1)`);
const allOrganizations = statement(`select ${organizationColumns} from organizations order by code`);

/** False when another organization has the code. */
export async function saveNewOrganization(tx: Tx, organization: Organization): Promise<boolean> {
  const o = organization;
  const reserved = await tx.query(reserveCode, [o.code, o.orgId]);
  if (reserved.length === 0) return false;
  await tx.query(insertOrganization, [
    o.orgId,
    o.code,
    o.name,
    o.edition,
    o.timeZone,
    o.status,
    o.createdAt,
    o.booksFrom,
  ]);
  return true;
}

export async function lockOwnOrganization(tx: Tx): Promise<Organization> {
  const [row] = await tx.query<Organization>(lockOrganization, [tx.orgId]);
  if (!row) throw new Error('the organization of a transaction does not exist');
  return row;
}

export async function saveOrganization(tx: Tx, o: Organization): Promise<void> {
  await tx.query(updateOrganization, [
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

export async function listOrganizations(reader: Pool): Promise<Organization[]> {
  return reader.query<Organization>(allOrganizations, []);
}

const admins = statement(`
  select email from users where org_id = $1 and role = 'admin' and status = 'active' order by created_at, user_id`);

export async function listAdministrators(tx: Tx): Promise<string[]> {
  return (await tx.query<{ email: string }>(admins, [tx.orgId])).map((row) => row.email);
}

const setDigest = statement(`
  update users set daily_digest = $3 where org_id = $1 and email = $2 and status = 'active'
  returning user_id as "userId"`);

/** Answers who it is, or null where there is no such person. */
export async function saveDigestChoice(tx: Tx, email: string, wanted: boolean): Promise<string | null> {
  const [row] = await tx.query<{ userId: string }>(setDigest, [tx.orgId, email, wanted]);
  return row?.userId ?? null;
}

export async function firstAdministrator(tx: Tx): Promise<string | null> {
  return (await listAdministrators(tx))[0] ?? null;
}

export interface StoredKey {
  orgId: string;
  keyId: string;
  name: string;
  owner: string;
  scopes: string[];
  allowList: string[];
  customerCode: string | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  createdBy: string;
}

export interface KeyForLogin extends StoredKey {
  secretHash: Buffer;
  previousSecretHash: Buffer | null;
  previousValidUntil: Date | null;
  orgStatus: OrganizationStatus;
  edition: Edition;
  timeZone: string;
}

const keyColumns = `k.org_id as "orgId", k.key_id as "keyId", k.name, k.owner_email as owner, k.scopes,
  k.allow_list as "allowList", k.customer_code as "customerCode", k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt", k.created_at as "createdAt", k.created_by as "createdBy"`;
const registerKey = statement('insert into api_key_directory (key_id, org_id) values ($1, $2)');
const insertKey = statement(`
  insert into api_keys (org_id, key_id, name, owner_email, scopes, allow_list, customer_code, secret_hash,
    expires_at, created_at, created_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`);
const lockKey = statement(`select ${keyColumns}, k.secret_hash as "secretHash" from api_keys k
  where k.org_id = $1 and k.key_id = $2 for no key update`);
const replaceSecret = statement(`
  update api_keys set secret_hash = $3, previous_secret_hash = $4, previous_valid_until = $5
  where org_id = $1 and key_id = $2`);
const revoke = statement('update api_keys set revoked_at = $3 where org_id = $1 and key_id = $2');
const keysOf = statement(
  `select ${keyColumns} from api_keys k where k.org_id = $1 order by k.created_at, k.key_id`,
);
const orgsOfKeys = statement(
  'select key_id as "keyId", org_id as "orgId" from api_key_directory where key_id = any($1)',
);
const keysForLogin = statement(`
  select ${keyColumns}, k.secret_hash as "secretHash", k.previous_secret_hash as "previousSecretHash",
    k.previous_valid_until as "previousValidUntil", o.status as "orgStatus", o.edition, o.time_zone as "timeZone"
  from unnest($1::text[], $2::text[]) as q(org_id, key_id)
  join api_keys k on k.org_id = q.org_id and k.key_id = q.key_id
  join organizations o on o.org_id = k.org_id`);
const useOfKeys = statement(`
  update api_keys k set last_used_at = u.at
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as u(org_id, key_id, at)
  where k.org_id = u.org_id and k.key_id = u.key_id and (k.last_used_at is null or k.last_used_at < u.at)`);
const useOfClients = statement(`
  update oauth_clients c set last_used_at = u.at
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as u(org_id, client_id, at)
  where c.org_id = u.org_id and c.client_id = u.client_id and (c.last_used_at is null or c.last_used_at < u.at)`);
const useOfSessions = statement(`
  update sessions s set last_seen_at = u.at
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as u(org_id, session_id, at)
  where s.org_id = u.org_id and s.session_id = u.session_id and s.last_seen_at < u.at`);

export async function saveNewKey(tx: Tx, key: StoredKey, secretHash: Buffer): Promise<void> {
  await tx.query(registerKey, [key.keyId, tx.orgId]);
  await tx.query(insertKey, [
    tx.orgId,
    key.keyId,
    key.name,
    key.owner,
    key.scopes,
    key.allowList,
    key.customerCode,
    secretHash,
    key.expiresAt,
    key.createdAt,
    key.createdBy,
  ]);
}

export async function lockStoredKey(
  tx: Tx,
  keyId: string,
): Promise<(StoredKey & { secretHash: Buffer }) | null> {
  const [row] = await tx.query<StoredKey & { secretHash: Buffer }>(lockKey, [tx.orgId, keyId]);
  return row ?? null;
}

export async function replaceKeySecret(
  tx: Tx,
  keyId: string,
  next: Buffer,
  previous: { hash: Buffer; validUntil: Date } | null,
): Promise<void> {
  const { hash = null, validUntil = null } = previous ?? {};
  await tx.query(replaceSecret, [tx.orgId, keyId, next, hash, validUntil]);
}

export async function markKeyRevoked(tx: Tx, keyId: string): Promise<void> {
  await tx.query(revoke, [tx.orgId, keyId, tx.now]);
}

export async function listKeys(reader: Pool, orgId: string): Promise<StoredKey[]> {
  return reader.query<StoredKey>(keysOf, [orgId]);
}

/** Which organization each key belongs to; unknown keys are left out. */
export async function organizationsOfKeys(
  reader: Pool,
  keyIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await reader.query<{ keyId: string; orgId: string }>(orgsOfKeys, [keyIds]);
  return new Map(rows.map((row) => [row.keyId, row.orgId]));
}

export async function readKeysForLogin(
  reader: Pool,
  orgIds: readonly string[],
  keyIds: readonly string[],
): Promise<KeyForLogin[]> {
  return reader.query<KeyForLogin>(keysForLogin, [orgIds, keyIds]);
}

export interface CredentialUsed {
  orgId: string;
  id: string;
  at: Date;
}

const noteUseIn = (use: Statement) => async (worker: Pool, uses: readonly CredentialUsed[]) => {
  await worker.query(use, [uses.map((u) => u.orgId), uses.map((u) => u.id), uses.map((u) => u.at)]);
};
export const noteKeyUse = noteUseIn(useOfKeys);
export const noteClientUse = noteUseIn(useOfClients);
export const noteSessionUse = noteUseIn(useOfSessions);
