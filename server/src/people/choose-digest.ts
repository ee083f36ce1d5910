import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { saveDigestChoice } from './user.store.js';

/** Switches the daily digest on or off for one person. It goes to administrators. */
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
