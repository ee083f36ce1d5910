import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Documents, documentsOf } from '../access/documents.js';
import { toLoopback } from '../access/pushes.js';
import { GTIN, openTestService } from '../harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let webhookId: string;

beforeAll(async () => {
  service = await openTestService({ webhooks: toLoopback });
  const stock = { productCode: GTIN, warehouse: 'WH-1', batchNo: 'LOT-1', expiryDate: '2030-01-01' };
  await must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 1_000, reason: 'opening' });
  const expired = { ...stock, batchNo: 'LOT-OLD', expiryDate: '2026-01-01', quantityDelta: 1 };
  await must('POST', '/v2/stock/adjustments', { ...expired, reason: 'opening' });
  await must('PUT', '/v2/partners/HOSP-2', { name: 'Hospital', roles: ['customer'], status: 'suspended' });
  await must('PUT', '/v2/products/P-II', { productName: 'Two', riskClass: 'II', status: 'suspended' });
  const hook = { callbackUrl: 'http://127.0.0.1:9/hooks' };
  const eventTypes = ['order.status_changed', 'inventory.low_stock'];
  webhookId = (await must<{ webhookId: string }>('POST', '/v2/webhooks', { ...hook, eventTypes })).webhookId;
  // It has no stock when it gets a safety stock: an event.
  for (const safetyStock of [0, 9])
    await must('PUT', '/v2/products/P-III', { productName: 'Three', riskClass: 'III', safetyStock });
  const customer = { name: 'Customer', roles: ['customer'] };
  await must('PUT', '/v2/partners/HOSP-3', customer);
  await fill(await documentsOf(service.api, service.org, 'MANY', { customerCode: 'HOSP-3', ...hook }));
});
afterAll(() => service.close());

async function must<D>(method: string, path: string, body?: object): Promise<D> {
  const answer = await service.call<D>(method, path, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
  return answer.data;
}

/** Documents in at least two states each. */
async function fill(documents: Documents): Promise<void> {
  const reason = { reason: 'done' };
  await documents.order('pending');
  await documents.order('approved');
  await documents.receipt();
  await must('POST', `/v2/receipts/${await documents.receipt()}/cancel`, reason);
  const back = { lineNo: 1, productCode: GTIN, batchNo: 'LOT-1', quantity: 1 };
  await documents.dispatch('dispatched');
  await documents.dispatch('picking');
  const returned = { receiptNo: 'RET-1', kind: 'return', customerCode: 'HOSP-1', warehouse: 'WH-1' };
  await must('POST', '/v2/receipts', { ...returned, lines: [back] });
  await documents.recall();
  await must('POST', `/v2/recalls/${await documents.settledRecall()}/close`, {
    ...reason,
    unanswered: [],
  });
  for (const state of ['active', 'suspended'] as const) await documents.certificate(state);
  const licence = { certificateNo: 'L-1', type: 'licence', subjectType: 'supplier', subjectCode: 'SUP-1' };
  await must('POST', '/v2/certificates', { ...licence, issuer: 'office', validFrom: '2026-01-01' });
  await documents.hold();
  await must('POST', `/v2/stock/holds/${await documents.hold()}/release`, reason);
  await documents.disposition('proposed');
  await documents.disposition('approved');
  await documents.import();
  await must('POST', `/v2/imports/${await documents.import()}/cancel`, {});
  await documents.alert();
  const point = { name: 'New', warehouse: 'WH-1', humidity: { min: 20, max: 60 } };
  await must('PUT', '/v2/environment/points/NEW', point);
  const at = service.db.clock.now().toISOString();
  await must('POST', '/v2/environment/readings', { readings: [{ pointId: 'NEW', at, humidity: 90 }] });
  await must('PUT', '/v2/environment/points/IDLE', point);
}

/** Each list with the values of a parameter that some of its items have. */
const filters: [path: string, id: string, parameter: string, values: string[]][] = [
  ['/v2/products', 'productCode', 'status', ['active', 'suspended']],
  ['/v2/products', 'productCode', 'riskClass', ['II', 'III']],
  ['/v2/partners', 'code', 'role', ['customer', 'supplier']],
  ['/v2/partners', 'code', 'status', ['active', 'suspended']],
  ['/v2/orders', 'orderId', 'status', ['pending_approval', 'approved']],
  ['/v2/receipts', 'receiptId', 'status', ['pending_acceptance', 'cancelled']],
  ['/v2/receipts', 'receiptId', 'kind', ['purchase', 'return']],
  ['/v2/dispatches', 'dispatchId', 'status', ['picking', 'dispatched']],
  ['/v2/recalls', 'recallId', 'status', ['open', 'closed']],
  ['/v2/certificates', 'certificateId', 'status', ['valid', 'suspended']],
  ['/v2/certificates', 'certificateId', 'subjectType', ['product', 'supplier']],
  ['/v2/stock/holds', 'holdId', 'status', ['active', 'released']],
  ['/v2/stock/holds', 'holdId', 'category', ['quality', 'recall']],
  ['/v2/stock/movements', 'movementId', 'kind', ['adjustment', 'dispatch']],
  ['/v2/stock/batches', 'productCode batchNo', 'status', ['released', 'recalled']],
  ['/v2/imports', 'importId', 'kind', ['products', 'opening_stock']],
  ['/v2/imports', 'importId', 'status', ['queued', 'cancelled']],
  ['/v2/quality/nonconformities', 'ncId', 'status', ['open', 'decided']],
  ['/v2/quality/nonconformities', 'ncId', 'source', ['manual', 'receipt']],
  ['/v2/quality/dispositions', 'dispositionId', 'status', ['proposed', 'approved']],
  ['/v2/quality/dispositions', 'dispositionId', 'kind', ['destroy', 'release']],
  ['/v2/environment/points', 'pointId', 'state', ['alert', 'no_data']],
  ['/v2/environment/alerts', 'alertId', 'status', ['open', 'closed']],
  ['/v2/environment/alerts', 'alertId', 'metric', ['temperature', 'humidity']],
  ['/v2/settings/keys', 'keyId', 'status', ['active', 'revoked']],
  ['/v2/webhooks/{webhookId}/deliveries', 'deliveryId', 'status', ['pending', 'failed']],
  [
    '/v2/webhooks/{webhookId}/deliveries',
    'deliveryId',
    'eventType',
    ['order.status_changed', 'inventory.low_stock'],
  ],
];
/** Values that no item has: the others are shown alone. */
const NONE = new Set(['receipt', 'release', 'revoked', 'failed', 'opening_stock']);

describe.each(filters)('the list %s', (path, id, parameter, values) => {
  const url = (given: readonly string[]) =>
    `${path.replace('{webhookId}', webhookId)}?limit=200&${given.map((value) => `${parameter}=${value}`).join('&')}`;
  const idsOf = async (...given: string[]) =>
    (await must<{ items: Record<string, string>[] }>('GET', url(given))).items.map((item) =>
      id
        .split(' ')
        .map((field) => item[field])
        .join(' '),
    );

  it(`may be repeated: items with ${parameter} ${values.join(' or ')}`, async () => {
    const alone = await Promise.all(values.map((value) => idsOf(value)));
    for (const [place, value] of values.entries())
      expect([value, alone[place]?.length === 0]).toEqual([value, NONE.has(value)]);
    const together = await idsOf(...values);
    expect([...together].sort()).toEqual([...new Set(alone.flat())].sort());
    expect(await idsOf(...[...values].reverse())).toEqual(together);
    // The whole list in its order, without what has another value.
    expect(together).toEqual((await idsOf()).filter((each) => together.includes(each)));
  });

  it(`with a ${parameter} that is none, or with too many, is refused`, async () => {
    for (const [given, reason] of [
      [[values[0] ?? '', 'nonsense'], 'not_allowed'],
      [Array.from({ length: 50 }, () => values[0] ?? ''), 'bad_item_count'],
    ] as const) {
      const answer = await service.call('GET', url(given));
      expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, parameter]);
    }
  });
});
