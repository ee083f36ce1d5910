import { diceFrom } from './dice.rules.js';
import { CUSTOMER_CODES, WAREHOUSES } from './partners.rules.js';
import type { DemoProduct } from './products.rules.js';
import type { Goal } from './work-order.js';

export interface PlannedOrder {
  orderNo: string;
  customerCode: string;
  warehouse: string;
  daysAgo: number;
  goal: Goal;
  lines: { lineNo: number; productCode: string; quantity: number; unitPrice: string }[];
}

export interface PlannedReceipt {
  receiptNo: string;
  daysAgo: number;
  product: DemoProduct;
  warehouse: string;
  quantity: number;
}

const DAYS = 30;
const ORDERS_PER_DAY = 3;
/** The further back, the further along; a few that came to nothing. */
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

/** A month of orders, the same everywhere and always. */
export function plannedOrders(products: readonly DemoProduct[]): PlannedOrder[] {
  return Array.from({ length: DAYS * ORDERS_PER_DAY }, (_, n) => {
    const dice = diceFrom(90_000 + n);
    const daysAgo = DAYS - Math.floor(n / ORDERS_PER_DAY);
    const lines = Array.from({ length: dice.between(1, 3) }, (_line, i) => {
      const product = products[dice.between(0, products.length - 1)] as DemoProduct;
      const quantity = Math.max(2, Math.ceil(product.family.usualQuantity / 12));
      return {
        lineNo: i + 1,
        productCode: product.put.productCode,
        quantity,
        unitPrice: `${dice.between(4, 900)}.${dice.between(10, 99)}`,
      };
    });
    return {
      orderNo: `SO-${String(1_001 + n)}`,
      customerCode: dice.oneOf(CUSTOMER_CODES),
      warehouse: dice.oneOf(WAREHOUSES).code,
      daysAgo,
      goal: daysAgo <= RECENT_DAYS ? dice.oneOf(RECENT) : dice.oneOf(GOALS),
      lines,
    };
  });
}

/** Deliveries from suppliers over the same month, of products that have batches. */
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
