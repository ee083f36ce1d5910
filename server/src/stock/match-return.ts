import type { Tx } from '../platform/database/index.js';
import { type Held, readHeldQuantity, readHeldSerials } from './customer-holdings.store.js';
import { refuseStock } from './stock.errors.js';

/** Part of the goods that enter stock: their quantity, and the serials of serialized units. */
export interface Portion {
  quantity: number;
  serials: readonly string[];
}

export interface ReturnedGoods extends Held, Portion {
  /** If set, goods the customer does not hold are received too, for this reason. */
  unmatchedReason: string | null;
}

/**
 * Splits returned goods into those the customer holds and the rest, which is refused unless unmatched goods are allowed.
 * The product is locked and earlier lines are in the ledger, so no two returns match the same goods.
 */
export async function matchReturn(
  tx: Tx,
  goods: ReturnedGoods,
): Promise<{ matched: Portion; unmatched: Portion }> {
  const { matched, unmatched, held } =
    goods.serials.length > 0 ? await matchSerials(tx, goods) : await matchQuantity(tx, goods);
  if (unmatched.quantity > 0 && goods.unmatchedReason === null) {
    const [serialNo] = unmatched.serials;
    const message =
      serialNo === undefined
        ? `Customer ${goods.customerCode} holds ${held} of ${nameOf(goods)}, but ${goods.quantity} are returned. Correct the line, or allow it with unmatched.`
        : `Customer ${goods.customerCode} does not hold serial number ${serialNo} of ${nameOf(goods)}. Correct the line, or allow it with unmatched.`;
    throw refuseStock('return_not_held', null, message, { held });
  }
  return { matched, unmatched };
}

async function matchQuantity(tx: Tx, goods: ReturnedGoods) {
  const held = await readHeldQuantity(tx, goods);
  const quantity = Math.min(goods.quantity, held);
  return {
    held,
    matched: { quantity, serials: [] },
    unmatched: { quantity: goods.quantity - quantity, serials: [] as string[] },
  };
}

async function matchSerials(tx: Tx, goods: ReturnedGoods) {
  const known = await readHeldSerials(tx, goods, goods.serials);
  const portionOf = (serials: string[]) => ({ quantity: serials.length, serials });
  const matched = portionOf(goods.serials.filter((serialNo) => known.has(serialNo)));
  const unmatched = portionOf(goods.serials.filter((serialNo) => !known.has(serialNo)));
  return { held: matched.quantity, matched, unmatched };
}

const nameOf = ({ productCode, batchNo, dispatchId }: Held): string =>
  `product ${productCode}${batchNo === '' ? '' : ` batch ${batchNo}`}${dispatchId === null ? '' : ` from dispatch ${dispatchId}`}`;
