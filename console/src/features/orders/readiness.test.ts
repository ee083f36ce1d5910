import { describe, expect, it } from 'vitest';
import { isReady, licencesOf, type Readiness } from './readiness.js';

const issue = (productCode: string | null) => ({
  reason: 'certificate_does_not_cover',
  message: 'does not cover',
  certificateType: 'licence',
  productCode,
});
const inForce = { certificateNo: 'C-1', type: 'licence', validTo: null };
const readiness = (part: Partial<Readiness> = {}): Readiness => ({
  orderId: 'ord_1',
  suspensions: [],
  certificates: null,
  lines: [],
  ...part,
});

describe('the licences of a line', () => {
  const certificates: NonNullable<Readiness['certificates']> = {
    gate: 'refuse',
    subjects: [
      { subjectType: 'customer', subjectCode: 'H', inForce: [inForce], issues: [issue('A')] },
      { subjectType: 'product', subjectCode: 'A', inForce: [inForce], issues: [] },
      { subjectType: 'product', subjectCode: 'B', inForce: [], issues: [issue(null)] },
    ],
  };

  it('are those of its product and of the customer, as far as they concern it', () => {
    expect(licencesOf(certificates, 'A')).toEqual({ issues: [issue('A')], inForce: 2 });
    expect(licencesOf(certificates, 'B')).toEqual({ issues: [issue(null)], inForce: 1 });
  });
});

describe('an order can be approved', () => {
  const lacking = { subjectType: 'customer' as const, subjectCode: 'H', inForce: [], issues: [issue(null)] };

  it('if nothing is missing and nobody is suspended', () => {
    expect(isReady(readiness())).toBe(true);
    const line = { lineNo: 1, productCode: 'A', neededQuantity: 2, availableQuantity: 1, batches: [] };
    const sources = { reservations: [], holds: [], receipts: null, warehouses: [] };
    expect(isReady(readiness({ lines: [{ ...line, missingQuantity: 1, sources }] }))).toBe(false);
    expect(isReady(readiness({ suspensions: [{ path: null, reason: 'x', message: 'x' }] }))).toBe(false);
  });

  it('without a licence only where the organization lets it through', () => {
    expect(isReady(readiness({ certificates: { gate: 'warn', subjects: [lacking] } }))).toBe(true);
    expect(isReady(readiness({ certificates: { gate: 'refuse', subjects: [lacking] } }))).toBe(false);
  });
});
