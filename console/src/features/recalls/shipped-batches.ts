import type { Item } from '@lotward/client';

export type ShippingMovement = Pick<Item<'/v2/stock/movements'>, 'batchNo' | 'quantity' | 'counterparty'>;

export interface ShippedBatch {
  batchNo: string;
  quantity: number;
  customers: number;
}

/** The shipped batches, and the number of customers of each. */
export function shippedBatches(movements: readonly ShippingMovement[]): ShippedBatch[] {
  const found = new Map<string, { quantity: number; customers: Set<string> }>();
  for (const { batchNo, quantity, counterparty } of movements) {
    if (!batchNo) continue;
    const batch = found.get(batchNo) ?? { quantity: 0, customers: new Set() };
    batch.quantity += quantity;
    if (counterparty) batch.customers.add(counterparty.code);
    found.set(batchNo, batch);
  }
  return [...found]
    .map(([batchNo, { quantity, customers }]) => ({ batchNo, quantity, customers: customers.size }))
    .sort((a, b) => a.batchNo.localeCompare(b.batchNo));
}
