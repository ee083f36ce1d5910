import type { PlannedOrder, PlannedReceipt } from './orders.rules.js';
import { CUSTOMER_CODES, FEATURED_WAREHOUSE } from './partners.rules.js';
import type { DemoProduct } from './products.rules.js';

/** The batch of the greeting's example trace. */
export const FEATURED_BATCH = 'TRACE-1';

/** A batch and some serialized units that can be followed from their supplier to a customer. */
export function plannedTraces(
  products: readonly DemoProduct[],
): { receipt: PlannedReceipt; order: PlannedOrder }[] {
  const [featured] = products;
  const numbered = products.find((product) => product.family.tracking === 'serial');
  const goods = [
    { product: featured, batchNo: FEATURED_BATCH, serials: [], received: 6, sold: 6 },
    { product: numbered, batchNo: 'TRACE-2', serials: ['TRACE-2-001', 'TRACE-2-002'], received: 2, sold: 1 },
  ];
  return goods.flatMap(({ product, batchNo, serials, received, sold }, n) => {
    if (!product) return [];
    const { productCode } = product.put;
    const warehouse = FEATURED_WAREHOUSE;
    const [customerCode] = CUSTOMER_CODES;
    const line = { lineNo: 1, productCode, batchNo, quantity: sold, unitPrice: '120.00' };
    return [
      {
        receipt: {
          receiptNo: `GR-${601 + n}`,
          daysAgo: 20,
          product,
          warehouse,
          quantity: received,
          batchNo,
          serials,
        },
        order: {
          orderNo: `SO-${1_201 + n}`,
          customerCode,
          warehouse,
          daysAgo: 12,
          goal: 'delivered' as const,
          lines: [line],
        },
      },
    ];
  });
}
