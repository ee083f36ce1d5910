import { isSandbox, lockOwnOrganization } from '../organizations/index.js';
import { endOfDayIn, isCalendarDate, toUtcInstant } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import { hashToken } from '../platform/secrets/index.js';
import { refuseCredential } from './credential.errors.js';
import type { StoredKey } from './credential.js';
import { type CredentialFacts, settleFacts, unusedSince } from './credential-facts.js';
import { KEY, saveCredential } from './credential-lifecycle.js';
import { type KeyPair, newKeyId, newKeyPair } from './key-token.js';

export interface NewKey extends CredentialFacts {
  /** A date (the key expires at its end, in the organization's time zone) or an instant. */
  expires?: string | undefined;
}

export const isKeyExpiry = (text: string): boolean => isCalendarDate(text) || toUtcInstant(text) !== null;

/** The pair is returned here and never again: only a hash is stored. */
export async function createKey(tx: Tx, input: NewKey): Promise<KeyPair & { key: StoredKey }> {
  const facts = await settleFacts(tx, input);
  const pair = newKeyPair(newKeyId(), await isSandbox(tx));
  const key: StoredKey = {
    orgId: tx.orgId,
    keyId: pair.keyId,
    ...facts,
    expiresAt: input.expires === undefined ? null : await expiryOf(tx, input.expires),
    ...unusedSince(tx),
  };
  await saveCredential(tx, KEY, key.keyId, key, hashToken(pair.apiKey));
  return { ...pair, key };
}

async function expiryOf(tx: Tx, text: string): Promise<Date> {
  const { timeZone } = await lockOwnOrganization(tx);
  const instant = toUtcInstant(text);
  const at = instant === null ? endOfDayIn(timeZone, text) : new Date(instant);
  if (!(at > tx.now)) throw refuseCredential('expiry_in_the_past', '/expires');
  return at;
}
