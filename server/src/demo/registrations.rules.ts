import { addDays } from '../platform/calendar/index.js';
import { diceFrom } from './dice.rules.js';
import { FAMILIES, type Family } from './families.rules.js';

/** One certificate of registration: it covers a family in all its sizes, or one assay of it in all its pack sizes. */
export interface Registration {
  family: Family;
  /** The year of its number. */
  year: number;
  /** Unique among all registrations. */
  serial: number;
  /** Its position among all registrations. */
  place: number;
}

/** Each assay is registered by itself; the number of tests in a kit is only a size. */
const assayOf = (size: string): string => /^(.+) \d+ tests$/.exec(size)?.[1] ?? '';

const KEYS = FAMILIES.flatMap((family) =>
  [...new Set(family.sizes.map(assayOf))].map((assay) => ({ family, assay })),
);

/** Registrations that end within weeks, with few products each. All were issued in the same year. */
const ENDING: Readonly<Record<string, number>> = {
  'Vascular closure device': 5,
  Defibrillator: 12,
  'Hernia mesh, polypropylene': 26,
};
const ENDING_YEAR = 2021;

export function registrationOf(family: Family, size: string): Registration {
  const assay = assayOf(size);
  const place = KEYS.findIndex((key) => key.family === family && key.assay === assay);
  const year = family.name in ENDING ? ENDING_YEAR : 2019 + (place % 5);
  return { family, year, serial: 140 + 17 * place, place };
}

const YEARS_OF_VALIDITY = 5;

/** Renewals keep the number, so a registration ends a multiple of five years after the year in it. */
export function validityOf({ family, year, place }: Registration, today: string) {
  const soon = ENDING[family.name];
  const validTo = soon === undefined ? endAfter(addDays(today, 60), year, place) : addDays(today, soon);
  const validity = (to: string) => ({ validFrom: addDays(to, -YEARS_OF_VALIDITY * 365), validTo: to });
  // The demo received and sold goods months ago, so they were registered by then.
  return validity(validTo).validFrom > addDays(today, -200)
    ? validity(addDays(validTo, -280))
    : validity(validTo);
}

function endAfter(earliest: string, year: number, place: number): string {
  const dice = diceFrom(7_000 + place);
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const day = `${twoDigits(dice.between(1, 12))}-${twoDigits(dice.between(1, 28))}`;
  let end = year + YEARS_OF_VALIDITY;
  while (`${end}-${day}` < earliest) end += YEARS_OF_VALIDITY;
  return `${end}-${day}`;
}
