import { partnerIssues, shareLockPartner } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseAny } from '../platform/errors/index.js';
import { refuseAccess } from './access.errors.js';
import { firstAdministrator } from './access.store.js';
import { isAddressOrBlock } from './allow-list.js';
import { isEmail } from './organization.js';
import { isScope } from './scopes.js';

/** What is said of a key and of an OAuth client alike. */
export interface CredentialFacts {
  name: string;
  scopes: readonly string[];
  /** E-mail; when not given, the organization's first administrator, then `fallbackOwner`. */
  owner?: string | undefined;
  fallbackOwner?: string | null | undefined;
  allowList?: readonly string[] | undefined;
  customerCode?: string | undefined;
}

interface SettledFacts {
  name: string;
  owner: string;
  scopes: string[];
  allowList: string[];
  customerCode: string | null;
}

/** The facts as they are kept, or a refusal. */
export async function settleFacts(tx: Tx, facts: CredentialFacts): Promise<SettledFacts> {
  for (const scope of facts.scopes) {
    if (!isScope(scope)) throw refuseAccess('unknown_scope', '/scopes', `${scope} is not a scope`);
  }
  for (const entry of facts.allowList ?? []) {
    if (!isAddressOrBlock(entry))
      throw refuseAccess('bad_address', '/allowList', `${entry} is neither an address nor a CIDR block`);
  }
  const owner = await ownerOf(tx, facts);
  if (facts.customerCode !== undefined) await requireCustomer(tx, facts.customerCode);
  return {
    name: facts.name,
    owner,
    scopes: [...new Set(facts.scopes)],
    allowList: [...(facts.allowList ?? [])],
    customerCode: facts.customerCode ?? null,
  };
}

/** In small letters: one person must not count as two, because who picks may not re-check. */
async function ownerOf(tx: Tx, facts: CredentialFacts): Promise<string> {
  const owner = (facts.owner ?? (await firstAdministrator(tx)) ?? facts.fallbackOwner)?.toLowerCase();
  if (!owner) throw refuseAccess('owner_required', '/owner');
  if (!isEmail(owner)) throw refuseAccess('bad_email', '/owner', `${owner} is not an e-mail address`);
  return owner;
}

async function requireCustomer(tx: Tx, code: string): Promise<void> {
  refuseAny(partnerIssues('/customerCode', code, 'customer', await shareLockPartner(tx, code)));
}

const OVERLAP_SECONDS_MAX = 7 * 86_400;

/** How long a secret works on after it was replaced. */
export function requireOverlap(seconds: number): void {
  if (!(seconds >= 0 && seconds <= OVERLAP_SECONDS_MAX))
    throw refuseAccess('overlap_too_long', '/overlapSeconds');
}
