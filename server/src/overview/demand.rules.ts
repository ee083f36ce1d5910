import { addDays } from '../platform/calendar/index.js';

/** The period from which demand is estimated. */
const DEMAND_DAYS = 90;

export interface Demand {
  /** Units shipped in the last 90 days. */
  shippedQuantity: number;
  /** Units that open orders still require; null if the caller may not read orders. */
  openQuantity: number | null;
  /**
   * Usable units of the same product that expire earlier, or on the same day with a lower batch number: they are used first.
   */
  expiringEarlier: number;
  /** Units of the product that are likely to be used by the end of the batch. */
  expectedUse: number;
  /** Units of the batch that then remain. */
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
 * Whether a batch will be used in time, assuming that demand stays as in the last 90 days, that at least all open orders are
 * served, and that the earliest expiry is used first. Nothing of an expired batch is used.
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

/** The last instant of the period from which demand is estimated. */
export const demandSince = (now: Date): Date => new Date(now.getTime() - DEMAND_DAYS * DAY_MS);

/** The expiry dates with this many days left. */
export const datesLeft = (
  today: string,
  { minDays, maxDays }: { minDays?: number | undefined; maxDays?: number | undefined },
): { from: string | undefined; through: string | undefined } => ({
  from: minDays === undefined ? undefined : addDays(today, minDays),
  through: maxDays === undefined ? undefined : addDays(today, maxDays),
});
