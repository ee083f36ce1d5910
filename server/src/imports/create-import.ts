import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { refuseImport } from './import.errors.js';
import { type Import, type Requester, UNFINISHED_MAX } from './import.js';
import { findImport, lockUnfinishedCount, type NewImport, saveNewImport } from './import.store.js';

/** Queues a file; a worker reads it. */
export async function createImport(
  tx: Tx,
  input: Omit<NewImport, 'importId'>,
  requester: Requester,
): Promise<Import> {
  if ((await lockUnfinishedCount(tx)) >= UNFINISHED_MAX) throw refuseImport('too_many_imports', null);
  const importId = newId('imp', tx.now);
  saveNewImport(tx, { ...input, importId }, requester);
  const { kind, format, dryRun } = input;
  await recordAudit(tx, {
    action: 'import.create',
    entityType: 'import',
    entityId: importId,
    after: { kind, format, dryRun },
  });
  const made = await findImport(tx, importId);
  if (!made) throw new Error('created import not found');
  return made;
}
