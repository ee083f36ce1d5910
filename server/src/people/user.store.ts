import { joinOrganization, type OrganizationStatus } from '../organizations/index.js';
import {
  Filter,
  type ListPage,
  listRows,
  type Pool,
  statement,
  type Tx,
  usualPage,
} from '../platform/database/index.js';
import { lockAccountRow, type OwnSecrets, readOwnSecrets } from './account.store.js';
import type { Preferences } from './preferences.js';
import type { UserRole } from './user.js';

export interface StoredUser {
  userId: string;
  email: string;
  /** The name that the person has given; null if none, or if they are not active. */
  name: string | null;
  role: UserRole;
  status: 'invited' | 'active' | 'removed';
  dailyDigest: boolean;
  /** Whether a second factor is confirmed. */
  secondFactor: boolean;
  lastSignInAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A user with the organization they belong to. */
export interface Member extends StoredUser {
  preferences: Partial<Preferences>;
  orgStatus: OrganizationStatus;
  orgCode: string;
  orgName: string;
  orgTimeZone: string;
}

/** A user with everything a sign-in checks. The second factor is that of the account. */
export interface Account extends Member, OwnSecrets {}

const columns = `u.user_id as "userId", u.email, u.role, u.status, u.daily_digest as "dailyDigest",
  u.last_sign_in_at as "lastSignInAt", u.created_at as "createdAt", u.updated_at as "updatedAt"`;
const orgColumns =
  'o.status as "orgStatus", o.code as "orgCode", o.name as "orgName", o.time_zone as "orgTimeZone"';
// Excludes the columns of accounts, which a distributed database stores on another node.
const user = `select ${columns}, u.preferences, ${orgColumns} from users u ${joinOrganization('$1')}`;

const userByEmail = statement(`${user} where u.org_id = $1 and u.email = $2`);
const userById = statement(`${user} where u.org_id = $1 and u.user_id = $2`);
const lockUser = statement('select email from users where org_id = $1 and user_id = $2 for no key update');
const shown = statement(`
  select email, coalesce(second_factor, false) as "secondFactor", nullif(name, '') as name
  from account_memberships where org_id = $1 and email = any($2)`);
const otherAdmins = statement(`
  select count(*)::integer as count from users
  where org_id = $1 and role = 'admin' and status = 'active' and user_id <> $2`);

/** Without the account's own columns unless the transaction has entered the account. */
export async function readAccountByEmail(tx: Tx, email: string): Promise<Account | null> {
  const [row] = await tx.query<MemberRow>(userByEmail, [tx.orgId, email]);
  // Also runs for unknown addresses, so that the amount of work does not reveal whether the person exists.
  const secrets = await readOwnSecrets(tx, email);
  return row ? { ...row, ...secrets } : null;
}

export async function readAccount(tx: Tx, userId: string): Promise<Account | null> {
  const [row] = await tx.query<MemberRow>(userById, [tx.orgId, userId]);
  return row ? { ...row, ...(await readOwnSecrets(tx, row.email)) } : null;
}

type OfAccount = 'secondFactor' | 'name';
type MemberRow = Omit<Member, OfAccount>;

/** An organization sees the name and second factor of its active members, and nothing else of their accounts. */
async function withShown(tx: Tx, [row]: readonly MemberRow[]): Promise<Member | null> {
  return row ? { ...row, ...(await readShown(tx, [row.email]))(row.email) } : null;
}

type Shown = Pick<StoredUser, OfAccount>;

async function readShown(tx: Tx, emails: readonly string[]): Promise<(email: string) => Shown> {
  const rows = await tx.query<Shown & { email: string }>(shown, [tx.orgId, emails]);
  const found = new Map(rows.map(({ email, ...each }) => [email, each]));
  return (email) => found.get(email) ?? { secondFactor: false, name: null };
}

/**
 * Locks the user and then the account, which the person's other organizations share. Locks before it reads: a statement that
 * waits for a lock would read the rest from before the wait.
 */
export async function lockAccount(tx: Tx, userId: string): Promise<Account | null> {
  const [user] = await tx.query<{ email: string }>(lockUser, [tx.orgId, userId]);
  if (!user) return null;
  await lockAccountRow(tx, user.email);
  return readAccount(tx, userId);
}

export async function readMember(tx: Tx, userId: string): Promise<Member | null> {
  return withShown(tx, await tx.query<MemberRow>(userById, [tx.orgId, userId]));
}

export async function readMemberByEmail(tx: Tx, email: string): Promise<Member | null> {
  return withShown(tx, await tx.query<MemberRow>(userByEmail, [tx.orgId, email]));
}

export async function lockMember(tx: Tx, userId: string): Promise<Member | null> {
  tx.send(lockUser, [tx.orgId, userId]);
  return readMember(tx, userId);
}

/**
 * Usually ordered by creation, which the ids encode. Memberships have a query of their own: a distributed database stores
 * them on another node than the users, and cannot join a page of one with the other.
 */
export async function listUsers(
  tx: Tx,
  filter: { q?: string | undefined } = {},
  page: ListPage = usualPage(null, 10_000),
): Promise<StoredUser[]> {
  const list = new Filter('u.org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, { id: 'u.user_id', direction: 'asc', updatedAt: 'u.updated_at' });
  list.and('strpos(lower(u.email), lower(?)) > 0', filter.q);
  const users = await listRows<Omit<StoredUser, OfAccount>>(tx, page, list, {
    rows: `select ${columns} from users u where ${list.where} order by ${order} limit $2`,
    counted: `select from users u where ${list.where} limit $2`,
  });
  const shownOf = await readShown(
    tx,
    users.map(({ email }) => email),
  );
  return users.map((each) => ({ ...each, ...shownOf(each.email) }));
}

export async function countOtherAdministrators(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(otherAdmins, [tx.orgId, userId]);
  return row?.count ?? 0;
}

const insertUser = statement(`
  insert into users (org_id, user_id, email, role, status, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)`);
const setRoleAndStatus = statement(`
  update users set status = $4, role = $3, updated_at = $5 where org_id = $1 and user_id = $2`);
const setRole = statement('update users set role = $3, updated_at = $4 where org_id = $1 and user_id = $2');
const activate = statement(
  "update users set status = 'active', updated_at = $3 where org_id = $1 and user_id = $2",
);
const noteSignIn = statement('update users set last_sign_in_at = $3 where org_id = $1 and user_id = $2');
const remove = statement(`
  update users set status = 'removed', daily_digest = false, preferences = '{}', last_sign_in_at = null, updated_at = $3
  where org_id = $1 and user_id = $2`);

export async function saveNewUser(
  tx: Tx,
  user: Pick<StoredUser, 'userId' | 'email' | 'role' | 'status'>,
): Promise<void> {
  tx.send(insertUser, [tx.orgId, user.userId, user.email, user.role, user.status, tx.now]);
}

/** For a removed or invited person who returns under the same user id. */
export async function saveUserAgain(
  tx: Tx,
  userId: string,
  { role, status }: Pick<StoredUser, 'role' | 'status'>,
): Promise<void> {
  tx.send(setRoleAndStatus, [tx.orgId, userId, role, status, tx.now]);
}

export async function saveActive(tx: Tx, userId: string): Promise<void> {
  tx.send(activate, [tx.orgId, userId, tx.now]);
}

export async function saveRole(tx: Tx, userId: string, role: UserRole): Promise<void> {
  tx.send(setRole, [tx.orgId, userId, role, tx.now]);
}

export async function saveSignIn(tx: Tx, userId: string): Promise<void> {
  tx.send(noteSignIn, [tx.orgId, userId, tx.now]);
}

export async function saveRemoved(tx: Tx, userId: string): Promise<void> {
  tx.send(remove, [tx.orgId, userId, tx.now]);
}

const admins = statement(`
  select email from users where org_id = $1 and role = 'admin' and status = 'active' order by created_at, user_id`);

export async function listAdministrators(tx: Tx): Promise<string[]> {
  return (await tx.query<{ email: string }>(admins, [tx.orgId])).map((row) => row.email);
}

const shareLock = statement(
  "select 1 from users where org_id = $1 and email = $2 and status = 'active' for share",
);

/** Prevents the removal of the person until the transaction ends. False if no active person has the address. */
export async function shareLockActivePerson(tx: Tx, email: string): Promise<boolean> {
  return (await tx.query(shareLock, [tx.orgId, email])).length > 0;
}

const setDigest = statement(`
  update users set daily_digest = $3, updated_at = $4 where org_id = $1 and email = $2 and status = 'active'
  returning user_id as "userId"`);

/** Returns the user's id, or null if no active person has the address. */
export async function saveDigestChoice(tx: Tx, email: string, wanted: boolean): Promise<string | null> {
  const [row] = await tx.query<{ userId: string }>(setDigest, [tx.orgId, email, wanted, tx.now]);
  return row?.userId ?? null;
}

const setPreferences = statement(`
  update users set preferences = jsonb_strip_nulls(preferences || $3::jsonb)
  where org_id = $1 and user_id = $2 and status = 'active' returning 1`);

/** Null resets a preference. False if the user is not active. */
export async function savePreferences(
  tx: Tx,
  userId: string,
  chosen: Partial<Preferences>,
): Promise<boolean> {
  return (await tx.query(setPreferences, [tx.orgId, userId, JSON.stringify(chosen)])).length > 0;
}

export async function firstAdministrator(tx: Tx): Promise<string | null> {
  return (await listAdministrators(tx))[0] ?? null;
}

/**
 * For stores that join the user `user_id` of a row; its columns are then `u.email`, `u.role` and `u.status`. `org`: the parameter
 * with the organization.
 */
export const joinUser = (alias: string, org = `${alias}.org_id`): string =>
  `join users u on u.org_id = ${org} and u.user_id = ${alias}.user_id`;

/** The same for rows without an organization: ids of users are unique across organizations. */
export const joinUserAnywhere = (alias: string): string => `join users u on u.user_id = ${alias}.user_id`;

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
