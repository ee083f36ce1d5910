import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, openTestService } from '../harness/index.js';

interface Order {
  orderId: string;
  result: string;
  status: string;
  lines: { reserved: { batchNo: string; quantity: number }[] }[];
}

describe('from receipt to delivery', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  let second: string;
  beforeAll(async () => {
    service = await openTestService();
    second = (await service.org.newKey({ owner: 'second@person.example' })).apiKey;
  });
  afterAll(() => service.close());

  const must = async <D>(method: string, path: string, body?: unknown, key?: string): Promise<D> => {
    const answer = await service.call<D>(method, path, body, key);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.data;
  };
  const stock = async () => {
    const d = await must<{ totalQuantity: number; availableQuantity: number; reservedQuantity: number }>(
      'GET',
      `/v2/inventory?productCode=${GTIN}&warehouse=WH-1`,
    );
    return [d.totalQuantity, d.availableQuantity, d.reservedQuantity];
  };

  it('every step moves the stock, the order and the feed together', async () => {
    const receipt = await must<{ receiptId: string }>('POST', '/v2/receipts', {
      receiptNo: 'R-1',
      supplierCode: 'SUP-1',
      warehouse: 'WH-1',
      lines: [
        { lineNo: 1, productCode: GTIN, batchNo: 'B1', expiryDate: '2030-01-01', quantity: 100 },
        { lineNo: 2, productCode: GTIN, batchNo: 'B0', expiryDate: '2029-01-01', quantity: 50 },
      ],
    });
    await must('POST', `/v2/receipts/${receipt.receiptId}/acceptance`, {
      lines: [
        { lineNo: 1, acceptedQuantity: 100, rejectedQuantity: 0 },
        { lineNo: 2, acceptedQuantity: 50, rejectedQuantity: 0 },
      ],
    });
    expect(await stock()).toEqual([150, 150, 0]);
    const body = {
      orderNo: 'SO-1',
      customerCode: 'HOSP-1',
      warehouse: 'WH-1',
      currency: 'EUR',
      lines: [{ lineNo: 1, productCode: GTIN, quantity: 60, unitPrice: '10.00' }],
    };
    const order = await must<Order>('POST', '/v2/orders', body);
    expect([order.result, order.status]).toEqual(['created', 'pending_approval']);
    expect((await must<Order>('POST', '/v2/orders', body)).result).toBe('unchanged');
    expect((await must<Order>('POST', '/v2/orders', { ...body, remark: 'x' })).result).toBe('updated');
    const approved = await must<Order>('POST', `/v2/orders/${order.orderId}/approve`, {});
    expect(approved.lines[0]?.reserved.map((r) => [r.batchNo, r.quantity])).toEqual([
      ['B0', 50],
      ['B1', 10],
    ]);
    expect(await stock()).toEqual([150, 90, 60]);
    const dispatch = await must<{ dispatchId: string }>('POST', '/v2/dispatches', { orderId: order.orderId });
    const picks = {
      picks: [
        { lineNo: 1, batchNo: 'B0', quantity: 50 },
        { lineNo: 1, batchNo: 'B1', quantity: 10 },
      ],
    };
    await must('POST', `/v2/dispatches/${dispatch.dispatchId}/picks`, picks);
    expect(
      (await service.call('POST', `/v2/dispatches/${dispatch.dispatchId}/recheck`, { result: 'pass' }))
        .reason,
    ).toBe('same_person');
    await must(
      'POST',
      `/v2/dispatches/${dispatch.dispatchId}/recheck`,
      { result: 'fail', reason: 'label' },
      second,
    );
    await must('POST', `/v2/dispatches/${dispatch.dispatchId}/picks`, picks);
    await must('POST', `/v2/dispatches/${dispatch.dispatchId}/recheck`, { result: 'pass' }, second);
    expect(await stock()).toEqual([90, 90, 0]);
    await must('POST', `/v2/dispatches/${dispatch.dispatchId}/delivery`, {
      receivedBy: 'ward',
      receivedAt: '2026-11-15T10:00:00Z',
    });
    expect((await must<Order>('GET', `/v2/orders/${order.orderId}`)).status).toBe('delivered');
    const feed = await must<{
      items: { eventType: string; data: { previousStatus: string; currentStatus: string } }[];
    }>('GET', '/v2/events');
    expect(feed.items.map((e) => e.eventType)).toEqual([
      'inventory.inbound_completed',
      'order.status_changed',
      'inventory.outbound_completed',
      'order.status_changed',
      'order.status_changed',
    ]);
  });

  it('forty approvals at once reserve what there is and no more', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const order = await must<Order>('POST', '/v2/orders', {
          orderNo: `H-${i}`,
          customerCode: 'HOSP-1',
          warehouse: 'WH-1',
          currency: 'EUR',
          lines: [{ lineNo: 1, productCode: GTIN, quantity: 10, unitPrice: '10' }],
        });
        return order.orderId;
      }),
    );
    const answers = await Promise.all(ids.map((id) => service.call('POST', `/v2/orders/${id}/approve`, {})));
    expect(answers.filter((a) => a.status === 200)).toHaveLength(9);
    expect(answers.filter((a) => a.reason === 'insufficient_stock')).toHaveLength(31);
    expect(await stock()).toEqual([90, 0, 90]);
  });
});
