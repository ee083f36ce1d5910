import { expect, it } from 'vitest';
import { shippedBatches } from './shipped-batches.js';

const to = (code: string) => ({ type: 'customer' as const, code });

it('a batch is offered once, with all that was shipped of it and to how many customers', () => {
  const movements = [
    { batchNo: 'B2', quantity: 1, counterparty: to('HOSP-1') },
    { batchNo: 'B1', quantity: 4, counterparty: to('HOSP-1') },
    { batchNo: 'B1', quantity: 2, counterparty: to('HOSP-2') },
    { batchNo: 'B1', quantity: 3, counterparty: to('HOSP-1') },
    { batchNo: '', quantity: 9, counterparty: to('HOSP-1') },
  ];
  expect(shippedBatches(movements)).toEqual([
    { batchNo: 'B1', quantity: 9, customers: 2 },
    { batchNo: 'B2', quantity: 1, customers: 1 },
  ]);
});
