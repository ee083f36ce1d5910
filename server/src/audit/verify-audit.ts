import { type Database, transact } from '../platform/database/index.js';
import { type Principal, systemPrincipal } from '../platform/principal.js';
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

export const DIFFERENCES = {
  entry_changed: 'the entry is not what was sealed',
  entry_missing: 'an entry is missing',
  chain_cut: 'the chain ends before its head',
  head_mismatch: 'the head is not the end of the chain',
  expected_head_missing: 'the expected head is not in the chain',
} as const;
export type DifferenceReason = keyof typeof DIFFERENCES;

interface AuditDifference {
  position: number;
  entryId: string | null;
  reason: DifferenceReason;
  problem: string;
}

/** How far a chain was verified. A walk can be continued later, by any process. */
export interface Walk extends Head {
  /** A hash noted earlier that must be part of the chain. */
  expectedHead: string | null;
  sawExpected: boolean;
}

export interface WalkResult {
  walk: Walk;
  /** The head of the chain when it was last read. */
  head: Head;
  difference: AuditDifference | null;
  /** Nothing is left to verify. */
  isEnd: boolean;
}

const START: Head = { position: 0, hash: CHAIN_START };
const PAGE = 1_000;

export const startWalk = (expectedHead: string | null): Walk => ({
  ...START,
  expectedHead,
  sawExpected: expectedHead === null || expectedHead === START.hash,
});

/**
 * Walks one organization's chain from its first entry and names the first broken link. Writers and sealers may continue
 * meanwhile. Sealed entries are checked before more are sealed, so that nothing is appended to a broken chain.
 */
export async function verifyAudit(
  database: Database,
  orgId: string,
  expectedHead: string | null = null,
): Promise<AuditVerdict> {
  const auditor = systemPrincipal(orgId, 'auditor@lotward.invalid');
  const walkOn = (from: Walk) => continueWalk(database, auditor, from, { entriesMax: Infinity, page: PAGE });
  let { walk, difference } = await walkOn(startWalk(expectedHead));
  if (!difference || difference.reason === 'expected_head_missing') {
    await sealAudit(database, orgId);
    ({ walk, difference } = await walkOn(walk));
  }
  return { ok: difference === null, entries: walk.position, head: walk.hash, firstDifference: difference };
}

interface WalkLimits {
  /** After this many entries, or characters of changed content, no further page is read. */
  entriesMax: number;
  charactersMax?: number;
  /** Entries read in one transaction, which bounds memory. */
  page: number;
}

/** Verifies the next entries. Between pages it holds neither a transaction nor the event loop. */
export async function continueWalk(
  database: Database,
  principal: Principal,
  from: Walk,
  { entriesMax, charactersMax = Infinity, page }: WalkLimits,
): Promise<WalkResult> {
  let walk = from;
  let characters = 0;
  for (;;) {
    // The head is read first: every entry up to it must then exist, and more may.
    const { head, entries } = await transact(database, principal, async (tx) => ({
      head: (await readAuditHead(tx)) ?? START,
      entries: await readSealed(tx, walk.position, page),
    }));
    const checked = checkEntries(walk, head, entries);
    walk = checked.walk;
    if (checked.difference) return { walk, head, difference: checked.difference, isEnd: true };
    if (entries.length < page) {
      const difference = await checkEnd(database, principal, walk, head);
      return { walk, head, difference, isEnd: true };
    }
    characters += entries.reduce((sum, each) => sum + lengthOf(each.before) + lengthOf(each.after), 0);
    if (walk.position - from.position >= entriesMax || characters >= charactersMax)
      return { walk, head, difference: null, isEnd: false };
  }
}

const lengthOf = (text: string | null): number => text?.length ?? 0;

const at = (
  position: number,
  entryId: string | null,
  reason: DifferenceReason,
  problem: string = DIFFERENCES[reason],
): AuditDifference => ({ position, entryId, reason, problem });

type Sealed = Awaited<ReturnType<typeof readSealed>>;

function checkEntries(
  from: Walk,
  head: Head,
  entries: Sealed,
): { walk: Walk; difference: AuditDifference | null } {
  let walk = from;
  const broken = (difference: AuditDifference) => ({ walk, difference });
  const agreesWith = (link: Head) => link.position !== head.position || link.hash === head.hash;
  if (!agreesWith(walk)) return broken(at(walk.position, null, 'head_mismatch'));
  for (const entry of entries) {
    const { position, hash, entryId } = entry;
    if (position !== walk.position + 1) return broken(at(walk.position + 1, null, 'entry_missing'));
    if (hashLink(walk.hash, position, entry) !== hash) return broken(at(position, entryId, 'entry_changed'));
    if (!agreesWith(entry)) return broken(at(position, entryId, 'head_mismatch'));
    const sawExpected = walk.sawExpected || hash === walk.expectedHead;
    walk = { ...walk, position, hash, sawExpected };
  }
  return { walk, difference: null };
}

async function checkEnd(
  database: Database,
  principal: Principal,
  walk: Walk,
  headBefore: Head,
): Promise<AuditDifference | null> {
  const { position } = walk;
  if (headBefore.position > position)
    return at(position + 1, null, 'chain_cut', `the chain should reach position ${headBefore.position}`);
  // The head moves in the same transaction as the entries it covers, so it cannot be behind what was read.
  const head = (await transact(database, principal, readAuditHead)) ?? START;
  if (head.position < position)
    return at(
      head.position + 1,
      null,
      'head_mismatch',
      `the head stands at ${head.position}, behind the chain`,
    );
  return walk.sawExpected ? null : at(position + 1, null, 'expected_head_missing');
}
