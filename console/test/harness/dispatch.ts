import { GTIN } from '../../../server/test/harness/index.js';
import type { ConsoleWorld } from './world.js';

/** A dispatch of the stent that waits to be picked, all of it from one batch. */
export async function openDispatch(
  at: ConsoleWorld,
  orderNo: string,
  batchNo: string,
  quantity: number,
): Promise<string> {
  await at.must('POST', '/v2/stock/adjustments', {
    productCode: GTIN,
    batchNo,
    expiryDate: '2030-12-31',
    warehouse: 'WH-1',
    quantityDelta: quantity,
    reason: 'opening stock',
  });
  const line = { lineNo: 1, productCode: GTIN, batchNo, quantity, unitPrice: '1' };
  const sale = { warehouse: 'WH-1', currency: 'EUR', customerCode: 'HOSP-1', lines: [line] };
  const { orderId } = await at.must<{ orderId: string }>('POST', '/v2/orders', { orderNo, ...sale });
  await at.must('POST', `/v2/orders/${orderId}/approve`, {});
  const { dispatchId } = await at.must<{ dispatchId: string }>('POST', '/v2/dispatches', { orderId });
  return dispatchId;
}
