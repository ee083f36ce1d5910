import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import type { AuditRecord } from './audit.js';
import { insertAuditEntries } from './audit.store.js';

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

const toJson = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);
