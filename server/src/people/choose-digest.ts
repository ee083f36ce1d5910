import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { saveDigestChoice } from './user.store.js';

/** Turns the daily digest on or off for one person. Only administrators receive it. */
export async function chooseDigest(tx: Tx, email: string, wanted: boolean): Promise<void> {
  const userId = await saveDigestChoice(tx, email.toLowerCase(), wanted);
  if (userId === null) throw missing('user', 'email');
  await recordAudit(tx, {
    action: 'user.choose_digest',
    entityType: 'user',
    entityId: userId,
    after: { dailyDigest: wanted },
  });
}
