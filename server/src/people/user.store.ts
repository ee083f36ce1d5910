import { joinOrganization, type OrganizationStatus } from '../organizations/index.js';
import { type Pool, statement, type Tx, violatedConstraint } from '../platform/database/index.js';
import type { UserRole } from './user.js';

export interface StoredUser {
  userId: string;
  email: string;
  role: UserRole;
  status: 'invited' | 'active' | 'removed';
  dailyDigest: boolean;
  /** Whether a second factor is confirmed. */
  secondFactor: boolean;
  lastSignInAt: Date | null;
  createdAt: Date;
}

/** A user with everything a sign-in is judged by. */
export interface Account extends StoredUser {
  passwordHash: string | null;
  totpSealed: string | null;
  totpNextSealed: string | null;
  orgStatus: OrganizationStatus;
  orgCode: string;
  orgName: string;
}

const userColumns = `u.user_id as "userId", u.email, u.role, u.status, u.daily_digest as "dailyDigest",
  u.totp_confirmed_at is not null as "secondFactor", u.last_sign_in_at as "lastSignInAt", u.created_at as "createdAt"`;
const accountColumns = `${userColumns}, u.password_hash as "passwordHash", u.totp_sealed as "totpSealed",
  u.totp_next_sealed as "totpNextSealed", o.status as "orgStatus", o.code as "orgCode", o.name as "orgName"`;

const organizationOfEmail = statement('select org_id as "orgId" from user_directory where email = $1');
const accountByEmail = statement(`select ${accountColumns} from users u ${joinOrganization('u')}
  where u.org_id = $1 and u.email = $2`);
const accountById = statement(`select ${accountColumns} from users u ${joinOrganization('u')}
  where u.org_id = $1 and u.user_id = $2`);
const lockUser = statement('select 1 from users where org_id = $1 and user_id = $2 for no key update');
const usersOf = statement(`
  select ${userColumns} from users u where u.org_id = $1 and u.user_id > $2 order by u.user_id limit $3`);
const otherAdmins = statement(`
  select count(*)::integer as count from users
  where org_id = $1 and role = 'admin' and status = 'active' and user_id <> $2`);

/** The organization of the address, or null. */
export async function findOrganizationOfEmail(reader: Pool, email: string): Promise<string | null> {
  const [row] = await reader.query<{ orgId: string }>(organizationOfEmail, [email]);
  return row?.orgId ?? null;
}

export async function readAccountByEmail(tx: Tx, email: string): Promise<Account | null> {
  const [row] = await tx.query<Account>(accountByEmail, [tx.orgId, email]);
  return row ?? null;
}

export async function readAccount(tx: Tx, userId: string): Promise<Account | null> {
  const [row] = await tx.query<Account>(accountById, [tx.orgId, userId]);
  return row ?? null;
}

/** Locks before reading: a statement that waits for the lock would read the organization as of before the wait. */
export async function lockAccount(tx: Tx, userId: string): Promise<Account | null> {
  await tx.query(lockUser, [tx.orgId, userId]);
  return readAccount(tx, userId);
}

/** Ordered by creation, which the ids encode. */
export async function listUsers(
  tx: Tx,
  page: { after: string; limit: number } = { after: '', limit: 10_000 },
): Promise<StoredUser[]> {
  return tx.query<StoredUser>(usersOf, [tx.orgId, page.after, page.limit]);
}

export async function countOtherAdministrators(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(otherAdmins, [tx.orgId, userId]);
  return row?.count ?? 0;
}

const reserveEmail = statement('insert into user_directory (email, org_id) values ($1, $2)');
const insertUser = statement(`
  insert into users (org_id, user_id, email, role, status, password_hash, created_at) values ($1, $2, $3, $4, $5, $6, $7)`);
const inviteAgain = statement(`
  update users set status = 'invited', role = $3 where org_id = $1 and user_id = $2`);
const setRole = statement('update users set role = $3 where org_id = $1 and user_id = $2');
const setPassword = statement(`
  update users set password_hash = $3, status = 'active' where org_id = $1 and user_id = $2`);
const noteSignIn = statement('update users set last_sign_in_at = $3 where org_id = $1 and user_id = $2');
const remove = statement(`
  update users set status = 'removed', password_hash = null, totp_sealed = null, totp_next_sealed = null,
    totp_confirmed_at = null, totp_last_step = null, daily_digest = false, last_sign_in_at = null
  where org_id = $1 and user_id = $2`);

/** False when the address is in use, here or in another organization. */
export async function saveNewUser(
  tx: Tx,
  user: Pick<StoredUser, 'userId' | 'email' | 'role' | 'status'>,
  passwordHash: string | null,
): Promise<boolean> {
  try {
    await tx.savepoint(() => tx.query(reserveEmail, [user.email, tx.orgId]));
  } catch (error) {
    if (violatedConstraint(error) === 'user_directory_pkey') return false;
    throw error;
  }
  await tx.query(insertUser, [
    tx.orgId,
    user.userId,
    user.email,
    user.role,
    user.status,
    passwordHash,
    tx.now,
  ]);
  return true;
}

export async function saveInvitedAgain(tx: Tx, userId: string, role: UserRole): Promise<void> {
  await tx.query(inviteAgain, [tx.orgId, userId, role]);
}

export async function saveRole(tx: Tx, userId: string, role: UserRole): Promise<void> {
  await tx.query(setRole, [tx.orgId, userId, role]);
}

/** Also activates an invited user. */
export async function savePassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await tx.query(setPassword, [tx.orgId, userId, hash]);
}

export async function saveSignIn(tx: Tx, userId: string): Promise<void> {
  await tx.query(noteSignIn, [tx.orgId, userId, tx.now]);
}

export async function saveRemoved(tx: Tx, userId: string): Promise<void> {
  await tx.query(remove, [tx.orgId, userId]);
}

const admins = statement(`
  select email from users where org_id = $1 and role = 'admin' and status = 'active' order by created_at, user_id`);

export async function listAdministrators(tx: Tx): Promise<string[]> {
  return (await tx.query<{ email: string }>(admins, [tx.orgId])).map((row) => row.email);
}

const shareLock = statement(
  "select 1 from users where org_id = $1 and email = $2 and status = 'active' for share",
);

/** The person cannot be removed before the transaction ends. False when nobody active has the address. */
export async function shareLockActivePerson(tx: Tx, email: string): Promise<boolean> {
  return (await tx.query(shareLock, [tx.orgId, email])).length > 0;
}

const setDigest = statement(`
  update users set daily_digest = $3 where org_id = $1 and email = $2 and status = 'active'
  returning user_id as "userId"`);

/** Returns the user's id, or null when nobody active has the address. */
export async function saveDigestChoice(tx: Tx, email: string, wanted: boolean): Promise<string | null> {
  const [row] = await tx.query<{ userId: string }>(setDigest, [tx.orgId, email, wanted]);
  return row?.userId ?? null;
}

export async function firstAdministrator(tx: Tx): Promise<string | null> {
  return (await listAdministrators(tx))[0] ?? null;
}

/** For stores that join the user `user_id` of a row; its columns are then `u.email`, `u.role` and `u.status`. */
export const joinUser = (alias: string): string =>
  `join users u on u.org_id = ${alias}.org_id and u.user_id = ${alias}.user_id`;

/** A condition: the organization $1 has the user $2. */
export const userExists = 'exists (select from users where org_id = $1 and user_id = $2)';

const activeUser = statement(`
  select user_id as "userId", email, role from users where org_id = $1 and user_id = $2 and status = 'active'`);

export async function readActiveUser(
  reader: Pool,
  orgId: string,
  userId: string,
): Promise<{ userId: string; email: string; role: UserRole } | null> {
  const [row] = await reader.query<{ userId: string; email: string; role: UserRole }>(activeUser, [
    orgId,
    userId,
  ]);
  return row ?? null;
}
