import { tradePartiesLocker } from '../catalogue/index.js';
import { gateReader } from '../certificates/index.js';
import { incomingStockLocker } from '../stock/index.js';

// Selected in SQL, so that everything an acceptance depends on is sent together with the lock of its receipt.
const isPending = `r.org_id = $1 and r.receipt_id = $2 and r.status = 'pending_acceptance'`;
const lines = `receipt_lines l join receipts r on r.receipt_id = l.receipt_id
  where l.org_id = $1 and l.receipt_id = $2 and ${isPending}`;
const purchased = {
  partnerCodes: `array(select r.supplier_code from receipts r where ${isPending} and r.kind = 'purchase')`,
  productCodes: `array(select distinct l.product_code from ${lines} and r.kind = 'purchase')`,
};

/**
 * Locks the supplier, then the products of a receipt that waits for acceptance; nothing for a return. Values: the id of the
 * receipt.
 */
export const lockPartiesOfPurchase = tradePartiesLocker(purchased);

/** The gate of the same receipt. */
export const readGateOfPurchase = gateReader({ partnerType: 'supplier', ...purchased });

/**
 * Locks the products of a receipt that waits for acceptance and reads the stock that its goods are added to. Value: its id.
 */
export const lockStockOfReceipt = incomingStockLocker(
  `select l.product_code, l.batch_no, r.warehouse, l.serials from ${lines}`,
);
