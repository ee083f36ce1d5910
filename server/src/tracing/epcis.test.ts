import { readFileSync } from 'node:fs';
import { writeUdi } from '@lotward/udi';
import { Ajv, type ValidateFunction } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN } from '../../test/harness/index.js';
import { openTraceWorld, PUMP_DI } from '../../test/journeys/trace-world.js';

interface EpcisEvent {
  type: string;
  action: string;
  bizStep: string;
  disposition: string;
  eventTime: string;
  recordTime: string;
  epcList?: string[];
  quantityList?: { epcClass: string; quantity: number }[];
  readPoint?: { id: string };
  bizLocation?: { id: string };
  bizTransactionList?: { type?: string; bizTransaction: string }[];
  sourceList?: { type: string; source: string }[];
  destinationList?: { type: string; destination: string }[];
  ilmd?: Record<string, string>;
}
interface EpcisDocument {
  type: string;
  schemaVersion: string;
  epcisBody: { eventList: EpcisEvent[] };
  'lotward:nextCursor'?: string;
}

let world: Awaited<ReturnType<typeof openTraceWorld>>;
let isEpcis: ValidateFunction;
beforeAll(async () => {
  world = await openTraceWorld();
  const file = new URL('../../test/data/epcis-2.0.schema.json', import.meta.url);
  const uri = (text: string) => /^[A-Za-z][A-Za-z0-9+.-]*:[!-~]+$/.test(text) && URL.canParse(text);
  const ajv = new Ajv({ strict: false, allErrors: false, formats: { uri, 'date-time': isDateTime } });
  isEpcis = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
});
afterAll(() => world.close());

const isDateTime = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));

async function documentOf(code: string, query = ''): Promise<EpcisDocument> {
  const { data, text } = await world.ask(code, `?format=epcis${query}`);
  const valid = isEpcis(data);
  expect([valid, isEpcis.errors?.slice(0, 3) ?? null, valid ? '' : text]).toEqual([true, null, '']);
  return data as unknown as EpcisDocument;
}
const eventsOf = async (code: string) => (await documentOf(code)).epcisBody.eventList;

describe('the EPCIS document of a trace', () => {
  it('is validated by a schema that refuses other documents', async () => {
    await world.receive({ batchNo: 'MEASURE' });
    const good = await documentOf(`(01)${GTIN}(10)MEASURE`);
    const [event] = good.epcisBody.eventList;
    const withEvent = (changed: object) => ({
      ...good,
      epcisBody: { eventList: [{ ...event, ...changed }] },
    });
    expect(isEpcis(withEvent({}))).toBe(true);
    for (const changed of [
      { action: 'SEEN' },
      { bizStep: 'selling' },
      { disposition: 'gone' },
      { eventTime: 'today' },
      { unknown: 1 },
      { quantityList: [{ epcClass: 'not a uri', quantity: 1 }] },
    ])
      expect([changed, isEpcis(withEvent(changed))]).toEqual([changed, false]);
  });

  it('lists for a batch the steps, places, parties and documents', async () => {
    const { receiptId } = await world.receive({ batchNo: 'E/1', quantity: 10 });
    const { dispatchId, orderNo, deliver } = await world.sell('HOSP-1', { batchNo: 'E/1', quantity: 4 });
    await deliver();
    const epcClass = `https://id.gs1.org/01/${GTIN}/10/E%2F1`;
    const place = { id: 'urn:x-lotward:location:WH-1' };
    const shipped = [
      { type: 'desadv', bizTransaction: `urn:x-lotward:dispatch:${dispatchId}` },
      { type: 'po', bizTransaction: `urn:x-lotward:order:${orderNo}` },
    ];
    expect(await eventsOf(`(01)${GTIN}(10)E/1`)).toMatchObject([
      {
        type: 'ObjectEvent',
        action: 'ADD',
        bizStep: 'receiving',
        quantityList: [{ epcClass, quantity: 10 }],
        readPoint: place,
        bizLocation: place,
        bizTransactionList: [{ type: 'recadv', bizTransaction: `urn:x-lotward:receipt:${receiptId}` }],
        sourceList: [{ type: 'possessing_party', source: 'urn:x-lotward:party:SUP-1' }],
        destinationList: [{ type: 'location', destination: 'urn:x-lotward:location:WH-1' }],
        ilmd: { 'cbvmda:lotNumber': 'E/1', 'cbvmda:itemExpirationDate': '2028-11-30' },
      },
      {
        action: 'OBSERVE',
        bizStep: 'shipping',
        disposition: 'in_transit',
        quantityList: [{ epcClass, quantity: 4 }],
        bizTransactionList: shipped,
        destinationList: [{ type: 'possessing_party', destination: 'urn:x-lotward:party:HOSP-1' }],
      },
      { action: 'OBSERVE', bizStep: 'accepting', bizTransactionList: shipped },
    ]);
  });

  it('identifies a serialized unit by its Digital Link, and every step by a CBV term', async () => {
    const { must } = world;
    const own = { productCode: 'PUMP-1', batchNo: 'E2', serials: ['SN-1'] };
    await world.receive({ productCode: 'PUMP-1', batchNo: 'E2', serials: ['SN-1', 'SN-2'] });
    await must('POST', '/v2/stock/transfers', { ...own, from: 'WH-1', to: 'WH-2', quantity: 1 });
    await must('POST', '/v2/stock/transfers', { ...own, from: 'WH-2', to: 'WH-1', quantity: 1 });
    const { holdId } = await must<{ holdId: string }>('POST', '/v2/stock/holds', { ...own, reason: 'look' });
    await must('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'good' });
    await (await world.sell('HOSP-1', own)).deliver();
    await world.takeBack('HOSP-1', own);
    const broken = { ...own, warehouse: 'WH-1', quantityDelta: -1, reason: 'fell' };
    await must('POST', '/v2/stock/adjustments', broken);
    const events = await eventsOf(`(01)${PUMP_DI}(21)SN-1`);
    for (const { epcList } of events) expect(epcList).toEqual([`https://id.gs1.org/01/${PUMP_DI}/21/SN-1`]);
    expect(events.map(({ action, bizStep, disposition }) => `${action} ${bizStep} ${disposition}`)).toEqual([
      'ADD receiving in_progress',
      'OBSERVE shipping in_transit',
      'OBSERVE receiving in_progress',
      'OBSERVE shipping in_transit',
      'OBSERVE receiving in_progress',
      'OBSERVE holding non_sellable_other',
      'OBSERVE storing sellable_accessible',
      'OBSERVE shipping in_transit',
      'OBSERVE accepting in_progress',
      'OBSERVE receiving returned',
      'OBSERVE holding non_sellable_other',
      'DELETE decommissioning inactive',
    ]);
    const ilmd = { 'cbvmda:lotNumber': 'E2', 'cbvmda:itemExpirationDate': '2028-11-30' };
    expect(events[0]?.ilmd).toEqual(ilmd);
  });

  it('is one page of the history, with the cursor of the next', async () => {
    const first = await documentOf(`(01)${PUMP_DI}(21)SN-1`, '&limit=5');
    expect(first.epcisBody.eventList).toHaveLength(5);
    const cursor = first['lotward:nextCursor'];
    const rest = await documentOf(`(01)${PUMP_DI}(21)SN-1`, `&cursor=${cursor}`);
    expect(rest.epcisBody.eventList).toHaveLength(7);
    expect(rest).not.toHaveProperty('lotward:nextCursor');
  });

  it('identifies devices without a GTIN by URN, and is empty without movements', async () => {
    await world.must('PUT', '/v2/products/SCREW 1', { productName: 'Screw', udiDi: 'A99912345' });
    const draft = { issuingAgency: 'HIBCC', deviceIdentifier: 'A99912345' } as const;
    const hibc = (batchNo: string | null) => {
      const written = writeUdi({ ...draft, batchNo }, { form: 'hibc', today: '2026-11-15' });
      return written.ok ? written.code : '';
    };
    expect(await eventsOf(hibc(null))).toEqual([]);
    await world.receive({ productCode: 'SCREW 1', batchNo: 'LOT', quantity: 7 });
    const [received] = await eventsOf(hibc('LOT'));
    expect(received?.quantityList).toEqual([{ epcClass: 'urn:x-lotward:batch:SCREW%201:LOT', quantity: 7 }]);
  });

  it('lists the contents of a package scanned at receipt, if it has its own serial number', async () => {
    const packaging = [{ udiDi: '16901234567899', level: 'box', quantity: 5 }];
    const put = { productName: 'Coronary stent 3.0×18', supplierCode: 'SUP-1', packaging };
    await world.must('PUT', `/v2/products/${GTIN}`, put);
    const codes = ['(01)16901234567899(17)281130(10)BOXED(21)BOX-1', '(01)16901234567899(17)281130(10)BOXED'];
    for (const [n, udi] of codes.entries()) {
      const line = { lineNo: 1, udi };
      const receipt = { receiptNo: `BOX-${n}`, supplierCode: 'SUP-1', warehouse: 'WH-1', lines: [line] };
      const { receiptId } = await world.must<{ receiptId: string }>('POST', '/v2/receipts', receipt);
      const verdict = { lineNo: 1, acceptedQuantity: 5, rejectedQuantity: 0 };
      await world.must('POST', `/v2/receipts/${receiptId}/acceptance`, { lines: [verdict] });
    }
    const events = await eventsOf(`(01)${GTIN}(10)BOXED`);
    expect(events.map(({ type }) => type)).toEqual(['ObjectEvent', 'AggregationEvent', 'ObjectEvent']);
    expect(events[1]).toMatchObject({
      action: 'OBSERVE',
      bizStep: 'receiving',
      parentID: 'https://id.gs1.org/01/16901234567899/21/BOX-1',
      childQuantityList: [{ epcClass: `https://id.gs1.org/01/${GTIN}/10/BOXED`, quantity: 5 }],
    });
  });

  it('reveals nothing of other customers to a bound credential', async () => {
    const { apiKey } = await world.org.newKey({ scopes: ['udi:read'], customerCode: 'HOSP-2' });
    const { data, text } = await world.ask(`(01)${PUMP_DI}(21)SN-1`, '?format=epcis', apiKey);
    expect([isEpcis(data), isEpcis.errors]).toEqual([true, null]);
    for (const word of ['HOSP-1', 'SUP-1', 'SO-', 'R-', 'dsp_', 'rcp_']) expect(text).not.toContain(word);
  });
});
