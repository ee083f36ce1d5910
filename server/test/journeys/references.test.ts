import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, stockCatalogue } from '../harness/index.js';
import { openFlow, type World } from './flow-world.js';

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

const issuesOf = async (method: string, path: string, body: unknown) => {
  const answer = await world.call(method, path, body);
  expect([path, answer.status, answer.code]).toEqual([path, 400, 1001]);
  return answer.json.errors;
};
const shortOf = async (method: string, path: string, body: unknown) =>
  (await issuesOf(method, path, body)).map((issue) => [issue.path, issue.reason]);
const unknown = (...paths: string[]) => paths.map((path) => [path, 'unknown_reference']);

describe('all unknown references of a body are listed', () => {
  it('of an order, with what to do about each', async () => {
    const body = {
      ...world.orderBody({ productCode: 'NOTHING' }, {}, { productCode: 'NOR/THIS' }),
      customerCode: 'NOBODY',
      warehouse: 'NOWHERE',
    };
    expect(await issuesOf('POST', '/v2/orders', body)).toEqual([
      {
        path: '/customerCode',
        reason: 'unknown_reference',
        message: 'Customer NOBODY does not exist. Create it with PUT /v2/partners/NOBODY.',
      },
      {
        path: '/warehouse',
        reason: 'unknown_reference',
        message: 'Warehouse NOWHERE does not exist. Create it with PUT /v2/warehouses/NOWHERE.',
      },
      {
        path: '/lines/0/productCode',
        reason: 'unknown_reference',
        message: 'Product NOTHING does not exist. Create it with PUT /v2/products/NOTHING.',
      },
      {
        path: '/lines/2/productCode',
        reason: 'unknown_reference',
        message: 'Product NOR/THIS does not exist. Create it with PUT /v2/products/NOR%2FTHIS.',
      },
    ]);
  });

  it('of a receipt, named by code and by scan', async () => {
    const [line] = world.receiptBody().lines;
    const body = {
      ...world.receiptBody(),
      supplierCode: 'NOBODY',
      warehouse: 'NOWHERE',
      lines: [
        { ...line, productCode: 'NOTHING' },
        { lineNo: 2, udi: '(01)00844588003288(10)B1', expiryDate: '2030-01-01' },
        { ...line, lineNo: 3, productCode: 'NOTHING' },
      ],
    };
    expect(await shortOf('POST', '/v2/receipts', body)).toEqual(
      unknown('/supplierCode', '/warehouse', '/lines/0/productCode', '/lines/2/productCode', '/lines/1/udi'),
    );
  });

  it('of operations on stock', async () => {
    const goods = { productCode: 'NOTHING', batchNo: 'B1' };
    const reason = 'test';
    expect(
      await shortOf('POST', '/v2/stock/adjustments', {
        ...goods,
        warehouse: 'NOWHERE',
        quantityDelta: 1,
        expiryDate: '2030-01-01',
        reason,
      }),
    ).toEqual(unknown('/productCode', '/warehouse'));
    expect(
      await shortOf('POST', '/v2/stock/transfers', {
        ...goods,
        from: 'NOWHERE',
        to: 'NOR-THERE',
        quantity: 1,
      }),
    ).toEqual(unknown('/productCode', '/from', '/to'));
    expect(await shortOf('POST', '/v2/stock/holds', { ...goods, warehouse: 'NOWHERE', reason })).toEqual(
      unknown('/productCode', '/warehouse'),
    );
    expect(
      await shortOf('POST', '/v2/stock/holds', {
        productCode: GTIN,
        batchNo: 'NONE',
        warehouse: 'NOWHERE',
        reason,
      }),
    ).toEqual(unknown('/warehouse', '/batchNo'));
  });

  it('of readings, each point once, and of a recall each batch or serial number', async () => {
    const at = world.db.clock.now().toISOString();
    const readings = ['P-1', 'P-2', 'P-1'].map((pointId) => ({ pointId, at, temperature: 5 }));
    expect(await shortOf('POST', '/v2/environment/readings', { readings })).toEqual(
      unknown('/readings/0/pointId', '/readings/1/pointId'),
    );
    const recall = { recallNo: 'RC-1', productCode: GTIN, class: 'II', reason: 'test' };
    expect(await shortOf('POST', '/v2/recalls', { ...recall, batchNos: ['X1', 'X2'] })).toEqual(
      unknown('/batchNos/0', '/batchNos/1'),
    );
    expect(
      await shortOf('POST', '/v2/recalls', { ...recall, productCode: 'PUMP-1', serials: ['X1', 'X2'] }),
    ).toEqual(unknown('/serials/0', '/serials/1'));
  });

  it('of scans', async () => {
    await world.receive({ batchNo: 'SCAN' });
    const { orderId } = await world.approved({ batchNo: 'SCAN', quantity: 2 });
    const { dispatchId } = await world.open(orderId);
    const scans = ['(01)00844588003288(10)B1', `(01)${GTIN}(10)SCAN`, '(01)04012345678901(10)B1'];
    expect(await shortOf('POST', `/v2/dispatches/${dispatchId}/picks`, { scans })).toEqual(
      unknown('/scans/0', '/scans/2'),
    );
  });
});

describe('a partner without the needed role is named, with its roles and what to do', () => {
  const supplierAsCustomer = (path: string) => [
    {
      path,
      reason: 'wrong_partner_role',
      message:
        'Partner SUP-1 (Acme Devices) has the role supplier, but this needs the role customer. Add it with PUT /v2/partners/SUP-1, or name another partner.',
    },
  ];

  it('in an order and in a return', async () => {
    const order = { ...world.orderBody({}), customerCode: 'SUP-1' };
    expect(await issuesOf('POST', '/v2/orders', order)).toEqual(supplierAsCustomer('/customerCode'));
    const { supplierCode: _, ...receipt } = world.receiptBody();
    const back = { ...receipt, kind: 'return', customerCode: 'SUP-1' };
    expect(await issuesOf('POST', '/v2/receipts', back)).toEqual(supplierAsCustomer('/customerCode'));
  });

  it('in a certificate and in a warehouse', async () => {
    const certificate = {
      subjectType: 'customer',
      subjectCode: 'SUP-1',
      type: 'licence',
      certificateNo: 'C-1',
      issuer: 'authority',
      validFrom: '2026-01-01',
    };
    expect(await issuesOf('POST', '/v2/certificates', certificate)).toEqual(
      supplierAsCustomer('/subjectCode'),
    );
    const cabinet = { name: 'Cabinet', kind: 'consignment', customerCode: 'SUP-1' };
    expect(await issuesOf('PUT', '/v2/warehouses/CAB', cabinet)).toEqual(supplierAsCustomer('/customerCode'));
  });

  it('in a purchase and in a product', async () => {
    const reasons = [['/supplierCode', 'wrong_partner_role']];
    expect(await shortOf('POST', '/v2/receipts', { ...world.receiptBody(), supplierCode: 'HOSP-1' })).toEqual(
      reasons,
    );
    expect(await shortOf('PUT', '/v2/products/ROLE-1', { productName: 'X', supplierCode: 'HOSP-1' })).toEqual(
      reasons,
    );
  });

  it('together with the unknown references beside it', async () => {
    const body = { ...world.orderBody({}), customerCode: 'SUP-1', warehouse: 'NOWHERE' };
    expect(await shortOf('POST', '/v2/orders', body)).toEqual([
      ['/customerCode', 'wrong_partner_role'],
      ['/warehouse', 'unknown_reference'],
    ]);
  });
});

describe('what is not found by its identity', () => {
  it('is said by name, alike for what does not exist and what is another organization’s', async () => {
    const other = await newOrganization(world.db);
    await stockCatalogue(world.api, other.key);
    const body = { ...world.orderBody({}), orderNo: 'FOREIGN' };
    const foreign = await world.call<{ orderId: string }>('POST', '/v2/orders', body, other.key);
    const { requestId: _a, ...missing } = (await world.call('GET', '/v2/orders/ord_none')).json;
    const { requestId: _b, ...hidden } = (await world.call('GET', `/v2/orders/${foreign.data.orderId}`)).json;
    expect(hidden).toEqual(missing);
    expect(missing).toEqual({
      code: 1004,
      message: 'resource does not exist',
      data: null,
      errors: [
        {
          path: 'orderId',
          reason: 'not_found',
          message: 'Order not found. Check orderId: your organization has no such order.',
        },
      ],
    });
  });

  it.each([
    ['GET', '/v2/orders/X', 'orderId'],
    ['POST', '/v2/orders/X/approve', 'orderId'],
    ['POST', '/v2/orders/X/hold', 'orderId'],
    ['GET', '/v2/receipts/X', 'receiptId'],
    ['GET', '/v2/dispatches/X', 'dispatchId'],
    ['POST', '/v2/dispatches/X/cancel', 'dispatchId'],
    ['GET', '/v2/products/X', 'id'],
    ['GET', '/v2/partners/X', 'code'],
    ['GET', '/v2/warehouses/X', 'code'],
    ['GET', '/v2/stock/holds/X', 'holdId'],
    ['POST', '/v2/stock/holds/X/release', 'holdId'],
    ['GET', '/v2/certificates/X', 'certificateId'],
    ['GET', '/v2/recalls/X', 'recallId'],
    ['POST', '/v2/recalls/X/close', 'recallId', { reason: 'x' }],
    ['GET', '/v2/environment/points/X', 'pointId'],
    ['GET', '/v2/environment/alerts/X', 'alertId'],
    ['GET', '/v2/webhooks/X', 'webhookId'],
    ['GET', '/v2/inventory?productCode=X', 'productCode'],
    ['GET', `/v2/udi?code=${encodeURIComponent('(01)04012345678901')}`, 'code'],
    ['GET', '/v2/settings/keys/X', 'keyId'],
    ['GET', '/v2/sandboxes/X', 'sandboxId'],
    ['POST', '/v2/sandboxes/X/keys', 'sandboxId'],
    ['DELETE', '/v2/sandboxes/X', 'sandboxId'],
  ])('%s %s names the parameter', async (method, path, parameter, body?: object) => {
    const answer = await world.call(method, path, method === 'GET' ? undefined : (body ?? {}));
    expect([answer.status, answer.json.errors.map((each) => [each.path, each.reason])]).toEqual([
      404,
      [[parameter, 'not_found']],
    ]);
  });

  it('is not confused with a path that no route has', async () => {
    const answer = await world.call('GET', '/v2/nothing-here');
    expect([answer.status, answer.json.errors]).toEqual([404, []]);
  });
});
