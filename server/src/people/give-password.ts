import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { lockAccountRow, savePassword, withinAccount } from './account.store.js';
import { isPasswordOf, OURSELVES } from './sign-in/password-hash.js';
import { readAccountByEmail, readMemberByEmail } from './user.store.js';

/** Called by the operator. False unless the user is active and has no password yet. */
export async function givePassword(tx: Tx, email: string, hash: string): Promise<boolean> {
  const member = await readMemberByEmail(tx, email);
  if (member?.status !== 'active') return false;
  const isGiven = await withinAccount(tx, email, async () => {
    const account = await lockAccountRow(tx, email);
    if (!account || account.hasPassword) return false;
    await savePassword(tx, email, hash);
    return true;
  });
  if (isGiven)
    await recordAudit(tx, { action: 'user.give_password', entityType: 'user', entityId: member.userId });
  return isGiven;
}

export async function isPasswordOfUser(tx: Tx, email: string, password: string): Promise<boolean> {
  const account = await withinAccount(tx, email, () => readAccountByEmail(tx, email));
  return isPasswordOf(account?.passwordHash ?? null, password, OURSELVES);
}
