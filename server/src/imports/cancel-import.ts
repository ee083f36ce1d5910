import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { refuseImport } from './import.errors.js';
import type { Import } from './import.js';
import { findImport, lockImport, saveEnd } from './import.store.js';

/** Ends an import after the rows that a worker is currently writing. Accepted rows stay. */
export async function cancelImport(
  tx: Tx,
  importId: string,
  require: (found: Import) => void,
): Promise<Import> {
  const before = await lockImport(tx, importId);
  if (!before) throw missing('import', 'importId');
  require(before);
  if (before.finishedAt !== null)
    throw refuseImport('import_ended', null, `the import is ${before.status} already`);
  saveEnd(tx, importId, 'cancelled');
  await recordAudit(tx, {
    action: 'import.cancel',
    entityType: 'import',
    entityId: importId,
    before: { status: before.status },
    after: { status: 'cancelled' },
  });
  const after = await findImport(tx, importId);
  if (!after) throw new Error('cancelled import not found');
  return after;
}
