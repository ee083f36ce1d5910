import { createHash } from 'node:crypto';
import { type Database, transact } from '../platform/database/index.js';
import { Failures } from '../platform/failures.js';
import { systemPrincipal } from '../platform/principal.js';
import {
  lockAuditHead,
  organizationsWithUnsealed,
  readTakenPositions,
  readUnsealed,
  sealEntries,
} from './audit.store.js';
import { CHAIN_START, type ChainedEntry, linkText } from './chain.rules.js';

/** Few enough that pushes of the process hardly wait while their hashes are computed. */
const BATCH = 250;
const SEALER = 'sealer@lotward.invalid';

export const hashLink = (previousHash: string, position: number, entry: ChainedEntry): string =>
  createHash('sha256')
    .update(linkText(previousHash, position, entry))
    .digest('hex');

/** Chains the unsealed entries of one organization and returns their number. Safe to run concurrently. */
export async function sealAudit(database: Database, orgId: string): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await transact(
      database,
      systemPrincipal(orgId, SEALER),
      async (tx) => {
        // The lock has its own statement, so that the next one sees what the previous holder committed.
        let { position, hash } = await lockAuditHead(tx, CHAIN_START);
        // Only the owner of the database can have inserted one. Verification reports it; the others are sealed around it.
        const taken = new Set(await readTakenPositions(tx, position, BATCH));
        // The head of the chain was deleted: nothing is appended to it.
        if (position === 0 && taken.size > 0) throw new Error('the audit chain has lost its head');
        const links = (await readUnsealed(tx, BATCH)).map((entry) => {
          do position += 1;
          while (taken.has(position));
          hash = hashLink(hash, position, entry);
          return { entryId: entry.entryId, position, hash };
        });
        await sealEntries(tx, links);
        return links.length;
      },
      { as: 'worker' },
    );
    sealed += count;
    if (count < BATCH) return sealed;
  }
}

/** An organization whose chain cannot be continued does not stop the others from being sealed. */
export async function sealAllAudits(database: Database): Promise<number> {
  let sealed = 0;
  const failures = new Failures();
  for (const orgId of await organizationsWithUnsealed(database.worker))
    sealed += (await failures.attempt(() => sealAudit(database, orgId))) ?? 0;
  failures.throwAny((count) => `the audit of ${count} organizations could not be sealed`);
  return sealed;
}
