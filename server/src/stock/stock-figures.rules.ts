import { addDays } from '../platform/calendar/index.js';
import type { Tally } from './stock-tally.js';

/** Batches in stock and their units. */
interface Amount {
  batches: number;
  quantity: number;
}

export interface StockFigures {
  total: number;
  available: number;
  reserved: number;
  blocked: number;
  /** Products with stock. */
  products: number;
  /** Batches in stock by the month of their expiry, from the current month on. */
  nearExpiry: ({ month: string } & Amount)[];
  /** By days left. `throughDays` null: expired. */
  byExpiry: ({ throughDays: number | null } & Amount)[];
}

export const MONTHS = 12;
/** The days left at which a band ends; expired stock is a separate band. */
const EXPIRY_BANDS = [30, 60, 90, 180] as const;

/** Totals of tallies by expiry date, as of a day; total = available + reserved + blocked. A batch is usable through its expiry date. */
export function figuresOf(tallies: readonly Tally[], today: string): StockFigures {
  const expired = tallies.filter(({ expiryDate }) => isExpired(expiryDate, today));
  const usable = tallies.filter(({ expiryDate }) => !isExpired(expiryDate, today));
  const sum = (rows: readonly Tally[], name: 'total' | 'reserved' | 'held' | 'batches' | 'products') =>
    rows.reduce((total, row) => total + row[name], 0);
  const amountOf = (rows: readonly Tally[]): Amount => ({
    batches: sum(rows, 'batches'),
    quantity: sum(rows, 'total'),
  });
  const total = sum(tallies, 'total');
  const reserved = sum(usable, 'reserved');
  const blocked = sum(expired, 'total') + sum(usable, 'held');
  let after = '';
  const bands = EXPIRY_BANDS.map((throughDays) => {
    const last = addDays(today, throughDays);
    const band = usable.filter(
      ({ expiryDate }) => isDay(expiryDate) && expiryDate > after && expiryDate <= last,
    );
    after = last;
    return { throughDays, ...amountOf(band) };
  });
  return {
    ...{
      total,
      available: total - reserved - blocked,
      reserved,
      blocked,
      products: sum(tallies, 'products'),
    },
    nearExpiry: monthsFrom(today).map((month) => ({
      month,
      ...amountOf(usable.filter(({ expiryDate }) => expiryDate.startsWith(month))),
    })),
    byExpiry: [{ throughDays: null, ...amountOf(expired) }, ...bands],
  };
}

const isDay = (date: string): boolean => !date.endsWith('infinity');
const isExpired = (date: string, today: string): boolean =>
  date === '-infinity' || (isDay(date) && date < today);

function monthsFrom(day: string): string[] {
  const first = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  return Array.from({ length: MONTHS }, (_, i) => {
    const month = first + i;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}
