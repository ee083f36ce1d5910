import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { isPasswordOf, OURSELVES } from './sign-in/password-hash.js';
import { readAccountByEmail, savePassword } from './user.store.js';

/** Called by the operator. False unless the user is active and has no password yet. */
export async function givePassword(tx: Tx, email: string, hash: string): Promise<boolean> {
  const account = await readAccountByEmail(tx, email);
  if (account?.status !== 'active' || account.passwordHash !== null) return false;
  await savePassword(tx, account.userId, hash);
  await recordAudit(tx, { action: 'user.give_password', entityType: 'user', entityId: account.userId });
  return true;
}

export async function isPasswordOfUser(tx: Tx, email: string, password: string): Promise<boolean> {
  const account = await readAccountByEmail(tx, email);
  return isPasswordOf(account?.passwordHash ?? null, password, OURSELVES);
}
