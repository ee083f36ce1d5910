import { recordAudit } from '../audit/index.js';
import { endOfDayIn, isCalendarDate } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseReference } from '../platform/errors/index.js';
import { refuseAccess } from './access.errors.js';
import {
  firstAdministrator,
  lockOwnOrganization,
  lockRolesOfPartner,
  type StoredKey,
  saveNewKey,
} from './access.store.js';
import { isAddressOrBlock } from './allow-list.js';
import { hashToken, type KeyPair, newKeyId, newKeyPair } from './key-token.js';
import { isEmail } from './organization.js';
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
  const owner = await ownerOf(tx, input);
  if (input.customerCode !== undefined) await requireCustomer(tx, input.customerCode);
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
  await saveNewKey(tx, key, hashToken(pair.apiKey));
  await recordAudit(tx, { action: 'key.create', entityType: 'api_key', entityId: key.keyId, after: key });
  return { ...pair, key };
}

/** In small letters: one person must not count as two, because who picks may not re-check. */
async function ownerOf(tx: Tx, input: NewKey): Promise<string> {
  const owner = (input.owner ?? (await firstAdministrator(tx)) ?? input.fallbackOwner)?.toLowerCase();
  if (!owner) throw refuseAccess('owner_required', '/owner');
  if (!isEmail(owner)) throw refuseAccess('bad_email', '/owner', `${owner} is not an e-mail address`);
  return owner;
}

async function requireCustomer(tx: Tx, code: string): Promise<void> {
  const roles = await lockRolesOfPartner(tx, code);
  if (!roles) throw refuseReference('/customerCode', `partner ${code}`);
  if (!roles.includes('customer'))
    throw refuseAccess('not_a_customer', '/customerCode', `${code} is not a customer`);
}

async function expiryOf(tx: Tx, text: string): Promise<Date> {
  const { timeZone } = await lockOwnOrganization(tx);
  const at = isCalendarDate(text) ? endOfDayIn(timeZone, text) : new Date(text);
  if (!(at > tx.now)) throw refuseAccess('expiry_in_the_past', '/expires');
  return at;
}
