import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import type { AuditRecord } from './audit.js';
import { insertAuditEntries, insertAuditEntriesAlike } from './audit.store.js';

/** Written in the transaction of the change, so that neither exists without the other. */
export async function recordAudit(tx: Tx, ...records: readonly AuditRecord[]): Promise<void> {
  if (records.length === 0) return;
  await insertAuditEntries(
    tx,
    records.map((record) => ({
      entryId: newId('aud', tx.now),
      action: record.action,
      entityType: record.entityType,
      entityId: record.entityId,
      reason: record.reason ?? null,
      by: record.by ?? tx,
      before: toJson(record.before),
      after: toJson(record.after),
    })),
  );
}

/** Records of one type created by one write. They share most of their content. */
export interface RecordsAlike<Own extends object>
  extends Pick<AuditRecord, 'action' | 'entityType' | 'reason'> {
  shared: object;
  each: readonly Own[];
  entityId: (own: Own) => string;
}

/** Equivalent to `recordAudit` with `after: { ...shared, ...own }` for each, but sends the shared content only once. */
export function recordAuditAlike<Own extends object>(
  tx: Tx,
  { shared, each, entityId, reason, ...common }: RecordsAlike<Own>,
): void {
  if (each.length === 0) return;
  insertAuditEntriesAlike(tx, {
    ...common,
    by: tx,
    reason: reason ?? null,
    shared: JSON.stringify(shared),
    entries: each.map((own) => ({
      entryId: newId('aud', tx.now),
      entityId: entityId(own),
      own: JSON.stringify(own),
    })),
  });
}

const toJson = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);
