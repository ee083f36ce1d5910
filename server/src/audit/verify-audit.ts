import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { readAuditHead, readSealed } from './audit.store.js';
import { CHAIN_START } from './chain.rules.js';
import { hashLink, sealAudit } from './seal-audit.js';

export interface AuditVerdict {
  ok: boolean;
  entries: number;
  head: string;
  /** The first entry that is not what it was, or the place where one is missing. */
  firstDifference: { position: number; entryId: string | null; problem: string } | null;
}

const BATCH = 1_000;

/** Walks one organization's chain from its first entry and names the first broken link. */
export async function verifyAudit(
  database: Database,
  orgId: string,
  expectedHead?: string,
): Promise<AuditVerdict> {
  await sealAudit(database, orgId);
  let position = 0;
  let hash = CHAIN_START;
  let sawExpected = expectedHead === undefined || expectedHead === hash;
  const broken = (at: number, entryId: string | null, problem: string): AuditVerdict => ({
    ok: false,
    entries: position,
    head: hash,
    firstDifference: { position: at, entryId, problem },
  });
  const auditor = systemPrincipal(orgId, 'auditor@lotward.invalid');
  for (;;) {
    const entries = await transact(database, auditor, (tx) => readSealed(tx, position, BATCH));
    for (const entry of entries) {
      if (entry.position !== position + 1) return broken(position + 1, null, 'an entry is missing');
      if (hashLink(hash, entry.position, entry) !== entry.hash) {
        return broken(entry.position, entry.entryId, 'the entry is not what was sealed');
      }
      position = entry.position;
      hash = entry.hash;
      if (hash === expectedHead) sawExpected = true;
    }
    if (entries.length < BATCH) break;
  }
  const head = await transact(database, auditor, readAuditHead);
  if (head && (head.position > position || (head.position === position && head.hash !== hash))) {
    return broken(position + 1, null, `the chain should reach position ${head.position}`);
  }
  if (!sawExpected) return broken(position + 1, null, 'the expected head is not in the chain');
  return { ok: true, entries: position, head: hash, firstDifference: null };
}
