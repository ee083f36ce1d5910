import { addDays } from '../platform/calendar/index.js';
import type { Adjustment, HoldRequest } from '../stock/index.js';
import { type Dice, diceFrom } from './dice.rules.js';
import { FEATURED_WAREHOUSE, WAREHOUSES } from './partners.rules.js';
import type { DemoProduct } from './products.rules.js';

const REASON = 'opening stock';
/** Before the first order of the history, so that no goods leave before they arrive. */
export const STOCKED_DAYS_AGO = 32;

/** Days left for the batches in the greeting's example call: expired, near expiry, on hold and available. */
const FEATURED_DAYS_LEFT = [-20, 45, 400, 700, 1_000];

/** Opening stock of a product. Batch numbers do not depend on the day, so that holds can refer to them. */
export function openingStock(product: DemoProduct, today: string): Adjustment[] {
  const dice = diceFrom(7_000 + product.place);
  if (product.family.tracking === 'none') return looseStock(product, dice);
  const count = product.place === 0 ? FEATURED_DAYS_LEFT.length : dice.between(1, 5);
  return Array.from({ length: count }, (_, n) => batchStock(product, dice, n, today)).flat();
}

function looseStock({ put, family }: DemoProduct, dice: Dice): Adjustment[] {
  return WAREHOUSES.map(({ code }) => ({
    productCode: put.productCode,
    warehouse: code,
    quantityDelta: around(family.usualQuantity, dice),
    reason: REASON,
  }));
}

function batchStock(product: DemoProduct, dice: Dice, n: number, today: string): Adjustment[] {
  const { family, put, place } = product;
  const batchNo = `${family.maker.charAt(0)}${dice.between(20_000, 79_999)}${'ABCDE'.charAt(n)}`;
  const daysLeft = place === 0 ? (FEATURED_DAYS_LEFT[n] ?? 0) : throwDaysLeft(dice, family.shelfLifeDays);
  const expiryDate = family.shelfLifeDays === 0 ? null : addDays(today, daysLeft);
  const stocked = addDays(today, -STOCKED_DAYS_AGO);
  const made =
    expiryDate === null ? addDays(today, -dice.between(30, 600)) : addDays(expiryDate, -family.shelfLifeDays);
  const batch = {
    productCode: put.productCode,
    batchNo,
    expiryDate,
    // Goods are made before they arrive.
    manufactureDate: made < stocked ? made : addDays(stocked, -1),
    reason: REASON,
  };
  const home = place === 0 ? FEATURED_WAREHOUSE : dice.oneOf(WAREHOUSES).code;
  const alsoIn = dice.between(1, 10) <= 3 ? dice.oneOf(WAREHOUSES).code : home;
  return [...new Set([home, alsoIn])].map((warehouse) => {
    const quantityDelta = around(family.usualQuantity, dice);
    if (family.tracking !== 'serial') return { ...batch, warehouse, quantityDelta };
    const serials = Array.from(
      { length: quantityDelta },
      (_, i) => `${batchNo}-${warehouse.charAt(3)}${String(i + 1).padStart(3, '0')}`,
    );
    return { ...batch, warehouse, quantityDelta, serials };
  });
}

/** Most batches have one to four years left, some are near expiry, a few have expired. Never more than the shelf life. */
function throwDaysLeft(dice: Dice, shelfLifeDays: number): number {
  const thrown = dice.between(1, 100);
  if (thrown <= 6) return -dice.between(3, 90);
  if (thrown <= 16) return dice.between(5, 170);
  return Math.min(dice.between(365, 4 * 365), shelfLifeDays - dice.between(10, 90));
}

const around = (usual: number, dice: Dice): number =>
  Math.max(1, Math.round((usual * dice.between(40, 160)) / 100));

const WHOLE_BATCH_REASONS = [
  'temperature excursion in transport, being assessed',
  'certificate of conformity missing',
  'complaint from a customer under investigation',
] as const;

/** A few products have something on hold: a whole batch, some damaged units, or one device. */
export function openingHolds(product: DemoProduct, today: string): HoldRequest[] {
  const { place, family } = product;
  const stock = openingStock(product, today);
  const last = stock.at(-1);
  if (!last || family.tracking === 'none') return [];
  const of = { productCode: last.productCode, batchNo: last.batchNo };
  if (family.tracking === 'serial')
    return place % 3 === 0
      ? [
          {
            ...of,
            serials: last.serials?.slice(0, 1),
            category: 'quality',
            reason: 'sent back for calibration',
          },
        ]
      : [];
  if (place % 23 === 0 && last.quantityDelta > 2)
    return [{ ...of, warehouse: last.warehouse, quantity: 2, reason: 'outer packaging damaged' }];
  if (place % 23 === 11)
    return [
      {
        ...of,
        category: 'quality',
        reason: WHOLE_BATCH_REASONS[place % WHOLE_BATCH_REASONS.length] ?? REASON,
      },
    ];
  return [];
}
