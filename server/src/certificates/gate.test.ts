import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  GTIN,
  newOrganization,
  openTestService,
  stockCatalogue,
  type TestOrganization,
} from '../../test/harness/index.js';
import { updateOrganization } from '../organizations/index.js';
import { transact } from '../platform/database/index.js';
import { Refusal } from '../platform/errors/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { gateReader } from './gate.js';

interface Document {
  receiptId: string;
  orderId: string;
  dispatchId: string;
  status: string;
  warnings: { reason: string; message: string }[];
}

const TODAY = '2026-11-15';
const YESTERDAY = '2026-11-14';
let service: Awaited<ReturnType<typeof openTestService>>;
let org: TestOrganization;
let picker: string;
let made = 0;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const call = <D = Document>(method: string, path: string, body: object, key = org.key) =>
  service.call<D>(method, path, body, key);
async function must<D = Document>(path: string, body: object, key?: string): Promise<D> {
  const answer = await call<D>('POST', path, body, key);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer.data;
}
const certify = (subjectType: string, subjectCode: string, part: object = {}) =>
  must<{ certificateId: string }>('/v2/certificates', {
    certificateNo: `C-${++made}`,
    type: 'licence',
    subjectType,
    subjectCode,
    issuer: 'Office',
    validFrom: '2026-01-01',
    validTo: null,
    ...part,
  });

// A new organization each time: what is on record in one test would gate the next.
beforeEach(async () => {
  service.db.clock.set(`${TODAY}T10:00:00.000Z`);
  org = await newOrganization(service.db);
  await stockCatalogue(service.api, org.key);
  picker = (await org.newKey({ owner: 'picker@test.example' })).apiKey;
  await must('/v2/stock/adjustments', {
    productCode: GTIN,
    warehouse: 'WH-1',
    batchNo: 'LOT-1',
    expiryDate: '2030-01-01',
    quantityDelta: 1_000,
    reason: 'opening stock',
  });
});

const newOrder = async () =>
  (
    await must('/v2/orders', {
      orderNo: `SO-${++made}`,
      customerCode: 'HOSP-1',
      warehouse: 'WH-1',
      currency: 'EUR',
      lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1' }],
    })
  ).orderId;
const approve = (orderId: string) => call('POST', `/v2/orders/${orderId}/approve`, {});
const tryOrder = async () => approve(await newOrder());

async function rechecking(): Promise<string> {
  const { orderId } = (await tryOrder()).data;
  const { dispatchId } = await must('/v2/dispatches', { orderId });
  await must(
    `/v2/dispatches/${dispatchId}/picks`,
    { picks: [{ lineNo: 1, batchNo: 'LOT-1', quantity: 1 }] },
    picker,
  );
  return dispatchId;
}
const recheck = (dispatchId: string, result = 'pass') =>
  call('POST', `/v2/dispatches/${dispatchId}/recheck`, { result, reason: 'checked' });

async function tryReceipt(rejected = 0) {
  const { receiptId } = await must('/v2/receipts', {
    receiptNo: `R-${++made}`,
    supplierCode: 'SUP-1',
    warehouse: 'WH-1',
    lines: [{ lineNo: 1, productCode: GTIN, batchNo: 'LOT-2', expiryDate: '2030-01-01', quantity: 2 }],
  });
  const verdict = {
    lineNo: 1,
    acceptedQuantity: 2 - rejected,
    rejectedQuantity: rejected,
    rejectReason: 'broken',
  };
  return call('POST', `/v2/receipts/${receiptId}/acceptance`, { lines: [verdict] });
}
const NOT_IN_FORCE = 'certificate_not_in_force';

describe('the gate of certificates', () => {
  it('is open where nothing is on record and nothing demanded', async () => {
    for (const answer of [await tryReceipt(), await tryOrder(), await recheck(await rechecking())])
      expect([answer.status, answer.data?.warnings]).toEqual([200, []]);
  });

  it('refuses an order for a product whose certificate ended yesterday, and takes it on the last day', async () => {
    const { certificateId } = await certify('product', GTIN, { certificateNo: 'REG-7', validTo: YESTERDAY });
    const refused = await tryOrder();
    expect([refused.status, refused.reason]).toEqual([400, NOT_IN_FORCE]);
    expect(refused.json.errors).toEqual([
      {
        path: null,
        reason: NOT_IN_FORCE,
        message: `product ${GTIN}: licence REG-7 is expired since ${YESTERDAY}`,
      },
    ]);
    const { data } = await service.call<object>(
      'GET',
      `/v2/certificates/${certificateId}`,
      undefined,
      org.key,
    );
    await call('PUT', `/v2/certificates/${certificateId}`, { ...data, validTo: TODAY });
    expect((await tryOrder()).status).toBe(200);
  });

  it('refuses at re-check what ended between approval and re-check', async () => {
    await certify('product', GTIN, { validTo: TODAY });
    const dispatchId = await rechecking();
    service.db.clock.set('2026-11-16T10:00:00.000Z');
    expect((await recheck(dispatchId)).reason).toBe(NOT_IN_FORCE);
    // To send it back to be picked again needs no certificate.
    expect((await recheck(dispatchId, 'fail')).data.status).toBe('picking');
  });

  it('asks for the supplier and the accepted products of a receipt', async () => {
    const { certificateId } = await certify('supplier', 'SUP-1', { validTo: YESTERDAY });
    expect((await tryReceipt()).reason).toBe(NOT_IN_FORCE);
    expect((await tryReceipt(2)).data.status).toBe('rejected');
    expect((await tryOrder()).status).toBe(200);
    await must(`/v2/certificates/${certificateId}/renew`, { validFrom: TODAY, validTo: TODAY });
    expect((await tryReceipt()).status).toBe(200);
    await certify('product', GTIN, { validTo: YESTERDAY });
    expect((await tryReceipt()).reason).toBe(NOT_IN_FORCE);
  });

  it('asks for the customer of an order, and not for other subjects with the same code', async () => {
    await call('PUT', '/v2/partners/HOSP-1', { name: 'Both', roles: ['customer', 'supplier'] });
    await certify('supplier', 'HOSP-1', { validTo: YESTERDAY });
    await certify('product', 'PUMP-1', { validTo: YESTERDAY });
    expect((await tryOrder()).status).toBe(200);
    await certify('customer', 'HOSP-1', { validFrom: '2026-11-16' });
    const answer = await tryOrder();
    expect(answer.json.errors[0]?.message).toMatch(
      /^customer HOSP-1: licence C-\d+ is not_yet_valid before 2026-11-16$/,
    );
  });

  it('needs one in force of each type; another of the same type will do', async () => {
    await certify('product', GTIN, { type: 'registration', validTo: YESTERDAY });
    await certify('product', GTIN, { type: 'registration' });
    expect((await tryOrder()).status).toBe(200);
    await certify('product', GTIN, { type: 'import permit', validTo: YESTERDAY });
    await certify('customer', 'HOSP-1', { validTo: YESTERDAY });
    const { errors } = (await tryOrder()).json;
    expect(errors.map((error) => error.message.replace(/C-\d+/, 'C'))).toEqual([
      `customer HOSP-1: licence C is expired since ${YESTERDAY}`,
      `product ${GTIN}: import permit C is expired since ${YESTERDAY}`,
    ]);
  });

  it('is closed by a suspension until it ends, and by a revocation for good', async () => {
    const { certificateId } = await certify('product', GTIN);
    await must(`/v2/certificates/${certificateId}/suspend`, { reason: 'x' });
    expect((await tryOrder()).reason).toBe(NOT_IN_FORCE);
    await must(`/v2/certificates/${certificateId}/reinstate`, {});
    expect((await tryOrder()).status).toBe(200);
    await must(`/v2/certificates/${certificateId}/revoke`, { reason: 'x' });
    expect((await tryOrder()).reason).toBe(NOT_IN_FORCE);
  });

  it('lets a renewed certificate count until the day its renewal begins, and not a day longer', async () => {
    const { certificateId } = await certify('product', GTIN, { validTo: '2026-12-31' });
    const renewal = { validFrom: '2026-11-17', validTo: '2026-11-18' };
    await must(`/v2/certificates/${certificateId}/renew`, renewal);
    const open: Record<string, boolean> = {};
    for (const day of ['2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19']) {
      service.db.clock.set(`${day}T10:00:00.000Z`);
      open[day] = (await tryOrder()).status === 200;
    }
    expect(open).toEqual({
      '2026-11-15': true,
      '2026-11-16': true,
      '2026-11-17': true,
      '2026-11-18': true,
      '2026-11-19': false,
    });
  });

  it('does not go back to a renewed certificate from that day on, not even if the renewal is revoked', async () => {
    const { certificateId } = await certify('product', GTIN, { validTo: '2026-12-31' });
    const renewal = { validFrom: '2026-11-16', validTo: null };
    const renewed = await must<{ certificateId: string }>(`/v2/certificates/${certificateId}/renew`, renewal);
    await must(`/v2/certificates/${renewed.certificateId}/suspend`, { reason: 'x' });
    expect((await tryOrder()).status).toBe(200);
    service.db.clock.set('2026-11-16T10:00:00.000Z');
    expect((await tryOrder()).reason).toBe(NOT_IN_FORCE);
  });

  it('does not count a renewed certificate beyond its own end, nor one that was renewed while suspended', async () => {
    const ending = await certify('product', GTIN, { validTo: TODAY });
    await must(`/v2/certificates/${ending.certificateId}/renew`, { validFrom: '2026-11-17', validTo: null });
    expect((await tryOrder()).status).toBe(200);
    service.db.clock.set('2026-11-16T10:00:00.000Z');
    expect((await tryOrder()).reason).toBe(NOT_IN_FORCE);
    const suspended = await certify('customer', 'HOSP-1');
    await must(`/v2/certificates/${suspended.certificateId}/suspend`, { reason: 'x' });
    await must(`/v2/certificates/${suspended.certificateId}/renew`, {
      validFrom: '2026-11-18',
      validTo: null,
    });
    service.db.clock.set('2026-11-17T10:00:00.000Z');
    expect((await tryOrder()).json.errors[0]?.message).toContain('customer HOSP-1');
    service.db.clock.set('2026-11-18T10:00:00.000Z');
    expect((await tryOrder()).status).toBe(200);
  });

  it('wants what the organization demands also where nothing is on record', async () => {
    const demandedCertificates = [
      { subjectType: 'product', type: 'registration' },
      { subjectType: 'supplier', type: 'licence' },
    ];
    await call('PATCH', '/v2/settings', { demandedCertificates });
    const order = await tryOrder();
    expect(order.json.errors).toEqual([
      {
        path: null,
        reason: NOT_IN_FORCE,
        message: `product ${GTIN}: registration is required and not on record`,
      },
    ]);
    expect((await tryReceipt()).json.errors).toHaveLength(2);
    await certify('product', GTIN, { type: 'registration' });
    await certify('supplier', 'SUP-1');
    for (const answer of [await tryReceipt(), await tryOrder()]) expect(answer.status).toBe(200);
    await call('PATCH', '/v2/settings', { demandedCertificates: [] });
    expect((await tryOrder()).status).toBe(200);
  });

  it('judges each of many approvals by its own customer and products', async () => {
    await certify('product', 'GLOVE-1', { validTo: YESTERDAY });
    const gloves = await must('/v2/orders', {
      orderNo: 'GLOVES',
      customerCode: 'HOSP-1',
      warehouse: 'WH-1',
      currency: 'EUR',
      lines: [{ lineNo: 1, productCode: 'GLOVE-1', quantity: 1, unitPrice: '1' }],
    });
    const good = await Promise.all(Array.from({ length: 10 }, newOrder));
    const answers = await Promise.all([...good, gloves.orderId].map(approve));
    expect(answers.map(({ reason }) => reason ?? 'approved')).toEqual([
      ...Array(10).fill('approved'),
      NOT_IN_FORCE,
    ]);
  });
});

const readGate = gateReader({
  ...{ partnerType: 'customer', partnerCodes: '$2::text[]', productCodes: '$3::text[]' },
});

it('the gate is read once for many steps, and judges each by its own subjects', async () => {
  await certify('product', 'GLOVE-1', { validTo: YESTERDAY });
  const gloves = { type: 'product', code: 'GLOVE-1' } as const;
  const other = { type: 'product', code: GTIN } as const;
  const operator = systemPrincipal(org.organization.orgId, 'operator@test.example');
  await transact(service.db.database, operator, async (tx) => {
    const gate = await readGate(tx, [[], ['GLOVE-1', GTIN]]);
    expect(gate([other])).toEqual([]);
    expect(() => gate([other, gloves])).toThrow(Refusal);
  });
});

describe('where the organization only wants to be warned', () => {
  beforeEach(async () => {
    await updateOrganization(service.db.database, 'operator@test.example', org.organization.orgId, {
      certificateGate: 'warn',
    });
  });
  const warning = (message: string) => ({ reason: NOT_IN_FORCE, message: expect.stringContaining(message) });

  it('the step happens, and its document keeps the warnings', async () => {
    await certify('product', GTIN, { certificateNo: 'REG-1', validTo: YESTERDAY });
    await certify('supplier', 'SUP-1', { certificateNo: 'LIC-1', validTo: YESTERDAY });
    const read = async (path: string) =>
      (await service.call<Document>('GET', path, undefined, org.key)).data.warnings;
    const receipt = await tryReceipt();
    expect(receipt.data).toMatchObject({
      status: 'accepted',
      warnings: [warning('LIC-1'), warning('REG-1')],
    });
    expect(await read(`/v2/receipts/${receipt.data.receiptId}`)).toEqual(receipt.data.warnings);
    const order = await tryOrder();
    expect(order.data).toMatchObject({ status: 'approved', warnings: [warning('REG-1')] });
    expect(await read(`/v2/orders/${order.data.orderId}`)).toEqual(order.data.warnings);
    const dispatchId = await rechecking();
    expect(await read(`/v2/dispatches/${dispatchId}`)).toEqual([]);
    const passed = await recheck(dispatchId);
    expect(passed.data).toMatchObject({ status: 'dispatched', warnings: [warning('REG-1')] });
    expect(await read(`/v2/dispatches/${dispatchId}`)).toEqual(passed.data.warnings);
    const [entry] = await service.db.sql<{ after: Document }>(
      "select after from audit_entries where action = 'order.approve' and entity_id = $1",
      [order.data.orderId],
    );
    expect(entry?.after.warnings).toEqual(order.data.warnings);
  });

  it('what has nothing against it has no warnings', async () => {
    await certify('product', GTIN);
    for (const answer of [await tryReceipt(), await tryOrder(), await recheck(await rechecking())])
      expect([answer.status, answer.data?.warnings]).toEqual([200, []]);
  });
});
