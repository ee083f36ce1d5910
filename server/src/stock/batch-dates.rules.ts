import { refuseDate } from '../platform/errors/index.js';

/** Refuses a batch manufactured after it expires, or after `day`, on which it was received. */
export function requireBatchDates(
  dates: { manufactureDate?: string | null | undefined; expiryDate?: string | null | undefined },
  day: string,
  path = '',
): void {
  const { manufactureDate = null, expiryDate = null } = dates;
  if (manufactureDate === null) return;
  const at = `${path}/manufactureDate`;
  if (expiryDate !== null && manufactureDate > expiryDate)
    throw refuseDate(at, `manufactureDate ${manufactureDate} is after expiryDate ${expiryDate}`);
  if (manufactureDate > day)
    throw refuseDate(at, `manufactureDate ${manufactureDate} is after the day of receipt, ${day}`);
}
