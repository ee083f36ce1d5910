import { unknownWarehouses } from '../catalogue/index.js';
import { latestTold } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseReference } from '../platform/errors/index.js';
import { canonicalCode } from '../platform/gtin/index.js';
import { newId } from '../platform/ids/index.js';
import { lockStockedProducts } from './balance.store.js';
import { dropExpiredReservations } from './reservation.store.js';
import { refuseStock } from './stock.errors.js';
import type { Movement, StockedProduct } from './stock.js';

/** The product a body names, locked for the rest of the transaction. */
export async function lockProductOf(tx: Tx, productCode: string): Promise<StockedProduct> {
  const code = canonicalCode(productCode);
  const product = (await lockStockedProducts(tx, [code])).get(code);
  if (!product) throw refuseReference('/productCode', `product ${productCode}`);
  // Its stock is about to change: what has expired meanwhile is promised to nobody any more.
  await dropExpiredReservations(tx, [code]);
  return product;
}

/** Warehouses a body names, by the path at which it names them. */
export async function requireWarehouses(tx: Tx, named: Readonly<Record<string, string>>): Promise<void> {
  const unknown = await unknownWarehouses(tx, Object.values(named));
  for (const [path, code] of Object.entries(named)) {
    if (unknown.includes(code)) throw refuseReference(path, `warehouse ${code}`);
  }
}

/** When it happened: as told, but not in the future; now when not told. */
export function occurredAt(tx: Tx, told: string | undefined): Date {
  const at = told === undefined ? tx.now : new Date(told);
  if (at.getTime() > latestTold(tx.now)) throw refuseStock('in_the_future', '/occurredAt');
  return at;
}

type Given = Pick<
  Movement,
  'kind' | 'productCode' | 'warehouse' | 'batchNo' | 'quantity' | 'quantityDelta' | 'document'
>;

/** A row for the ledger, with what the transaction itself knows filled in. */
export function movementOf(tx: Tx, given: Given & Partial<Movement>): Movement {
  return {
    movementId: newId('mov', tx.now),
    serials: [],
    counterparty: null,
    reason: null,
    occurredAt: tx.now,
    recordedAt: tx.now,
    actor: tx.actor,
    ...given,
  };
}
