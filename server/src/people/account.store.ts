import { type Pool, statement, type Tx } from '../platform/database/index.js';

/** The account of a person: what they sign in with, in every organization. */
export interface OwnSecrets {
  passwordHash: string | null;
  totpSealed: string | null;
  totpNextSealed: string | null;
  /** The organization to which seals from before accounts existed may be bound. */
  sealedForOrg: string | null;
  sealedForUser: string | null;
  /** The name that the person has given; null if none. */
  name: string | null;
  /** Increases with every change of password or factor; 0 while there is no account. */
  generation: number;
}

const ownSecrets = statement(`
  select password_hash as "passwordHash", totp_sealed as "totpSealed", totp_next_sealed as "totpNextSealed",
    sealed_for_org as "sealedForOrg", sealed_for_user as "sealedForUser", generation, second_factor as "secondFactor",
    nullif(name, '') as name
  from accounts where email = $1`);
type ReadSecrets = OwnSecrets & { secondFactor: boolean };
const NO_SECRETS: ReadSecrets = {
  passwordHash: null,
  totpSealed: null,
  totpNextSealed: null,
  sealedForOrg: null,
  sealedForUser: null,
  name: null,
  generation: 0,
  secondFactor: false,
};

/** Empty if there is no account or the transaction has not entered it. */
export async function readOwnSecrets(tx: Tx, email: string): Promise<ReadSecrets> {
  const [row] = await tx.query<ReadSecrets>(ownSecrets, [email]);
  return row ?? NO_SECRETS;
}

export const joinAccountOf = (user: string): string => `join accounts a on a.email = ${user}.email`;

const generations = statement('select email, generation from accounts where email = any($1)');

/** Generations by address, for data that was created under one and is stored elsewhere. */
export async function readGenerations(reader: Pool, emails: readonly string[]): Promise<Map<string, number>> {
  const rows = await reader.query<{ email: string; generation: number }>(generations, [emails]);
  return new Map(rows.map((row) => [row.email, row.generation]));
}

const setAccount = statement('select set_account($1)');

/**
 * Lets the rest of the transaction read and change the account. Only for a transaction of the person, or of someone with a
 * link mailed to them.
 */
export async function enterAccount(tx: Tx, email: string): Promise<void> {
  tx.send(setAccount, [email]);
}

/** For a single step of another person's transaction, which afterwards cannot reach the account any more. */
export async function withinAccount<T>(tx: Tx, email: string, work: () => Promise<T>): Promise<T> {
  return tx.savepoint(async () => {
    await enterAccount(tx, email);
    const result = await work();
    await enterAccount(tx, '');
    return result;
  });
}

const lock = statement(`
  select generation, password_hash is not null as "hasPassword" from accounts where email = $1 for no key update`);
const insert = statement(`
  insert into accounts (email, password_hash, last_org_id, created_at, name) values ($1, $2, $3, $4, coalesce($5, ''))
  on conflict (email) do nothing returning 1`);
const setPassword = statement(`
  update accounts set password_hash = $2, generation = generation + 1 where email = $1 returning generation`);
const setName = statement("update accounts set name = coalesce($2, '') where email = $1");
const setRehashed = statement('update accounts set password_hash = $2 where email = $1');
const noteOrganization = statement('update accounts set last_org_id = $2 where email = $1');
const lockToRemove = statement('select 1 from accounts where email = $1 for update');
const removeUnused = statement(`
  delete from accounts a where a.email = $1
    and not exists (select from account_memberships m where m.email = $1 and m.status = 'active')`);

/** Null when there is no account. */
export async function lockAccountRow(
  tx: Tx,
  email: string,
): Promise<{ generation: number; hasPassword: boolean } | null> {
  const [row] = await tx.query<{ generation: number; hasPassword: boolean }>(lock, [email]);
  return row ?? null;
}

/** False if the person has an account: of two concurrent calls, one creates it. */
export async function saveNewAccount(
  tx: Tx,
  email: string,
  passwordHash: string | null,
  name: string | null = null,
): Promise<boolean> {
  return (await tx.query(insert, [email, passwordHash, tx.orgId, tx.now, name])).length > 0;
}

/** Returns the new generation: everything begun under an earlier one ends with this statement. */
export async function savePassword(tx: Tx, email: string, hash: string): Promise<number> {
  const [row] = await tx.query<{ generation: number }>(setPassword, [email, hash]);
  return row?.generation ?? 0;
}

/** The person's memberships show it from now on. */
export async function saveName(tx: Tx, email: string, name: string | null): Promise<void> {
  tx.send(setName, [email, name]);
}

/** Rehashing the same password with stronger parameters ends nothing. */
export async function saveRehashed(tx: Tx, email: string, hash: string): Promise<void> {
  tx.send(setRehashed, [email, hash]);
}

export async function saveLastOrganization(tx: Tx, email: string): Promise<void> {
  tx.send(noteOrganization, [email, tx.orgId]);
}

/**
 * Removes the account of a person without memberships. Locked first, so that if two organizations remove the person
 * concurrently, the second sees the first removal.
 */
export async function removeUnusedAccount(tx: Tx, email: string): Promise<void> {
  tx.send(lockToRemove, [email]);
  tx.send(removeUnused, [email]);
}
