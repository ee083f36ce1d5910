import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { holdStock, linkHold } from '../stock/index.js';
import type { NonconformityRecord } from './nonconformity.js';
import { findNonconformity } from './nonconformity.store.js';
import { enterHeld } from './register-goods.js';

export interface NonconformityRequest {
  productCode: string;
  batchNo?: string | undefined;
  warehouse: string;
  quantity: number;
  serials?: readonly string[] | undefined;
  reason: string;
}

/** Registers goods in stock that do not conform, and puts exactly these on a quality hold. */
export async function createNonconformity(tx: Tx, input: NonconformityRequest): Promise<NonconformityRecord> {
  const hold = await holdStock(tx, { ...input, category: 'quality' });
  const source = { kind: 'manual' as const, id: null, no: null, line: null };
  const ncId = await enterHeld(tx, hold, { source, customerCode: null, warehouse: input.warehouse });
  linkHold(tx, hold.holdId, ncId);
  return readNonconformity(tx, ncId);
}

export async function readNonconformity(tx: Tx, ncId: string): Promise<NonconformityRecord> {
  const entry = await findNonconformity(tx, ncId);
  if (!entry) throw missing('nonconformity', 'ncId');
  return entry;
}
