import { isAddressOrBlock, isScope } from '../access/index.js';
import { partnerIssues, shareLockPartner } from '../catalogue/index.js';
import { firstAdministrator, requireEmail, shareLockActivePerson } from '../people/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing, refuseAny } from '../platform/errors/index.js';
import { OVERLAP_SECONDS_MAX } from '../platform/secrets/index.js';
import { refuseCredential } from './credential.errors.js';
import type { StoredCredential } from './credential.js';

/** The input that keys and OAuth clients share. */
export interface CredentialFacts {
  name: string;
  scopes: readonly string[];
  /** E-mail; by default that of the organization's first administrator, then `fallbackOwner`. */
  owner?: string | undefined;
  fallbackOwner?: string | null | undefined;
  /**
   * The person who creates the credential and with whom it ends. If omitted, it belongs to the organization, and the
   * operator vouches for the owner.
   */
  belongsTo?: string | undefined;
  allowList?: readonly string[] | undefined;
  customerCode?: string | undefined;
}

type SettledFacts = Pick<
  StoredCredential,
  'name' | 'owner' | 'scopes' | 'allowList' | 'customerCode' | 'belongsTo' | 'ownerConfirmedAt'
>;

/** The facts as they are stored, or a refusal. */
export async function settleFacts(tx: Tx, facts: CredentialFacts): Promise<SettledFacts> {
  // A concurrent removal of the person waits for this transaction and then also ends the new credential.
  if (facts.belongsTo !== undefined && !(await shareLockActivePerson(tx, facts.belongsTo)))
    throw missing('account', null);
  const scopes = settleScopes(facts.scopes);
  const allowList = settleAllowList(facts.allowList ?? []);
  const owner = await ownerOf(tx, facts);
  if (facts.customerCode !== undefined) await requireCustomer(tx, facts.customerCode);
  return {
    name: facts.name,
    owner,
    scopes,
    allowList,
    customerCode: facts.customerCode ?? null,
    belongsTo: facts.belongsTo ?? null,
    ownerConfirmedAt: facts.belongsTo === undefined || facts.belongsTo === owner ? tx.now : null,
  };
}

/** Without duplicates, or a refusal. */
export function settleScopes(scopes: readonly string[]): string[] {
  for (const scope of scopes) {
    if (!isScope(scope)) throw refuseCredential('unknown_scope', '/scopes', `${scope} is not a scope`);
  }
  return [...new Set(scopes)];
}

export function settleAllowList(entries: readonly string[]): string[] {
  for (const entry of entries) {
    if (!isAddressOrBlock(entry))
      throw refuseCredential('bad_address', '/allowList', `${entry} is neither an address nor a CIDR block`);
  }
  return [...entries];
}

/** The rest of a credential that is created in this transaction. */
export const unusedSince = (
  tx: Tx,
): Pick<
  StoredCredential,
  | 'revokedAt'
  | 'disabledAt'
  | 'disabledReason'
  | 'lastUsedAt'
  | 'createdAt'
  | 'createdBy'
  | 'version'
  | 'updatedAt'
> => ({
  revokedAt: null,
  disabledAt: null,
  disabledReason: null,
  lastUsedAt: null,
  createdAt: tx.now,
  createdBy: tx.actor,
  version: 1,
  updatedAt: tx.now,
});

async function ownerOf(tx: Tx, facts: CredentialFacts): Promise<string> {
  const owner = facts.owner ?? (await firstAdministrator(tx)) ?? facts.fallbackOwner;
  if (!owner) throw refuseCredential('owner_required', '/owner');
  return requireEmail(owner, '/owner');
}

async function requireCustomer(tx: Tx, code: string): Promise<void> {
  refuseAny(partnerIssues('/customerCode', code, 'customer', await shareLockPartner(tx, code)));
}

export function requireOverlap(seconds: number): void {
  if (!(seconds >= 0 && seconds <= OVERLAP_SECONDS_MAX))
    throw refuseCredential('overlap_too_long', '/overlapSeconds');
}
