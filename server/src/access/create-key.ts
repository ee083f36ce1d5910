import { recordAudit } from '../audit/index.js';
import { endOfDayIn, isCalendarDate } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import { violatedConstraint } from '../platform/database/index.js';
import { refuseReference } from '../platform/errors/index.js';
import { refuseAccess } from './access.errors.js';
import { firstAdministrator, lockOwnOrganization, type StoredKey, saveNewKey } from './access.store.js';
import { isAddressOrBlock } from './allow-list.js';
import { hashToken, type KeyPair, newKeyId, newKeyPair } from './key-token.js';
import { isScope } from './scopes.js';

export interface NewKey {
  name: string;
  scopes: readonly string[];
  /** E-mail; when not given, the organization's first administrator, then `fallbackOwner`. */
  owner?: string | undefined;
  fallbackOwner?: string | null | undefined;
  /** A date (ends with that day where the organization is) or an instant. */
  expires?: string | undefined;
  allowList?: readonly string[] | undefined;
  customerCode?: string | undefined;
}

/** The pair is shown here and never again: only a hash is kept. */
export async function createKey(tx: Tx, input: NewKey): Promise<KeyPair & { key: StoredKey }> {
  for (const scope of input.scopes) {
    if (!isScope(scope)) throw refuseAccess('unknown_scope', '/scopes', `${scope} is not a scope`);
  }
  for (const entry of input.allowList ?? []) {
    if (!isAddressOrBlock(entry))
      throw refuseAccess('bad_address', '/allowList', `${entry} is neither an address nor a CIDR block`);
  }
  const owner = input.owner ?? (await firstAdministrator(tx)) ?? input.fallbackOwner;
  if (!owner) throw refuseAccess('owner_required', '/owner');
  const pair = newKeyPair(newKeyId());
  const key: StoredKey = {
    orgId: tx.orgId,
    keyId: pair.keyId,
    name: input.name,
    owner,
    scopes: [...new Set(input.scopes)],
    allowList: [...(input.allowList ?? [])],
    customerCode: input.customerCode ?? null,
    expiresAt: input.expires === undefined ? null : await expiryOf(tx, input.expires),
    revokedAt: null,
    lastUsedAt: null,
    createdAt: tx.now,
    createdBy: tx.actor,
  };
  try {
    await saveNewKey(tx, key, hashToken(pair.apiKey));
  } catch (error) {
    if (violatedConstraint(error)?.includes('customer_code'))
      throw refuseReference('/customerCode', `partner ${key.customerCode}`);
    throw error;
  }
  await recordAudit(tx, { action: 'key.create', entityType: 'api_key', entityId: key.keyId, after: key });
  return { ...pair, key };
}

async function expiryOf(tx: Tx, text: string): Promise<Date> {
  const { timeZone } = await lockOwnOrganization(tx);
  const at = isCalendarDate(text) ? endOfDayIn(timeZone, text) : new Date(text);
  if (!(at > tx.now)) throw refuseAccess('expiry_in_the_past', '/expires');
  return at;
}
