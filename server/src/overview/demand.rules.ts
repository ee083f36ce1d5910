import { addDays } from '../platform/calendar/index.js';

/** The past by which demand is judged. */
const DEMAND_DAYS = 90;

export interface Demand {
  /** Units shipped in the last 90 days. */
  shippedQuantity: number;
  /** Units that open orders still want; null if the caller may not read orders. */
  openQuantity: number | null;
  /** Units of the same product that can be used and expire before this batch, or with it and by a smaller number: they are used first. */
  expiringEarlier: number;
  /** Units of the product that are likely to be used by the end of the batch. */
  expectedUse: number;
  /** Units of the batch that are then still there. */
  surplus: number;
}

interface BatchInStock {
  batchNo: string;
  expiryDate: string;
  totalQuantity: number;
  blockedQuantity: number;
}

/** A day is counted from today through the last day of use. */
const DAY_MS = 86_400_000;
export const daysLeft = (expiryDate: string, today: string): number =>
  Math.round((Date.parse(expiryDate) - Date.parse(today)) / DAY_MS);

/**
 * Whether a batch is used in time: it goes on as in the last 90 days, at least what is ordered is taken, and what expires first goes first. Of an
 * expired batch nothing is used any more.
 */
export function demandFor(
  batch: BatchInStock,
  today: string,
  past: { shippedQuantity: number; openQuantity: number | null },
  usable: readonly { batchNo: string; expiryDate: string | null; quantity: number }[],
): Demand {
  const isEarlier = (other: { batchNo: string; expiryDate: string | null }) =>
    other.expiryDate !== null &&
    (other.expiryDate < batch.expiryDate ||
      (other.expiryDate === batch.expiryDate && other.batchNo < batch.batchNo));
  const expiringEarlier = usable.filter(isEarlier).reduce((sum, { quantity }) => sum + quantity, 0);
  const days = daysLeft(batch.expiryDate, today);
  if (days < 0) return { ...past, expiringEarlier, expectedUse: 0, surplus: batch.totalQuantity };
  const expectedUse = Math.max(
    Math.floor((past.shippedQuantity * (days + 1)) / DEMAND_DAYS),
    past.openQuantity ?? 0,
  );
  const left = Math.max(0, expectedUse - expiringEarlier);
  // Goods on hold are not sold unless somebody releases them.
  const sellable = batch.totalQuantity - batch.blockedQuantity;
  return {
    ...past,
    expiringEarlier,
    expectedUse,
    surplus: batch.totalQuantity - Math.min(sellable, left),
  };
}

/** The last instant of the past by which demand is judged. */
export const demandSince = (now: Date): Date => new Date(now.getTime() - DEMAND_DAYS * DAY_MS);

/** The days of expiry that have so many days left. */
export const datesLeft = (
  today: string,
  { minDays, maxDays }: { minDays?: number | undefined; maxDays?: number | undefined },
): { from: string | undefined; through: string | undefined } => ({
  from: minDays === undefined ? undefined : addDays(today, minDays),
  through: maxDays === undefined ? undefined : addDays(today, maxDays),
});
