import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN } from '../../test/harness/index.js';
import { openTraceWorld } from '../../test/journeys/trace-world.js';

let world: Awaited<ReturnType<typeof openTraceWorld>>;
let partner: string;
const CODE = `(01)${GTIN}(10)SHARED`;
beforeAll(async () => {
  world = await openTraceWorld();
  partner = (await world.org.newKey({ scopes: ['udi:read'], customerCode: 'HOSP-1' })).apiKey;
  const certify = (certificateNo: string, subjectType: string, subjectCode: string, validTo: string | null) =>
    world.must<{ certificateId: string }>('POST', '/v2/certificates', {
      ...{ certificateNo, subjectType, subjectCode, type: 'licence', issuer: 'Office' },
      ...{ validFrom: '2026-01-01', validTo },
    });
  await certify('C-PRODUCT', 'product', GTIN, '2026-11-15');
  await certify('C-SUPPLIER', 'supplier', 'SUP-1', null);
  await certify('C-HOSP-1', 'customer', 'HOSP-1', null);
  await certify('C-HOSP-2', 'customer', 'HOSP-2', null);
  await world.receive({ batchNo: 'SHARED', quantity: 10 });
  await world.receive({ batchNo: 'FINE' });
  await (await world.sell('HOSP-1', { batchNo: 'SHARED', quantity: 3 })).deliver();
  await (await world.sell('HOSP-2', { batchNo: 'SHARED', quantity: 2 })).deliver();
  await world.must('POST', '/v2/stock/transfers', {
    ...{ productCode: GTIN, batchNo: 'SHARED', from: 'WH-1', to: 'WH-2', quantity: 1 },
  });
});
afterAll(() => world.close());

describe('certificates of a trace', () => {
  it('are listed at each hand-over if they were in force on that day', async () => {
    const { chain, certificates } = await world.trace(CODE);
    expect(chain.items.map((item) => [item.step, ...item.certificates])).toEqual([
      ['received', 'C-PRODUCT', 'C-SUPPLIER'],
      ['dispatched', 'C-HOSP-1', 'C-PRODUCT'],
      ['delivered', 'C-HOSP-1', 'C-PRODUCT'],
      ['dispatched', 'C-HOSP-2', 'C-PRODUCT'],
      ['delivered', 'C-HOSP-2', 'C-PRODUCT'],
      ['moved_out'],
      ['moved_in'],
    ]);
    expect(certificates.map(({ certificateNo, status }) => [certificateNo, status])).toEqual([
      ['C-PRODUCT', 'expiring'],
      ['C-SUPPLIER', 'valid'],
    ]);
  });

  it('stay listed after a later expiry or revocation', async () => {
    const { certificateId } = await world.must<{ certificateId: string }>('POST', '/v2/certificates', {
      ...{ certificateNo: 'C-REVOKED', subjectType: 'supplier', subjectCode: 'SUP-1', type: 'permit' },
      ...{ issuer: 'Office', validFrom: '2026-01-01' },
    });
    await world.must('POST', `/v2/certificates/${certificateId}/revoke`, { reason: 'fraud' });
    world.db.clock.set('2026-11-20T10:00:00Z');
    const { chain, certificates } = await world.trace(CODE);
    expect(chain.items[0]?.certificates).toEqual(['C-PRODUCT', 'C-REVOKED', 'C-SUPPLIER']);
    expect(certificates.map(({ certificateNo, status }) => [certificateNo, status])).toEqual([
      ['C-PRODUCT', 'expired'],
      ['C-SUPPLIER', 'valid'],
      ['C-REVOKED', 'revoked'],
    ]);
    world.db.clock.set('2026-11-15T12:00:00Z');
  });
});

describe('a partner bound to one customer', () => {
  it('sees every step, but other parties only in steps of its own', async () => {
    const trace = await world.trace(CODE, '', partner);
    const whole = await world.trace(CODE);
    expect(trace.holders).toEqual([
      { kind: 'warehouse', code: 'WH-1', name: null, quantity: 4 },
      { kind: 'warehouse', code: 'WH-2', name: null, quantity: 1 },
      { kind: 'customer', code: 'HOSP-1', name: 'City hospital', quantity: 3 },
      { kind: 'customer', code: null, name: null, quantity: 2 },
    ]);
    const facts = (items: typeof trace.chain.items) =>
      items.map(({ step, at, recordedAt, quantity, batchNo }) => ({
        step,
        at,
        recordedAt,
        quantity,
        batchNo,
      }));
    expect(facts(trace.chain.items)).toEqual(facts(whole.chain.items));
    const [received, dispatched, , toOthers, , moved] = trace.chain.items;
    expect(received).toMatchObject({
      from: { kind: 'supplier', code: null, name: null },
      to: { kind: 'warehouse', code: 'WH-1', name: null },
      document: null,
      actor: null,
      certificates: ['C-PRODUCT'],
    });
    expect(dispatched).toMatchObject({
      to: { kind: 'customer', code: 'HOSP-1', name: 'City hospital' },
      document: whole.chain.items[1]?.document,
      certificates: ['C-HOSP-1', 'C-PRODUCT'],
    });
    expect(toOthers).toMatchObject({
      to: { kind: 'customer', code: null, name: null },
      document: null,
      actor: null,
      certificates: ['C-PRODUCT'],
    });
    expect(moved).toMatchObject({ document: null, actor: null });
    expect(trace.certificates.map(({ certificateNo }) => certificateNo)).toEqual(['C-PRODUCT']);
  });

  it('finds no code, name or document of others anywhere in the response', async () => {
    const order = (await world.trace(CODE)).chain.items[3]?.document?.no;
    expect(order).toMatch(/^SO-/);
    const { text } = await world.ask(CODE, '', partner);
    for (const word of [
      'SUP-1',
      'Acme',
      'HOSP-2',
      'Country',
      'C-SUPPLIER',
      'C-HOSP-2',
      `"${order}"`,
      'rcp_',
      'Main',
    ])
      expect([word, text.includes(word)]).toEqual([word, false]);
  });
});

describe('recalls of a trace', () => {
  it('are those that cover the goods, and an open one sets the status', async () => {
    const recall = {
      recallNo: 'RC-1',
      productCode: GTIN,
      batchNos: ['SHARED'],
      class: 'II',
      reason: 'crack',
    };
    const before = world.db.clock.now().toISOString();
    world.db.clock.advance(1_000);
    const { recallId } = await world.must<{ recallId: string }>('POST', '/v2/recalls', recall);
    const trace = await world.trace(CODE);
    const { batchNos: _batches, productCode: _product, ...summary } = recall;
    expect(trace.recalls).toEqual([{ recallId, ...summary, status: 'open', openedAt: expect.any(String) }]);
    expect([trace.status, trace.chain.items.at(-1)?.step]).toEqual(['recalled', 'recalled']);
    expect(await world.trace(CODE, `?at=${before}`)).toMatchObject({ status: 'in_stock', recalls: [] });
    // Only a part of the device's stock is recalled.
    expect(await world.trace(`(01)${GTIN}`)).toMatchObject({ status: 'in_stock', recalls: [{ recallId }] });
    expect(await world.trace(`(01)${GTIN}(10)FINE`)).toMatchObject({ status: 'in_stock', recalls: [] });
    expect((await world.trace(CODE, '', partner)).status).toBe('recalled');
  });
});
