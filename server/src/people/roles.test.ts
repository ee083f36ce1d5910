import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newSession, openTestService } from '../../test/harness/index.js';
import { ROLES } from './roles.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

/** A dispatch that waits for its re-check, picked by the person with these headers. */
async function pickedBy(orderNo: string, headers: Record<string, string>): Promise<string> {
  const post = async <D>(path: string, body: object, by?: Record<string, string>) => {
    const answer = await service.api.call<D>(
      'POST',
      path,
      body,
      by === undefined ? service.org.key : undefined,
      by,
    );
    if (answer.status !== 200) throw new Error(`POST ${path}: ${answer.text}`);
    return answer.data;
  };
  const goods = { productCode: GTIN, batchNo: orderNo, warehouse: 'WH-1' };
  const entered = { ...goods, expiryDate: '2030-01-01', quantityDelta: 2, reason: 'opening stock' };
  await post('/v2/stock/adjustments', entered);
  const lines = [{ lineNo: 1, productCode: GTIN, batchNo: orderNo, quantity: 2, unitPrice: '1' }];
  const { orderId } = await post<{ orderId: string }>('/v2/orders', {
    orderNo,
    customerCode: 'HOSP-1',
    warehouse: 'WH-1',
    currency: 'EUR',
    lines,
  });
  await post(`/v2/orders/${orderId}/approve`, {});
  const { dispatchId } = await post<{ dispatchId: string }>('/v2/dispatches', { orderId });
  const picks = [{ lineNo: 1, batchNo: orderNo, quantity: 2 }];
  await post(`/v2/dispatches/${dispatchId}/picks`, { picks }, headers);
  return dispatchId;
}

describe('the role quality', () => {
  const recheck = (dispatchId: string, headers: Record<string, string>) =>
    service.api.call('POST', `/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' }, undefined, headers);

  it('re-checks what somebody else picked, and never what it picked itself', async () => {
    const { orgId } = service.org.organization;
    const warehouse = await newSession(service.db, orgId, { role: 'warehouse' });
    const quality = await newSession(service.db, orgId, { role: 'quality' });
    const passed = await recheck(await pickedBy('OTHER', warehouse.headers), quality.headers);
    expect(passed).toMatchObject({ status: 200, data: { status: 'dispatched', recheckedBy: quality.email } });
    const refused = await recheck(await pickedBy('OWN', quality.headers), quality.headers);
    expect(refused).toMatchObject({ status: 400, reason: 'same_person' });
  });

  it('allows quality decisions to admin and quality, and the reserved read scope to the warehouse too', () => {
    const withScope = (scope: string) =>
      Object.entries(ROLES)
        .filter(([, { scopes }]) => (scopes as readonly string[]).includes(scope))
        .map(([role]) => role);
    expect(withScope('quality:write')).toEqual(['admin', 'quality']);
    expect(withScope('quality:read')).toEqual(['admin', 'quality', 'warehouse']);
  });
});
