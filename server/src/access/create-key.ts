import { recordAudit } from '../audit/index.js';
import { endOfDayIn, isCalendarDate, toUtcInstant } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseAccess } from './access.errors.js';
import { lockOwnOrganization, type StoredKey, saveNewKey } from './access.store.js';
import { type CredentialFacts, settleFacts } from './credential-facts.js';
import { hashToken, type KeyPair, newKeyId, newKeyPair } from './key-token.js';

export interface NewKey extends CredentialFacts {
  /** A date (ends with that day where the organization is) or an instant. */
  expires?: string | undefined;
}

/** Can a key end with it? */
export const isKeyExpiry = (text: string): boolean => isCalendarDate(text) || toUtcInstant(text) !== null;

/** The pair is shown here and never again: only a hash is kept. */
export async function createKey(tx: Tx, input: NewKey): Promise<KeyPair & { key: StoredKey }> {
  const facts = await settleFacts(tx, input);
  const pair = newKeyPair(newKeyId());
  const key: StoredKey = {
    orgId: tx.orgId,
    keyId: pair.keyId,
    ...facts,
    expiresAt: input.expires === undefined ? null : await expiryOf(tx, input.expires),
    revokedAt: null,
    lastUsedAt: null,
    createdAt: tx.now,
    createdBy: tx.actor,
  };
  await saveNewKey(tx, key, hashToken(pair.apiKey));
  await recordAudit(tx, { action: 'key.create', entityType: 'api_key', entityId: key.keyId, after: key });
  return { ...pair, key };
}

async function expiryOf(tx: Tx, text: string): Promise<Date> {
  const { timeZone } = await lockOwnOrganization(tx);
  const instant = toUtcInstant(text);
  const at = instant === null ? endOfDayIn(timeZone, text) : new Date(instant);
  if (!(at > tx.now)) throw refuseAccess('expiry_in_the_past', '/expires');
  return at;
}
