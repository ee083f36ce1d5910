import type { CertificateToPut } from '../certificates/index.js';
import { addDays } from '../platform/calendar/index.js';
import { coverageOf } from './coverage.rules.js';
import { diceFrom } from './dice.rules.js';
import type { DemoWords } from './language.rules.js';
import { CUSTOMER_CODES, SUPPLIER_CODES } from './partners.rules.js';
import type { DemoProduct } from './products.rules.js';
import { validityOf } from './registrations.rules.js';

/** Days left on the first licences, so that something is always about to expire. */
const SOON = [5, 12, 26];

function dates(today: string, place: number): { validFrom: string; validTo: string } {
  const left = SOON[place] ?? 60 + diceFrom(7_000 + place).between(0, 1_500);
  const validTo = addDays(today, left);
  return { validFrom: addDays(validTo, -5 * 365), validTo };
}

/**
 * Licences of suppliers and customers, and registrations of products. All are in force and cover what is traded, so that the
 * demo can sell.
 */
export function demoCertificates(
  products: readonly DemoProduct[],
  today: string,
  { say, jurisdiction, licenceNo, hospitalLicenceNo, registrar }: DemoWords,
): CertificateToPut[] {
  return [
    ...SUPPLIER_CODES.map((subjectCode, place) => {
      const coverage = coverageOf(subjectCode, products);
      const validity = dates(today, place);
      return {
        certificateNo: licenceNo(subjectCode, validity.validFrom.slice(0, 4), 137 + 37 * place),
        type: say('distribution licence'),
        subjectType: 'supplier' as const,
        subjectCode,
        issuer: say('Medicines and Devices Agency'),
        jurisdiction,
        scope: say(`Distribution of medical devices, ${coverage ? 'as listed' : 'classes I to III'}`),
        coverage,
        ...validity,
      };
    }),
    ...CUSTOMER_CODES.map((subjectCode, place) => ({
      certificateNo: hospitalLicenceNo(place),
      type: say('hospital licence'),
      subjectType: 'customer' as const,
      subjectCode,
      issuer: say('Regional Health Authority'),
      validFrom: addDays(today, -400 - place),
      validTo: null,
    })),
    ...products
      .filter(({ family }) => family.riskClass !== 'I')
      .map(({ put, family, registration }) => ({
        certificateNo: put.input.registrationNo ?? put.productCode,
        type: say('registration'),
        subjectType: 'product' as const,
        subjectCode: put.productCode,
        issuer: registrar(family.riskClass),
        jurisdiction,
        ...validityOf(registration, today),
      })),
  ];
}
