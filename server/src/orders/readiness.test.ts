import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  GTIN,
  newOrganization,
  openTestService,
  stockCatalogue,
  type TestOrganization,
} from '../../test/harness/index.js';
import { updateOrganization } from '../organizations/index.js';

interface Goods {
  batchNo: string;
  quantity: number;
}
interface Readiness {
  suspensions: { path: string | null; reason: string }[];
  certificates: {
    gate: string;
    subjects: {
      subjectType: string;
      subjectCode: string;
      inForce: { certificateNo: string; validTo: string | null }[];
      issues: { reason: string; productCode: string | null }[];
    }[];
  } | null;
  lines:
    | {
        lineNo: number;
        neededQuantity: number;
        availableQuantity: number;
        missingQuantity: number;
        batches: Goods[];
        sources: {
          reservations: (Goods & { orderNo: string })[];
          holds: (Goods & { holdId: string; category: string })[];
          receipts: (Goods & { receiptNo: string })[] | null;
          warehouses: { warehouse: string; quantity: number }[];
        };
      }[]
    | null;
}

let service: Awaited<ReturnType<typeof openTestService>>;
let org: TestOrganization;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.db.clock.set('2026-11-15T10:00:00.000Z');
  org = await newOrganization(service.db);
  await stockCatalogue(service.api, org.key);
  await must('PUT', '/v2/warehouses/WH-2', { name: 'Second warehouse' });
});

async function must<D = { orderId: string }>(method: string, path: string, body?: object): Promise<D> {
  const answer = await service.call<D>(method, path, body, org.key);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}
const stock = (batchNo: string, quantity: number, part: object = {}) =>
  must('POST', '/v2/stock/adjustments', {
    productCode: GTIN,
    warehouse: 'WH-1',
    batchNo,
    expiryDate: '2030-01-01',
    quantityDelta: quantity,
    reason: 'opening stock',
    ...part,
  });
const line = (quantity: number, part: object = {}) => ({
  lineNo: 1,
  productCode: GTIN,
  quantity,
  unitPrice: '1.00',
  ...part,
});
const order = async (orderNo: string, lines: object[], part: object = {}): Promise<string> => {
  const body = { orderNo, customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR', lines, ...part };
  return (await must('POST', '/v2/orders', body)).orderId;
};
const approve = (orderId: string) =>
  service.call<unknown>('POST', `/v2/orders/${orderId}/approve`, {}, org.key);
const readiness = (orderId: string): Promise<Readiness> =>
  must<Readiness>('GET', `/v2/orders/${orderId}/readiness`);

describe('stock of an order that waits for approval', () => {
  it('is shown as approval would reserve it: by line, earliest expiry first, without taking it', async () => {
    await stock('LATE', 5, { expiryDate: '2031-01-01' });
    await stock('SOON', 3, { expiryDate: '2027-01-01' });
    const orderId = await order('O-1', [line(4), line(3, { lineNo: 2 })]);
    const { lines } = await readiness(orderId);
    expect(lines).toMatchObject([
      { lineNo: 1, neededQuantity: 4, availableQuantity: 8, missingQuantity: 0 },
      { lineNo: 2, neededQuantity: 3, availableQuantity: 4, missingQuantity: 0 },
    ]);
    expect(lines?.map(({ batches }) => batches)).toMatchObject([
      [
        { batchNo: 'SOON', quantity: 3 },
        { batchNo: 'LATE', quantity: 1 },
      ],
      [{ batchNo: 'LATE', quantity: 3 }],
    ]);
    const approved = await approve(orderId);
    expect(approved.status).toBe(200);
    expect((approved.data as { lines: { reserved: Goods[] }[] }).lines.map((each) => each.reserved)).toEqual(
      lines?.map(({ batches }) => batches),
    );
  });

  it('counts only batches that the line accepts', async () => {
    await stock('NAMED', 2);
    await stock('SHORT-LIVED', 9, { expiryDate: '2026-12-01' });
    const ofBatch = await readiness(await order('O-1', [line(5, { batchNo: 'NAMED' })]));
    expect(ofBatch.lines).toMatchObject([{ availableQuantity: 2, missingQuantity: 3 }]);
    const lasting = await readiness(await order('O-2', [line(5, { minRemainingShelfLifeDays: 90 })]));
    expect(lasting.lines).toMatchObject([{ availableQuantity: 2, missingQuantity: 3 }]);
  });

  it('that is missing may be with later orders, on hold, on its way or in other warehouses', async () => {
    await stock('B1', 10);
    await stock('B2', 4, { warehouse: 'WH-2' });
    await must('POST', '/v2/stock/holds', {
      productCode: GTIN,
      batchNo: 'B1',
      warehouse: 'WH-1',
      quantity: 2,
      reason: 'box is torn',
    });
    for (const [orderNo, requestedDate] of [
      ['EARLIER', '2026-12-01'],
      ['LATER', '2026-12-20'],
      ['SOME-DAY', null],
    ] as const)
      expect((await approve(await order(orderNo, [line(2)], { requestedDate }))).status).toBe(200);
    await must('POST', '/v2/receipts', {
      receiptNo: 'R-1',
      supplierCode: 'SUP-1',
      warehouse: 'WH-1',
      lines: [{ lineNo: 1, productCode: GTIN, batchNo: 'B3', expiryDate: '2030-06-30', quantity: 7 }],
    });
    const short = await order('SHORT', [line(6)], { requestedDate: '2026-12-10' });
    const { lines } = await readiness(short);
    expect(lines).toMatchObject([{ neededQuantity: 6, availableQuantity: 2, missingQuantity: 4 }]);
    const sources = lines?.[0]?.sources;
    expect(
      sources?.reservations.map(({ orderNo, batchNo, quantity }) => [orderNo, batchNo, quantity]),
    ).toEqual([
      ['SOME-DAY', 'B1', 2],
      ['LATER', 'B1', 2],
    ]);
    expect(sources?.holds).toMatchObject([{ batchNo: 'B1', quantity: 2, category: 'quality' }]);
    expect(sources?.receipts).toMatchObject([{ receiptNo: 'R-1', batchNo: 'B3', quantity: 7 }]);
    expect(sources?.warehouses).toEqual([{ warehouse: 'WH-2', quantity: 4 }]);
  });

  it('does not name as a source what the line would not accept, or what expired', async () => {
    await stock('B2', 4, { warehouse: 'WH-2' });
    await stock('B3', 4, { warehouse: 'WH-2', expiryDate: '2026-11-16' });
    const orderId = await order('O-1', [line(1, { batchNo: 'B3' })]);
    expect((await readiness(orderId)).lines?.[0]?.sources.warehouses).toEqual([
      { warehouse: 'WH-2', quantity: 4 },
    ]);
    service.db.clock.set('2026-11-17T10:00:00.000Z');
    expect((await readiness(orderId)).lines?.[0]?.sources.warehouses).toEqual([]);
  });
});

describe('licences', () => {
  const certify = (subjectType: string, subjectCode: string, part: object = {}) =>
    must('POST', '/v2/certificates', {
      certificateNo: `C-${subjectCode}`,
      type: 'licence',
      subjectType,
      subjectCode,
      issuer: 'Office',
      validFrom: '2026-01-01',
      validTo: null,
      ...part,
    });

  it('of the customer and the products are shown with what they lack, and whether that refuses approval', async () => {
    await stock('B1', 10);
    await certify('customer', 'HOSP-1', { validTo: '2026-11-14' });
    await certify('product', GTIN, { validTo: '2027-01-31' });
    const orderId = await order('O-1', [line(1)]);
    const { certificates } = await readiness(orderId);
    expect(certificates?.subjects).toMatchObject([
      {
        subjectType: 'customer',
        subjectCode: 'HOSP-1',
        inForce: [],
        issues: [{ reason: 'certificate_not_in_force' }],
      },
      { subjectType: 'product', subjectCode: GTIN, inForce: [{ validTo: '2027-01-31' }], issues: [] },
    ]);
    expect(certificates?.gate).toBe('refuse');
    expect((await approve(orderId)).status).toBe(400);
    await updateOrganization(service.db.database, 'operator@test.example', org.organization.orgId, {
      certificateGate: 'warn',
    });
    expect((await readiness(orderId)).certificates?.gate).toBe('warn');
    expect((await approve(orderId)).status).toBe(200);
  });

  it('that do not cover a product name it', async () => {
    await certify('customer', 'HOSP-1', { coverage: [{ riskClasses: ['I'] }] });
    const { certificates } = await readiness(await order('O-1', [line(1)]));
    expect(certificates?.subjects[0]?.issues).toMatchObject([
      { reason: 'certificate_does_not_cover', productCode: GTIN },
    ]);
  });
});

it('a suspended customer is named before approval is refused', async () => {
  const orderId = await order('O-1', [line(1)]);
  await must('PATCH', '/v2/partners/HOSP-1', { status: 'suspended' });
  expect((await readiness(orderId)).suspensions).toMatchObject([{ reason: 'customer_suspended' }]);
});

it('an approved order needs only what it lacks; one that is over needs nothing', async () => {
  await stock('B1', 5);
  const orderId = await order('O-1', [line(5)]);
  expect((await approve(orderId)).status).toBe(200);
  expect((await readiness(orderId)).lines).toEqual([]);
  const hold = { productCode: GTIN, batchNo: 'B1', warehouse: 'WH-1', reason: 'check' };
  await must('POST', '/v2/stock/holds', hold);
  expect((await readiness(orderId)).lines).toMatchObject([
    { neededQuantity: 5, missingQuantity: 5, sources: { holds: [{ batchNo: 'B1', quantity: 5 }] } },
  ]);
  await must('POST', `/v2/orders/${orderId}/cancel`, { reason: 'ordered twice' });
  expect(await readiness(orderId)).toMatchObject({ lines: null, certificates: null, suspensions: [] });
});

it('each part needs the scope of its area', async () => {
  const orderId = await order('O-1', [line(1)]);
  const read = async (...scopes: string[]) => {
    const { apiKey } = await org.newKey({ scopes });
    return (await service.call<Readiness>('GET', `/v2/orders/${orderId}/readiness`, undefined, apiKey)).data;
  };
  expect(await read('orders:read')).toMatchObject({ lines: null, certificates: null });
  const withStock = await read('orders:read', 'inventory:read');
  expect(withStock.lines?.[0]?.sources.receipts).toBeNull();
  expect(withStock.certificates).toBeNull();
  expect((await read('orders:read', 'certificates:read')).certificates).not.toBeNull();
});
