import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const stockReasons = {
  insufficient_stock: {
    kind: 'invalid',
    meaning: 'there is not enough stock',
    remedy: 'Query the inventory; receive or transfer stock first, or ask for less.',
  },
  already_stocked: {
    kind: 'invalid',
    meaning: 'this batch has had stock in this warehouse before, so this is not its opening stock',
    remedy:
      'If the row was imported before, leave it out. Correct a quantity with POST /v2/stock/adjustments.',
  },
  quantity_too_large: {
    kind: 'invalid',
    meaning: 'a balance cannot hold that much',
    remedy: 'One batch in one warehouse holds at most 2000000000. Check the quantity.',
  },
  stock_reserved: {
    kind: 'invalid',
    meaning: 'the stock to be taken is reserved for orders',
    remedy: 'Cancel or change those orders first, or take less.',
  },
  stock_held: {
    kind: 'invalid',
    meaning: 'the stock to be moved is on hold',
    remedy:
      'Name the hold with `holdId`: the goods stay under it. Goods under two holds of which one would stay behind can be moved once one of them is released.',
  },
  stock_blocked: {
    kind: 'invalid',
    meaning: 'picked stock has since expired, been recalled or put on hold',
    remedy: 'Fail the re-check, pick other stock, and re-check again.',
  },
  batch_recalled: {
    kind: 'invalid',
    meaning: 'the batch or the serialized unit is recalled',
    remedy: 'Take other stock. Recalled stock can be sold again once a disposition has released it.',
  },
  batch_required: {
    kind: 'invalid',
    meaning: 'this product is tracked by batch',
    remedy: 'Give `batchNo`.',
  },
  batch_not_tracked: {
    kind: 'invalid',
    meaning: 'this product is not tracked by batch',
    remedy: 'Leave `batchNo` empty.',
  },
  batch_expiry_mismatch: {
    kind: 'invalid',
    meaning: 'the batch is on record with a different expiry date',
    remedy: 'Check the label; one batch has one expiry date.',
  },
  expiry_date_required: {
    kind: 'invalid',
    meaning: 'a new batch needs its expiry date',
    remedy: 'Give `expiryDate`; null for a batch that does not expire.',
  },
  serials_required: {
    kind: 'invalid',
    meaning: 'this product is tracked by serial number',
    remedy: 'Name as many `serials` as the quantity.',
  },
  serials_not_tracked: {
    kind: 'invalid',
    meaning: 'this product is not tracked by serial number',
    remedy: 'Leave `serials` out.',
  },
  serial_in_stock: {
    kind: 'invalid',
    meaning: 'a serial number is in stock already',
    remedy: 'A serial number names one serialized unit of a product. Check the label.',
  },
  serial_batch_mismatch: {
    kind: 'invalid',
    meaning: 'a serial number is known under another batch',
    remedy: 'A serialized unit keeps its batch, also when it is returned. Check the label.',
  },
  serial_not_in_stock: {
    kind: 'invalid',
    meaning: 'a serial number is not in stock there',
    remedy: 'Check the serial number, the batch and the warehouse.',
  },
  warehouse_required: {
    kind: 'invalid',
    meaning: 'the batch is in several warehouses',
    remedy: 'Give `warehouse`: the one in which the quantity is to be held.',
  },
  same_warehouse: {
    kind: 'invalid',
    meaning: 'both warehouses are the same',
    remedy: 'Name two warehouses.',
  },
  in_the_future: {
    kind: 'invalid',
    meaning: 'the instant is in the future',
    remedy: 'Give the instant at which it happened.',
  },
  return_not_held: {
    kind: 'invalid',
    meaning: 'the customer does not hold that much of it according to the ledger',
    remedy:
      'Check product, batch, serial numbers and customer; `held` says how much can be returned. With the scope `quality:write`, `unmatched` on the receipt accepts it, on hold.',
  },
  no_change: {
    kind: 'invalid',
    meaning: 'the batch already has these dates',
    remedy: 'No action is needed.',
  },
  hold_released: {
    kind: 'invalid',
    meaning: 'the hold is already released',
    remedy: 'No action is needed. To move the stock, leave `holdId` out.',
  },
  hold_mismatch: {
    kind: 'invalid',
    meaning: 'the hold does not cover these goods',
    remedy: 'Read the hold: product, batch, warehouse and serial numbers must be among those it covers.',
  },
  hold_changed: {
    kind: 'invalid',
    meaning: 'the hold no longer covers the goods that were decided about',
    remedy: 'Units were adjusted out, moved or released since. Reject the disposition and propose it again.',
  },
  held_otherwise: {
    kind: 'invalid',
    meaning: 'another hold covers part of the batch, and it is not known which units',
    remedy: 'Decide about that hold first, or destroy or return the goods instead of releasing them.',
  },
  recall_hold: {
    kind: 'invalid',
    meaning: 'this hold blocks recalled goods',
    remedy: 'Decide on the goods with a disposition. Closing the recall does not release them.',
  },
  release_reason_required: {
    kind: 'invalid',
    meaning: 'only a logistics hold can be released without a reason',
    remedy: 'Give `reason`: what was found, and by which test or check.',
  },
  hold_in_disposition: {
    kind: 'invalid',
    meaning: 'a disposition decides about the goods under this hold',
    remedy: 'Reject or execute the disposition first.',
  },
} as const satisfies Reasons;

export const refuseStock = refusalOf(stockReasons);
