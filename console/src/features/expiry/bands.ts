/** Bands of the days that batches have left, in the order in which they are shown. */
export const BANDS = ['expired', '30', '60', '90', '180'] as const;
type Band = (typeof BANDS)[number];

const DAYS: Readonly<Record<Band, { minDays?: number; maxDays: number }>> = {
  expired: { maxDays: -1 },
  '30': { minDays: 0, maxDays: 30 },
  '60': { minDays: 31, maxDays: 60 },
  '90': { minDays: 61, maxDays: 90 },
  '180': { minDays: 91, maxDays: 180 },
};

/** The parameters of the list for a band and a month (`2026-12`); what is not one of them is left out. */
export function periodOf(band: string | undefined, month: string | undefined): object {
  return {
    ...(BANDS.includes(band as Band) ? DAYS[band as Band] : {}),
    ...(month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month)
      ? { expiresFrom: `${month}-01`, expiresThrough: lastDayOf(month) }
      : {}),
  };
}

/** The batches of a band that are counted by band; undefined where other batches are chosen, or where nothing is counted yet. */
export function countOf(
  { band, month, productCode, warehouse }: Partial<Record<string, string>>,
  figures: readonly { batches: number }[] | undefined,
): number | undefined {
  if (month ?? productCode ?? warehouse) return undefined;
  return figures?.[BANDS.indexOf(band as Band)]?.batches;
}

function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** So many months, beginning with the one of this day: `2026-12`. */
export const monthsFrom = (day: Date, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + at)).toISOString().slice(0, 7),
  );
