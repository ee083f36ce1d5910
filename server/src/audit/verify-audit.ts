import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { type Head, readAuditHead, readSealed } from './audit.store.js';
import { CHAIN_START } from './chain.rules.js';
import { hashLink, sealAudit } from './seal-audit.js';

export interface AuditVerdict {
  ok: boolean;
  entries: number;
  head: string;
  /** The first entry that is not what it was, or the place where one is missing. */
  firstDifference: AuditDifference | null;
}

interface AuditDifference {
  position: number;
  entryId: string | null;
  problem: string;
}

/** How far the chain was walked. */
interface Walk extends Head {
  sawExpected: boolean;
}

const BATCH = 1_000;
const START: Head = { position: 0, hash: CHAIN_START };

/**
 * Walks one organization's chain from its first entry and names the first broken link. Writers and sealers
 * may go on meanwhile. What is sealed is checked before more is sealed: nothing is built on a broken chain.
 */
export async function verifyAudit(
  database: Database,
  orgId: string,
  expectedHead?: string,
): Promise<AuditVerdict> {
  const walk: Walk = { ...START, sawExpected: expectedHead === undefined || expectedHead === START.hash };
  let difference = await walkOn(database, orgId, walk, expectedHead);
  if (!difference) {
    await sealAudit(database, orgId);
    difference = await walkOn(database, orgId, walk, expectedHead);
  }
  if (!difference && !walk.sawExpected)
    difference = at(walk.position + 1, null, 'the expected head is not in the chain');
  return { ok: difference === null, entries: walk.position, head: walk.hash, firstDifference: difference };
}

const at = (position: number, entryId: string | null, problem: string): AuditDifference => ({
  position,
  entryId,
  problem,
});

async function walkOn(
  database: Database,
  orgId: string,
  walk: Walk,
  expectedHead: string | undefined,
): Promise<AuditDifference | null> {
  const auditor = systemPrincipal(orgId, 'auditor@lotward.invalid');
  for (;;) {
    // The head is read first: whatever it vouches for must then be there, and more may be.
    const { head, entries } = await transact(database, auditor, async (tx) => ({
      head: (await readAuditHead(tx)) ?? START,
      entries: await readSealed(tx, walk.position, BATCH),
    }));
    const chainEnds = entries.length < BATCH;
    const agreesWith = (link: Head) => link.position !== head.position || link.hash === head.hash;
    if (!agreesWith(walk)) return at(walk.position, null, 'the head is not the end of the chain');
    for (const entry of entries) {
      if (entry.position !== walk.position + 1) return at(walk.position + 1, null, 'an entry is missing');
      if (hashLink(walk.hash, entry.position, entry) !== entry.hash)
        return at(entry.position, entry.entryId, 'the entry is not what was sealed');
      if (!agreesWith(entry))
        return at(entry.position, entry.entryId, 'the head is not the end of the chain');
      walk.position = entry.position;
      walk.hash = entry.hash;
      if (walk.hash === expectedHead) walk.sawExpected = true;
    }
    if (!chainEnds) continue;
    if (head.position > walk.position)
      return at(walk.position + 1, null, `the chain should reach position ${head.position}`);
    return headFallenBack(database, auditor, walk);
  }
}

/** The head moves with the entries it vouches for, in one transaction: behind what was read it cannot be. */
async function headFallenBack(
  database: Database,
  auditor: ReturnType<typeof systemPrincipal>,
  walk: Head,
): Promise<AuditDifference | null> {
  const head = (await transact(database, auditor, readAuditHead)) ?? START;
  return head.position < walk.position
    ? at(head.position + 1, null, `the head stands at ${head.position}, behind the chain`)
    : null;
}
