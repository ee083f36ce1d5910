/** The fields of an entry that the chain protects, as stored: `before` and `after` are the database's JSON text. */
export interface ChainedEntry {
  entryId: string;
  at: string;
  actor: string;
  credentialId: string;
  requestId: string | null;
  action: string;
  entityType: string;
  entityId: string;
  reason: string | null;
  before: string | null;
  after: string | null;
}

export const CHAIN_START = '0'.repeat(64);

/** The text whose hash links an entry to the one before it. */
export function linkText(previousHash: string, position: number, entry: ChainedEntry): string {
  return JSON.stringify([
    previousHash,
    position,
    entry.entryId,
    entry.at,
    entry.actor,
    entry.credentialId,
    entry.requestId,
    entry.action,
    entry.entityType,
    entry.entityId,
    entry.reason,
    entry.before,
    entry.after,
  ]);
}
