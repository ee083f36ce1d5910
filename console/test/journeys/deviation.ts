import { expect } from 'vitest';
import { button, type ConsoleWorld, dialog, field, inFullTier, said, type Visit } from '../harness/index.js';

export const testDeviation = (desk: () => { world: ConsoleWorld; visit: Visit }) =>
  inFullTier(
    'goods that came too warm are accepted only with a reason, which the receipt and its record show',
    60_000,
    async () => {
      const { world, visit } = desk();
      const productCode = 'COLD-1';
      const storage = { temperatureMin: 2, temperatureMax: 8 };
      await world.must('PUT', `/v2/products/${productCode}`, { productName: 'Tissue glue', storage });
      const { receiptId } = await world.must<{ receiptId: string }>('POST', '/v2/receipts', {
        ...{ receiptNo: 'WARM-1', kind: 'purchase', supplierCode: 'SUP-1', warehouse: 'WH-2' },
        transportTemperature: 12,
        lines: [{ lineNo: 1, productCode, batchNo: 'W1', expiryDate: '2030-12-31', quantity: 5 }],
      });
      const { page } = visit;
      await visit.go(`/receipts/${receiptId}`);
      await page.getByText('The recorded transport temperature is outside these conditions.').waitFor();
      await button(page, 'Record acceptance').click();
      await button(dialog(page), 'Record acceptance').click();
      await dialog(page).getByText('Say why you accept these goods.').waitFor();
      const read = () => world.must<{ status: string; lines: object[] }>('GET', `/v2/receipts/${receiptId}`);
      expect((await read()).status).toBe('pending_acceptance');
      await field(dialog(page), 'Reason for accepting these goods').fill('ten minutes at the gate');
      await button(dialog(page), 'Record acceptance').click();
      await said(page, 'Acceptance recorded.');
      await page.getByRole('cell', { name: 'Deviation accepted: ten minutes at the gate' }).waitFor();
      await visit.go(`/receipts/${receiptId}/record`);
      await page.getByText('Deviation accepted: ten minutes at the gate').waitFor();
      expect((await read()).lines).toMatchObject([
        { rejectReason: null, deviationReason: 'ten minutes at the gate' },
      ]);
    },
  );
