import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  GTIN,
  newOrganization,
  openTestService,
  stockCatalogue,
  type TestOrganization,
} from '../../test/harness/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { gateReader } from './gate.js';

interface Document {
  receiptId: string;
  orderId: string;
  dispatchId: string;
  status: string;
  warnings: { reason: string; message: string }[];
}

const NOT_COVERED = 'certificate_does_not_cover';
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
async function must<D = Document>(method: string, path: string, body: object, key?: string): Promise<D> {
  const answer = await call<D>(method, path, body, key);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer.data;
}
const certify = (subjectType: string, subjectCode: string, part: object = {}) =>
  must<{ certificateId: string }>('POST', '/v2/certificates', {
    ...{ certificateNo: `C-${++made}`, type: 'licence', subjectType, subjectCode, issuer: 'Office' },
    ...{ validFrom: '2026-01-01', validTo: null, ...part },
  });
const STENT = {
  productName: 'Stent',
  riskClass: 'III',
  category: '6846',
  implantable: true,
  sterile: true,
  storage: { temperatureMax: 8 },
};
const describeStent = (part: object = {}) => must('PUT', `/v2/products/${GTIN}`, { ...STENT, ...part });

// A new organization each time: what is on record in one test would gate the next.
beforeEach(async () => {
  service.db.clock.set('2026-11-15T10:00:00.000Z');
  org = await newOrganization(service.db);
  await stockCatalogue(service.api, org.key);
  await describeStent();
  await must('PUT', '/v2/products/GLOVE-1', { productName: 'Gloves', riskClass: 'I', category: '6866' });
  picker = (await org.newKey({ owner: 'picker@test.example' })).apiKey;
  for (const productCode of [GTIN, 'GLOVE-1'])
    await must('POST', '/v2/stock/adjustments', {
      ...{ productCode, warehouse: 'WH-1', batchNo: 'LOT-1', expiryDate: '2030-01-01' },
      ...{ quantityDelta: 1_000, reason: 'opening stock' },
    });
});

const linesOf = <L extends object>(codes: readonly string[], line: L) =>
  codes.map((productCode, i) => ({ lineNo: i + 1, productCode, ...line }));

async function tryReceipt(...codes: string[]) {
  const goods = { batchNo: 'LOT-2', expiryDate: '2030-01-01', quantity: 2 };
  const { receiptId } = await must('POST', '/v2/receipts', {
    ...{ receiptNo: `R-${++made}`, supplierCode: 'SUP-1', warehouse: 'WH-1', lines: linesOf(codes, goods) },
  });
  const lines = codes.map((_, i) => ({ lineNo: i + 1, acceptedQuantity: 2, rejectedQuantity: 0 }));
  return call('POST', `/v2/receipts/${receiptId}/acceptance`, { lines });
}
const newOrder = async (...codes: string[]) => {
  const lines = linesOf(codes, { quantity: 1, unitPrice: '1' });
  const order = { customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR', lines };
  return (await must('POST', '/v2/orders', { orderNo: `SO-${++made}`, ...order })).orderId;
};
const approve = (orderId: string) => call('POST', `/v2/orders/${orderId}/approve`, {});
const tryOrder = async (...codes: string[]) => approve(await newOrder(...codes));

/** A dispatch of the stent that waits for its re-check. */
async function rechecking(): Promise<string> {
  const { orderId } = (await tryOrder(GTIN)).data;
  const { dispatchId } = await must('POST', '/v2/dispatches', { orderId });
  const picks = [{ lineNo: 1, batchNo: 'LOT-1', quantity: 1 }];
  await must('POST', `/v2/dispatches/${dispatchId}/picks`, { picks }, picker);
  return dispatchId;
}
const recheck = (dispatchId: string) =>
  call('POST', `/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });

describe('a certificate that does not cover a product', () => {
  it('stops the acceptance of a purchase, named with the product and what stands against it', async () => {
    const coverage = [{ riskClasses: ['I', 'II'], categories: ['*'] }];
    const licence = { type: 'operating_licence', certificateNo: 'OL-1', coverage };
    await certify('supplier', 'SUP-1', licence);
    const refused = await tryReceipt('GLOVE-1', GTIN);
    expect([refused.status, refused.json.code]).toEqual([400, 1001]);
    expect(refused.json.errors).toEqual([
      {
        path: null,
        reason: NOT_COVERED,
        message:
          `supplier SUP-1: operating_licence OL-1 does not cover product ${GTIN} ` +
          '(class III, category 6846, implantable, sterile, cold chain)',
      },
    ]);
    expect((await tryReceipt('GLOVE-1')).status).toBe(200);
    // Sold to a customer, the supplier's licence is not asked.
    expect((await tryOrder(GTIN)).status).toBe(200);
  });

  it('stops the approval of an order, and lets through the products it covers', async () => {
    const coverage = [{ categories: ['6866'] }, { riskClasses: ['III'], excludes: ['implantable'] }];
    await certify('customer', 'HOSP-1', { certificateNo: 'HL-1', coverage });
    const refused = await tryOrder(GTIN, 'GLOVE-1');
    expect(refused.json.errors.map(({ reason, message }) => [reason, message.split(' (')[0]])).toEqual([
      [NOT_COVERED, `customer HOSP-1: licence HL-1 does not cover product ${GTIN}`],
    ]);
    expect((await tryOrder('GLOVE-1')).status).toBe(200);
    expect((await tryReceipt(GTIN)).status).toBe(200);
    await describeStent({ implantable: false });
    expect((await tryOrder(GTIN, 'GLOVE-1')).status).toBe(200);
  });

  it('stops the re-check of what was approved before the certificate or the product changed', async () => {
    await certify('customer', 'HOSP-1', { coverage: [{ excludes: ['cold_chain'] }] });
    await describeStent({ storage: { temperatureMax: 25 } });
    const dispatchId = await rechecking();
    await describeStent();
    expect((await recheck(dispatchId)).reason).toBe(NOT_COVERED);
    await describeStent({ storage: { temperatureMax: 25 } });
    expect((await recheck(dispatchId)).status).toBe(200);
  });

  it('is the own one of a product too, which is asked for that product alone', async () => {
    const { certificateId } = await certify('product', GTIN, {
      ...{ type: 'registration', certificateNo: 'REG-1', coverage: [{ riskClasses: ['II'] }] },
    });
    for (const answer of [await tryReceipt(GTIN, 'GLOVE-1'), await tryOrder('GLOVE-1', GTIN)])
      expect(answer.json.errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(`^product ${GTIN}: registration REG-1 does not cover product ${GTIN} `),
      ]);
    await must('PUT', `/v2/certificates/${certificateId}`, {
      ...{ certificateNo: 'REG-1', issuer: 'Office', validFrom: '2026-01-01' },
      coverage: [{ riskClasses: ['III'] }],
    });
    for (const answer of [await tryReceipt(GTIN, 'GLOVE-1'), await tryOrder('GLOVE-1', GTIN)])
      expect(answer.status, answer.text).toBe(200);
  });

  it('is judged by type: another in force of the same type may cover it, one of another type may not', async () => {
    await certify('supplier', 'SUP-1', { certificateNo: 'L-1', coverage: [{ riskClasses: ['I'] }] });
    await certify('supplier', 'SUP-1', { type: 'contract' });
    expect((await tryReceipt(GTIN)).reason).toBe(NOT_COVERED);
    const expired = { validTo: '2026-11-14', coverage: [{ riskClasses: ['III'] }] };
    await certify('supplier', 'SUP-1', expired);
    expect((await tryReceipt(GTIN)).reason).toBe(NOT_COVERED);
    await certify('supplier', 'SUP-1', { certificateNo: 'L-2', coverage: [{ categories: ['02*'] }] });
    expect((await tryReceipt(GTIN)).json.errors[0]?.message).toMatch(
      /^supplier SUP-1: licence L-\d, L-\d do not cover product/,
    );
    await certify('supplier', 'SUP-1', { coverage: [{ riskClasses: ['III'] }] });
    expect((await tryReceipt(GTIN)).status).toBe(200);
  });

  it('is asked of a licence and a filing alike: under two types both must cover, under one type either', async () => {
    await certify('supplier', 'SUP-1', { type: 'operating_licence', coverage: [{ riskClasses: ['III'] }] });
    await certify('supplier', 'SUP-1', { type: 'operating_filing', coverage: [{ riskClasses: ['II'] }] });
    const [refusal] = (await tryReceipt(GTIN)).json.errors;
    expect(refusal?.message).toMatch(/^supplier SUP-1: operating_filing C-\d+ does not cover/);
    await certify('customer', 'HOSP-1', { type: 'operating_licence', coverage: [{ riskClasses: ['III'] }] });
    await certify('customer', 'HOSP-1', { type: 'operating_licence', coverage: [{ riskClasses: ['II'] }] });
    const ordered = await tryOrder(GTIN);
    expect(ordered.status, ordered.text).toBe(200);
  });

  it('is stated beside those that are not in force, and each product that is not covered by itself', async () => {
    await certify('customer', 'HOSP-1', { coverage: [{ riskClasses: ['II'] }] });
    await certify('customer', 'HOSP-1', { type: 'contract', validTo: '2026-11-14' });
    const { errors } = (await tryOrder(GTIN, 'GLOVE-1')).json;
    expect(errors.map(({ reason }) => reason)).toEqual([
      'certificate_not_in_force',
      NOT_COVERED,
      NOT_COVERED,
    ]);
    expect(errors.map(({ message }) => / product (\S+)/.exec(message)?.[1])).toEqual([
      undefined,
      GTIN,
      'GLOVE-1',
    ]);
  });

  it('is a lack of a demanded type as well, and a demanded one on record without a coverage is none', async () => {
    const demandedCertificates = [{ subjectType: 'supplier', type: 'licence' }];
    await must('PATCH', '/v2/settings', { demandedCertificates });
    const { certificateId } = await certify('supplier', 'SUP-1', { coverage: [{ riskClasses: ['I'] }] });
    expect((await tryReceipt(GTIN)).reason).toBe(NOT_COVERED);
    const renewal = { validFrom: '2026-11-15', validTo: null, coverage: null };
    await must('POST', `/v2/certificates/${certificateId}/renew`, renewal);
    expect((await tryReceipt(GTIN)).status).toBe(200);
  });

  it('does not keep a return out', async () => {
    await call('POST', `/v2/dispatches/${await rechecking()}/recheck`, { result: 'pass' });
    await certify('customer', 'HOSP-1', { coverage: [{ riskClasses: ['I'] }] });
    await certify('product', GTIN, { coverage: [{ riskClasses: ['I'] }] });
    const { receiptId } = await must('POST', '/v2/receipts', {
      ...{ receiptNo: 'BACK', kind: 'return', customerCode: 'HOSP-1', warehouse: 'WH-1' },
      lines: [{ lineNo: 1, productCode: GTIN, batchNo: 'LOT-1', quantity: 1 }],
    });
    const lines = [{ lineNo: 1, acceptedQuantity: 1, rejectedQuantity: 0 }];
    expect((await call('POST', `/v2/receipts/${receiptId}/acceptance`, { lines })).status).toBe(200);
  });

  it('refuses of many approvals at once those with a product it does not cover', async () => {
    await certify('customer', 'HOSP-1', { coverage: [{ riskClasses: ['I'] }] });
    const orders = [await newOrder('GLOVE-1'), await newOrder(GTIN), await newOrder('GLOVE-1')];
    const answers = await Promise.all(orders.map(approve));
    expect(answers.map(({ reason }) => reason ?? 'approved')).toEqual(['approved', NOT_COVERED, 'approved']);
  });
});

const readGate = gateReader({
  ...{ partnerType: 'customer', partnerCodes: '$2::text[]', productCodes: '$3::text[]' },
});

it('a gate that is read once judges the products of each document only', async () => {
  await certify('customer', 'HOSP-1', { coverage: [{ riskClasses: ['I'] }] });
  const hospital = { type: 'customer', code: 'HOSP-1' } as const;
  const gloves = { type: 'product', code: 'GLOVE-1' } as const;
  const stent = { type: 'product', code: GTIN } as const;
  const operator = systemPrincipal(org.organization.orgId, 'operator@test.example');
  await transact(service.db.database, operator, async (tx) => {
    const gate = await readGate(tx, [
      ['HOSP-1', 'HOSP-1'],
      ['GLOVE-1', GTIN],
    ]);
    expect(gate([hospital, gloves])).toEqual([]);
    expect(() => gate([hospital, stent, gloves])).toThrow(GTIN);
  });
});

describe('where the organization only wants to be warned', () => {
  it('the step happens, and its document keeps the warning', async () => {
    await must('PATCH', '/v2/settings', { certificateGate: 'warn' });
    await certify('supplier', 'SUP-1', { certificateNo: 'LIC-1', coverage: [{ riskClasses: ['I'] }] });
    await certify('customer', 'HOSP-1', { certificateNo: 'HL-1', coverage: [{ categories: ['02*'] }] });
    const warning = (no: string) => [
      { reason: NOT_COVERED, message: expect.stringContaining(`${no} does not cover product ${GTIN}`) },
    ];
    expect((await tryReceipt(GTIN)).data).toMatchObject({ status: 'accepted', warnings: warning('LIC-1') });
    expect((await tryOrder(GTIN)).data).toMatchObject({ status: 'approved', warnings: warning('HL-1') });
    const passed = await recheck(await rechecking());
    expect(passed.data).toMatchObject({ status: 'dispatched', warnings: warning('HL-1') });
    const path = `/v2/dispatches/${passed.data.dispatchId}`;
    const read = await service.call<Document>('GET', path, undefined, org.key);
    expect(read.data.warnings).toEqual(passed.data.warnings);
  });
});
