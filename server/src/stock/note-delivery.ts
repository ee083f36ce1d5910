import type { Tx } from '../platform/database/index.js';
import { lockStockedProducts } from './balance.store.js';
import type { Shipment } from './dispatch-stock.js';
import { movementOf } from './locate-stock.js';
import { appendMovements } from './movement.store.js';

export interface Delivery extends Omit<Shipment, 'order' | 'dispatchId'> {
  /** The warehouse it was shipped from. */
  warehouse: string;
  deliveredAt: Date;
}

/** Appends a delivery to the ledger. It changes no balance, but belongs to the history of the goods. */
export async function noteDelivery(tx: Tx, delivery: Delivery): Promise<void> {
  const { picks, warehouse, document, customerCode, deliveredAt } = delivery;
  await lockStockedProducts(tx, [...new Set(picks.map((pick) => pick.productCode))].sort());
  appendMovements(
    tx,
    picks.map(({ lineNo, productCode, batchNo, quantity, serials }) =>
      movementOf(tx, {
        kind: 'delivery',
        productCode,
        warehouse,
        batchNo,
        quantity,
        quantityDelta: 0,
        serials: [...serials],
        document: { ...document, line: lineNo },
        counterparty: { type: 'customer', code: customerCode },
        occurredAt: deliveredAt,
      }),
    ),
  );
}
