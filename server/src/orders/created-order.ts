import { canonicalAmount } from './money.rules.js';
import type { Order } from './order.js';
import type { NewOrder } from './order.store.js';

/** A new order in the form in which it is read after it is stored. */
export const toCreatedOrder = (
  { orderId, customerCode, orderNo, content, words, sourceVersion, createdBy }: NewOrder,
  at: Date,
): Order => ({
  orderId,
  orderNo,
  customerCode,
  customerName: words.customerName,
  status: 'pending_approval',
  onHold: false,
  warehouse: content.warehouse,
  requestedDate: content.requestedDate,
  currency: content.currency,
  remark: content.remark,
  sourceVersion,
  warnings: [],
  version: 1,
  createdAt: at,
  createdBy,
  updatedAt: at,
  lines: content.lines.map((line) => ({
    lineNo: line.lineNo,
    productCode: line.productCode,
    ...words.ofProduct(line.productCode),
    quantity: line.quantity,
    unitPrice: canonicalAmount(line.unitPrice),
    batchNo: line.batchNo,
    minRemainingShelfLifeDays: line.minRemainingShelfLifeDays,
    reserved: [],
    dispatchedQuantity: 0,
    deliveredQuantity: 0,
    closedQuantity: 0,
  })),
  statusHistory: [
    {
      previousStatus: null,
      currentStatus: 'pending_approval',
      changedBy: createdBy,
      changedAt: at,
      reason: null,
    },
  ],
});
