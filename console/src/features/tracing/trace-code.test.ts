import { readUdi } from '@lotward/client';
import { expect, it } from 'vitest';
import { traceCodeOf } from './trace-code.js';

it('a batch of a product with a GTIN is traced by a code that names both', () => {
  const code = traceCodeOf('06901234567892', 'H41749B') ?? '';
  const reading = readUdi(code, { today: '2026-11-18' });
  expect(reading.ok && reading.udi).toMatchObject({ deviceIdentifier: '06901234567892', batchNo: 'H41749B' });
});

it.each([
  ['A-SPARE', 'B1'],
  ['06901234567892', ''],
  ['06901234567892', 'LOT (2)'],
  ['06901234567892', 'A'.repeat(21)],
])('goods that no GS1 code can name have no code to trace: %s %s', (productCode, batchNo) => {
  expect(traceCodeOf(productCode, batchNo)).toBeNull();
});
