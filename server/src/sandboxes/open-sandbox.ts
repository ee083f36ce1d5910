import { SCOPES } from '../access/index.js';
import { recordAudit } from '../audit/index.js';
import { createKey } from '../credentials/index.js';
import { loadDemoCatalogue } from '../demo/index.js';
import {
  changeOrganization,
  createOrganization,
  lockOwnOrganization,
  type Organization,
} from '../organizations/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { randomBase62 } from '../platform/ids/index.js';
import { type Principal, systemPrincipal } from '../platform/principal.js';
import { type Copied, copyCatalogue, NOTHING_COPIED } from './copy-catalogue.js';
import { refuseSandbox } from './sandbox.errors.js';
import { OPENED_PER_DAY_MAX, SANDBOXES_MAX, type Sandbox, type SandboxData } from './sandbox.js';
import { countSandboxes, saveSandbox } from './sandbox.store.js';

export interface SandboxRequest {
  name: string;
  data: SandboxData;
}

export interface BuiltSandbox {
  organization: Organization;
  data: SandboxData;
  keyId: string;
  apiKey: string;
  copied: Copied;
}

export interface OpenedSandbox extends Pick<BuiltSandbox, 'keyId' | 'apiKey' | 'copied'> {
  sandbox: Sandbox;
}

const DAY_MS = 86_400_000;
const CODE_PREFIX_MAX = 40;
const CODE_SUFFIX_LENGTH = 8;

/**
 * Creates the organization of a sandbox with its data and a key. It is not listed until `registerSandbox`: if the process
 * dies before that, the rest counts as unused and is ended later.
 */
export async function buildSandbox(
  database: Database,
  parent: Organization,
  by: Principal,
  { name, data }: SandboxRequest,
): Promise<BuiltSandbox> {
  const organization = await createOrganization(database, by.actor, {
    code: `${parent.code.slice(0, CODE_PREFIX_MAX)}-sandbox-${randomBase62(CODE_SUFFIX_LENGTH)}`,
    name,
    timeZone: parent.timeZone,
    sandboxOf: parent.orgId,
  });
  const inside = systemPrincipal(organization.orgId, by.actor, organization);
  const copied = await fill(database, by, inside, data);
  return transact(database, inside, async (tx) => {
    const { samePersonRecheck, certificateGate, demandedCertificates } = parent;
    if (data === 'catalogue')
      await changeOrganization(tx, { samePersonRecheck, certificateGate, demandedCertificates });
    return { organization, data, copied, ...(await createSandboxKey(tx, by.actor)) };
  });
}

async function fill(
  database: Database,
  from: Principal,
  inside: Principal,
  data: SandboxData,
): Promise<Copied> {
  if (data === 'catalogue') return copyCatalogue(database, from, inside);
  return data === 'demo' ? transact(database, inside, loadDemoCatalogue) : NOTHING_COPIED;
}

/** Creates a key with all scopes, for the person who requests it. */
export async function createSandboxKey(tx: Tx, owner: string): Promise<{ keyId: string; apiKey: string }> {
  const { keyId, apiKey } = await createKey(tx, { name: 'sandbox', scopes: SCOPES, owner });
  return { keyId, apiKey };
}

/** Locked, so that two concurrent calls do not both take the last slot. */
export async function requireRoom(tx: Tx): Promise<void> {
  await lockOwnOrganization(tx);
  const { live, opened } = await countSandboxes(tx, new Date(tx.now.getTime() - DAY_MS));
  if (live >= SANDBOXES_MAX) throw refuseSandbox('too_many_sandboxes', null);
  if (opened >= OPENED_PER_DAY_MAX)
    throw refuseSandbox(
      'too_many_sandboxes',
      null,
      `${opened} sandboxes were opened in the last 24 hours, which is the most`,
    );
}

/** Registers a built sandbox with the organization. */
export async function registerSandbox(tx: Tx, built: BuiltSandbox): Promise<OpenedSandbox> {
  await requireRoom(tx);
  const { organization, data, keyId, apiKey, copied } = built;
  const sandbox: Sandbox = {
    sandboxId: organization.orgId,
    code: organization.code,
    name: organization.name,
    data,
    createdAt: tx.now,
    createdBy: tx.actor,
    updatedAt: tx.now,
    endedAt: null,
    endReason: null,
  };
  saveSandbox(tx, sandbox);
  await recordAudit(tx, {
    action: 'sandbox.create',
    entityType: 'sandbox',
    entityId: sandbox.sandboxId,
    after: { ...sandbox, keyId, copied },
  });
  return { sandbox, keyId, apiKey, copied };
}
