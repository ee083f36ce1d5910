import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Disposition } from './disposition.js';
import { findDisposition, lockDisposition } from './disposition.store.js';

export async function readDisposition(tx: Tx, dispositionId: string): Promise<Disposition> {
  const disposition = await findDisposition(tx, dispositionId);
  if (!disposition) throw missing('disposition', 'dispositionId');
  return disposition;
}

export async function requireDisposition(tx: Tx, dispositionId: string): Promise<Disposition> {
  const disposition = await lockDisposition(tx, dispositionId);
  if (!disposition) throw missing('disposition', 'dispositionId');
  return disposition;
}
