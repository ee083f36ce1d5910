/** Bands by the days that batches have left, in the order of the service's figures. */
export const BANDS = ['expired', '30', '60', '90', '180'] as const;
type Band = (typeof BANDS)[number];

const DAYS: Readonly<Record<Band, { minDays?: number; maxDays: number }>> = {
  expired: { maxDays: -1 },
  '30': { minDays: 0, maxDays: 30 },
  '60': { minDays: 31, maxDays: 60 },
  '90': { minDays: 61, maxDays: 90 },
  '180': { minDays: 91, maxDays: 180 },
};
/** Without a band: batches of all bands that can still be sold. */
const SOON = { minDays: 0, maxDays: DAYS['180'].maxDays };

const isBand = (text: string | undefined): text is Band => BANDS.includes(text as Band);

/** The parameters of the list for a month (`2026-12`) or a band; by default, the next 180 days. */
export function periodOf(band: string | undefined, month: string | undefined): object {
  if (month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    return { expiresFrom: `${month}-01`, expiresThrough: lastDayOf(month) };
  return isBand(band) ? DAYS[band] : SOON;
}

interface Figure {
  batches: number;
  quantity: number;
}
const NONE: Figure = { batches: 0, quantity: 0 };

/** The stock of a band; by default, of the next 180 days. Undefined while it is not counted yet. */
export function figureOf(
  band: string | undefined,
  figures: readonly Figure[] | undefined,
): Figure | undefined {
  if (isBand(band)) return figures?.[BANDS.indexOf(band)];
  return figures
    ?.slice(1)
    .reduce(
      (sum, each) => ({ batches: sum.batches + each.batches, quantity: sum.quantity + each.quantity }),
      NONE,
    );
}

/** The number of batches in the list; undefined if other filters restrict it. */
export const countOf = (
  { band, month, productCode, warehouse }: Partial<Record<string, string>>,
  figures: readonly Figure[] | undefined,
): number | undefined => ((month ?? productCode ?? warehouse) ? undefined : figureOf(band, figures)?.batches);

function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** This many months, beginning with the month of this day: `2026-12`. */
export const monthsFrom = (day: Date, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + at)).toISOString().slice(0, 7),
  );
