import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { saveName, withinAccount } from './account.store.js';
import type { Person } from './people.hooks.js';
import { lockAccount } from './user.store.js';

/** Called by the person: their name in every organization. Null removes the name. */
export async function chooseName(tx: Tx, { userId, email }: Person, name: string | null): Promise<void> {
  const before = await withinAccount(tx, email, async () => {
    const account = await lockAccount(tx, userId);
    // The user was removed after this request was authenticated.
    if (account?.status !== 'active') throw missing('user', 'userId');
    await saveName(tx, email, name);
    return account.name;
  });
  await recordAudit(tx, {
    action: 'user.choose_name',
    entityType: 'user',
    entityId: userId,
    before: { name: before },
    after: { name },
  });
}
