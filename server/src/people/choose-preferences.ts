import { recordAudit } from '../audit/index.js';
import { requireTimeZone } from '../organizations/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Preferences } from './preferences.js';
import { savePreferences } from './user.store.js';

/** Changes the preferences that are given; null resets one. */
export async function choosePreferences(tx: Tx, userId: string, chosen: Partial<Preferences>): Promise<void> {
  if (chosen.timeZone) requireTimeZone(chosen.timeZone, '/preferences/timeZone');
  const isSaved = await savePreferences(tx, userId, chosen);
  if (!isSaved) throw missing('user', 'userId');
  await recordAudit(tx, {
    action: 'user.choose_preferences',
    entityType: 'user',
    entityId: userId,
    after: chosen,
  });
}
