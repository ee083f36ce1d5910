import type { CertificateToPut } from '../certificates/index.js';
import { addDays } from '../platform/calendar/index.js';
import { coverageOf } from './coverage.rules.js';
import { diceFrom } from './dice.rules.js';
import type { DemoWords } from './language.rules.js';
import { CUSTOMER_CODES, SUPPLIER_CODES } from './partners.rules.js';
import type { DemoProduct } from './products.rules.js';

/** Days left for the first certificates of each kind, so that something is always about to expire. */
const SOON = [5, 12, 26];

function dates(today: string, place: number): Pick<CertificateToPut, 'validFrom' | 'validTo'> {
  const left = SOON[place] ?? 60 + diceFrom(7_000 + place).between(0, 1_500);
  const validTo = addDays(today, left);
  return { validFrom: addDays(validTo, -5 * 365), validTo };
}

/** Licences of suppliers and customers, registrations of products. All are in force and cover what is traded, so that the demo can sell. */
export function demoCertificates(
  products: readonly DemoProduct[],
  today: string,
  { say, jurisdiction }: DemoWords,
): CertificateToPut[] {
  const year = today.slice(0, 4);
  return [
    ...SUPPLIER_CODES.map((subjectCode, place) => {
      const coverage = coverageOf(subjectCode, products);
      return {
        certificateNo: `DL-${year}-${String(4_100 + 37 * place)}`,
        type: say('distribution licence'),
        subjectType: 'supplier' as const,
        subjectCode,
        issuer: say('Medicines and Devices Agency'),
        jurisdiction,
        scope: say(`Distribution of medical devices, ${coverage ? 'as listed' : 'classes I to III'}`),
        coverage,
        ...dates(today, place),
      };
    }),
    ...CUSTOMER_CODES.map((subjectCode, place) => ({
      certificateNo: `HL-${String(220_010 + 3 * place)}`,
      type: say('hospital licence'),
      subjectType: 'customer' as const,
      subjectCode,
      issuer: say('Regional Health Authority'),
      validFrom: addDays(today, -400 - place),
      validTo: null,
    })),
    ...products
      .filter(({ family }) => family.riskClass !== 'I')
      .map(({ put }, place) => ({
        certificateNo: put.input.registrationNo ?? put.productCode,
        type: say('registration'),
        subjectType: 'product' as const,
        subjectCode: put.productCode,
        issuer: say('Notified Body 0123'),
        jurisdiction,
        ...dates(today, place),
      })),
  ];
}
