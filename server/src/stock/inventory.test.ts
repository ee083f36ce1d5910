import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, openTestService } from '../../test/harness/index.js';

describe('inventory query', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  beforeAll(async () => {
    service = await openTestService();
    const adjust = (batchNo: string, expiryDate: string | null, quantityDelta: number, warehouse = 'WH-1') =>
      service.call('POST', '/v2/stock/adjustments', {
        productCode: GTIN,
        warehouse,
        batchNo,
        expiryDate,
        quantityDelta,
        reason: 'count',
      });
    await adjust('A', '2028-01-01', 7);
    await adjust('B', '2029-01-01', 5);
    await adjust('B', '2029-01-01', 2, 'WH-2');
    await adjust('C', null, 1);
    await adjust('D', '2026-11-15', 3);
    await adjust('E', '2026-11-14', 4);
  });
  afterAll(() => service.close());

  it('answers product and warehouse with one record whose parts add up', async () => {
    const { status, data } = await service.call('GET', `/v2/inventory?productCode=${GTIN}&warehouse=WH-1`);
    expect(status).toBe(200);
    expect(data).toEqual({
      productCode: GTIN,
      productName: 'Coronary stent 3.0×18',
      warehouse: 'WH-1',
      totalQuantity: 20,
      availableQuantity: 16,
      reservedQuantity: 0,
      blockedQuantity: 4,
      batches: [
        { batchNo: 'C', expiryDate: null, quantity: 1 },
        { batchNo: 'B', expiryDate: '2029-01-01', quantity: 5 },
        { batchNo: 'A', expiryDate: '2028-01-01', quantity: 7 },
        { batchNo: 'D', expiryDate: '2026-11-15', quantity: 3 },
        { batchNo: 'E', expiryDate: '2026-11-14', quantity: 4 },
      ],
    });
  });
});
