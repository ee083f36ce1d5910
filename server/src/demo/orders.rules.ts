import { diceFrom } from './dice.rules.js';
import { CUSTOMER_CODES, WAREHOUSES } from './partners.rules.js';
import type { DemoProduct } from './products.rules.js';
import { openingStock } from './stock.rules.js';
import type { Goal } from './work-order.js';

export interface PlannedOrder {
  orderNo: string;
  customerCode: string;
  warehouse: string;
  daysAgo: number;
  goal: Goal;
  lines: { lineNo: number; productCode: string; batchNo?: string; quantity: number; unitPrice: string }[];
}

export interface PlannedReceipt {
  receiptNo: string;
  daysAgo: number;
  product: DemoProduct;
  warehouse: string;
  quantity: number;
  /** Derived from the receipt if omitted. */
  batchNo?: string;
  serials?: readonly string[];
}

export const batchNoOf = ({ receiptNo, batchNo }: PlannedReceipt): string =>
  batchNo ?? `N${receiptNo.slice(3)}`;

const DAYS = 30;
const ORDERS_PER_DAY = 3;
/** Older orders are further along; a few were rejected or cancelled. */
const GOALS: readonly [Goal, ...Goal[]] = [
  'delivered',
  'delivered',
  'delivered',
  'rejected',
  'delivered',
  'cancelled',
  'delivered',
  'delivered',
];
const RECENT: readonly [Goal, ...Goal[]] = [
  'pending_approval',
  'approved',
  'dispatched',
  'partially_dispatched',
  'pending_approval',
  'approved',
  'dispatched',
];
const RECENT_DAYS = 5;

/** A month of orders for products in stock, the same in every installation. */
export function plannedOrders(products: readonly DemoProduct[], today: string): PlannedOrder[] {
  const shelves = WAREHOUSES.map(({ code }) => ({
    warehouse: code,
    products: sellableIn(code, products, today),
  }));
  return Array.from({ length: DAYS * ORDERS_PER_DAY }, (_, n) => {
    const dice = diceFrom(90_000 + n);
    const daysAgo = DAYS - Math.floor(n / ORDERS_PER_DAY);
    const shelf = shelves[dice.between(0, shelves.length - 1)] as (typeof shelves)[number];
    const lines = Array.from({ length: dice.between(1, 3) }, (_line, i) => {
      const product = shelf.products[dice.between(0, shelf.products.length - 1)] as DemoProduct;
      return {
        lineNo: i + 1,
        productCode: product.put.productCode,
        quantity: dice.between(2, 3),
        unitPrice: `${dice.between(4, 900)}.${dice.between(10, 99)}`,
      };
    });
    return {
      orderNo: `SO-${String(1_001 + n)}`,
      customerCode: dice.oneOf(CUSTOMER_CODES),
      warehouse: shelf.warehouse,
      daysAgo,
      goal: daysAgo <= RECENT_DAYS ? dice.oneOf(RECENT) : dice.oneOf(GOALS),
      lines,
    };
  });
}

const ENOUGH = 12;

/** Products with a dozen or more units of opening stock in this warehouse that do not expire soon. */
function sellableIn(warehouse: string, products: readonly DemoProduct[], today: string): DemoProduct[] {
  return products.filter((product) =>
    openingStock(product, today).some(
      (stock) =>
        stock.warehouse === warehouse &&
        stock.quantityDelta >= ENOUGH &&
        (stock.expiryDate ?? '9999') > today,
    ),
  );
}

/** Receipts from suppliers over the same month, of products tracked by batch. */
export function plannedReceipts(products: readonly DemoProduct[]): PlannedReceipt[] {
  const batched = products.filter(
    (product) => product.family.tracking === 'batch' && product.family.shelfLifeDays > 0,
  );
  return Array.from({ length: DAYS / 2 }, (_, n) => {
    const dice = diceFrom(80_000 + n);
    const product = batched[dice.between(0, batched.length - 1)] as DemoProduct;
    return {
      receiptNo: `GR-${String(501 + n)}`,
      daysAgo: DAYS - 2 * n,
      product,
      warehouse: dice.oneOf(WAREHOUSES).code,
      quantity: product.family.usualQuantity,
    };
  });
}
