import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import type { RejectedGoods } from '../receiving/index.js';
import {
  batchKey,
  type Hold,
  type HoldReduction,
  linkHold,
  lockStockedProducts,
  readBatchDates,
  type UnmatchedGoods,
} from '../stock/index.js';
import { type NewNonconformity, saveNewNonconformity, shiftNonconformity } from './nonconformity.store.js';

/** Enters goods rejected at acceptance into the register. They never become stock. */
export async function registerRejected(tx: Tx, rejected: readonly RejectedGoods[]): Promise<void> {
  for (const { receiptId, receiptNo, lineNo, ...goods } of rejected) {
    const source = { kind: 'receipt' as const, id: receiptId, no: receiptNo, line: lineNo };
    await enter(tx, { ...goods, source, inStock: false });
  }
}

/** Enters a return that the customer did not hold. From now on its hold names the entry. */
export async function registerUnmatched(
  tx: Tx,
  { hold, document, customerCode, warehouse }: UnmatchedGoods,
): Promise<void> {
  const ncId = await enterHeld(tx, hold, {
    source: { kind: 'return', id: document.id, no: document.no, line: document.line },
    customerCode,
    warehouse,
  });
  linkHold(tx, hold.holdId, ncId);
}

/** Enters exactly the goods of a hold on a quantity or on serial numbers. */
export async function enterHeld(
  tx: Tx,
  hold: Hold,
  given: Pick<NewNonconformity, 'source' | 'customerCode' | 'warehouse'>,
): Promise<string> {
  const { productCode, batchNo, serials, quantity, reason } = hold;
  const [product] = (await lockStockedProducts(tx, [productCode])).values();
  const dates = await readBatchDates(tx, [hold]);
  return enter(tx, {
    ...given,
    ...{ productCode, batchNo, serials, reason },
    productName: product?.productName ?? productCode,
    quantity: quantity ?? 0,
    expiryDate: dates.get(batchKey(hold))?.expiryDate ?? null,
    supplierCode: null,
    inStock: true,
  });
}

async function enter(tx: Tx, given: Omit<NewNonconformity, 'ncId'>): Promise<string> {
  const entry = { ...given, ncId: newId('nc', tx.now) };
  saveNewNonconformity(tx, entry);
  await recordAudit(tx, {
    action: 'nonconformity.register',
    entityType: 'nonconformity',
    entityId: entry.ncId,
    reason: entry.reason,
    after: entry,
  });
  return entry.ncId;
}

/** Units of the register that left their hold without a disposition: released by quality, or adjusted out. */
const STATE_AFTER = { released: 'released', adjusted: 'adjusted', disposed: 'executed' } as const;

export async function noteReduction(tx: Tx, { ncId, quantity, cause }: HoldReduction): Promise<void> {
  shiftNonconformity(tx, ncId, { [STATE_AFTER[cause]]: quantity });
}
