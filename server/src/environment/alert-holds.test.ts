import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';
import { verifyStock } from '../stock/index.js';

type Service = Awaited<ReturnType<typeof openTestService>>;
let service: Service;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

interface Affected {
  productCode: string;
  batchNo: string;
  quantity: number;
  held: boolean;
}
interface AlertData {
  alertId: string;
  affectedBatches: Affected[];
}

async function must<D>(method: string, path: string, body?: object): Promise<D> {
  const answer = await service.call<D>(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
}

let round = 0;
let warehouse: string;
/** A product that may be kept so warm and so cold, with a batch in the warehouse of the round. */
async function stocked(name: string, storage: object, tracking = 'batch', batchNo = `L-${name}`) {
  const productCode = `${name}-${round}`;
  await must('PUT', `/v2/products/${productCode}`, { productName: name, tracking, storage });
  await bringIn(
    productCode,
    tracking === 'none' ? '' : batchNo,
    tracking === 'serial' ? [`${name}-SN`] : undefined,
  );
  return productCode;
}
const bringIn = (productCode: string, batchNo: string, serials?: string[], place = warehouse) =>
  must('POST', '/v2/stock/adjustments', {
    productCode,
    warehouse: place,
    batchNo,
    quantityDelta: serials ? 1 : 10,
    reason: 'opening stock',
    ...(batchNo === '' ? {} : { expiryDate: '2030-01-01' }),
    ...(serials ? { serials } : {}),
  });

/** An alert between these extremes. */
async function newAlert(values: number[], part: object = {}, zone: string | null = null): Promise<string> {
  const pointId = `P-${round}`;
  const limits = { temperature: { min: 2, max: 8 }, humidity: { max: 70 } };
  await must('PUT', `/v2/environment/points/${pointId}`, { name: 'Cold room', warehouse, zone, ...limits });
  const now = service.db.clock.now().getTime();
  const readings = values.map((temperature, i) => ({
    pointId,
    at: new Date(now - (values.length - i) * 60_000).toISOString(),
    temperature,
    ...part,
  }));
  const { alerts } = await must<{ alerts: string[] }>('POST', '/v2/environment/readings', { readings });
  return alerts[0] ?? '';
}
const read = (alertId: string) => must<AlertData>('GET', `/v2/environment/alerts/${alertId}`);
const hold = (alertId: string, body: object = {}) =>
  must<AlertData>('POST', `/v2/environment/alerts/${alertId}/hold`, body);
const holdsOf = async (productCode: string) =>
  (await must<{ items: object[] }>('GET', `/v2/stock/holds?productCode=${productCode}`)).items;

beforeEach(async () => {
  warehouse = `WH-H${++round}`;
  await must('PUT', `/v2/warehouses/${warehouse}`, { name: 'Held' });
});

describe('the batches an alert concerns', () => {
  it('are those in its warehouse whose storage range does not allow the lowest or highest value', async () => {
    const tender = await stocked('TENDER', { temperatureMin: 2, temperatureMax: 8 });
    await stocked('HARDY', { temperatureMin: -10, temperatureMax: 30 });
    await stocked('EXACT', { temperatureMin: 9, temperatureMax: 12 });
    await stocked('UNSAID', {});
    await stocked('MOIST', { humidityMax: 10 });
    const cold = await stocked('WARMTH', { temperatureMin: 10 });
    const elsewhere = await stocked('AWAY', { temperatureMax: 8 });
    await must('POST', '/v2/stock/transfers', {
      productCode: elsewhere,
      batchNo: 'L-AWAY',
      from: warehouse,
      to: 'WH-2',
      quantity: 10,
    });
    const alertId = await newAlert([9, 12, 10]);
    expect((await read(alertId)).affectedBatches).toEqual([
      {
        productCode: tender,
        productName: 'TENDER',
        batchNo: 'L-TENDER',
        expiryDate: '2030-01-01',
        quantity: 10,
        held: false,
      },
      {
        productCode: cold,
        productName: 'WARMTH',
        batchNo: 'L-WARMTH',
        expiryDate: '2030-01-01',
        quantity: 10,
        held: false,
      },
    ]);
  });

  it('of a zone are those that could be kept within its limits: what stands in another zone is left out', async () => {
    const zones = [{ code: 'COLD', name: 'Cold room' }];
    await must('PUT', `/v2/warehouses/${warehouse}`, { name: 'Zoned', zones });
    const tender = await stocked('TENDER', { temperatureMin: 2, temperatureMax: 8 });
    const cool = await stocked('COOL', { temperatureMax: 8 });
    await stocked('AMBIENT', { temperatureMin: 15, temperatureMax: 25 });
    await stocked('FROZEN', { temperatureMax: -18 });
    const alertId = await newAlert([9, 12], {}, 'COLD');
    expect((await read(alertId)).affectedBatches.map(({ productCode }) => productCode)).toEqual([
      cool,
      tender,
    ]);
  });

  it('are judged by humidity where the alert is about that', async () => {
    await stocked('TENDER', { temperatureMax: 4 });
    const moist = await stocked('MOIST', { humidityMax: 75 });
    const alertId = await newAlert([5], { humidity: 80 });
    expect((await read(alertId)).affectedBatches.map(({ productCode }) => productCode)).toEqual([moist]);
  });
});

describe('holding them', () => {
  it('holds those that are chosen, and the others with a later call', async () => {
    const [first, second] = [
      await stocked('CHOSEN', { temperatureMax: 8 }),
      await stocked('LEFT', { temperatureMax: 8 }),
    ];
    const alertId = await newAlert([9, 12]);
    const batches = [{ productCode: first, batchNo: 'L-CHOSEN' }];
    const heldOf = ({ affectedBatches }: AlertData) =>
      affectedBatches.map(({ productCode, held }) => [productCode, held]);
    expect(heldOf(await hold(alertId, { batches }))).toEqual([
      [first, true],
      [second, false],
    ]);
    expect(await holdsOf(second)).toEqual([]);
    expect(await holdsOf(first)).toMatchObject([{ alertId, reason: expect.stringContaining(alertId) }]);
    expect(heldOf(await hold(alertId))).toEqual([
      [first, true],
      [second, true],
    ]);
    expect(await holdsOf(first)).toHaveLength(1);
  });

  it('refuses a batch that it does not affect, and then holds none', async () => {
    const tender = await stocked('TENDER', { temperatureMax: 8 });
    const hardy = await stocked('HARDY', { temperatureMax: 30 });
    const alertId = await newAlert([9]);
    const batches = [
      { productCode: tender, batchNo: 'L-TENDER' },
      { productCode: hardy, batchNo: 'L-HARDY' },
    ];
    const answer = await service.call('POST', `/v2/environment/alerts/${alertId}/hold`, { batches });
    expect([answer.reason, answer.json.errors[0]?.path]).toEqual(['batch_not_affected', '/batches/1']);
    expect(await holdsOf(tender)).toEqual([]);
    const none = await service.call('POST', `/v2/environment/alerts/${alertId}/hold`, { batches: [] });
    expect(none.reason).toBe('bad_item_count');
  });

  it('says on each hold which alert it comes from; a hold by hand comes from none', async () => {
    const productCode = await stocked('SOURCED', { temperatureMax: 8 });
    const alertId = await newAlert([9]);
    await hold(alertId);
    await must('POST', '/v2/stock/holds', { productCode, batchNo: 'L-SOURCED', reason: 'looked odd' });
    const held = (await holdsOf(productCode)) as { source: string; alertId: string | null }[];
    expect(held.map((each) => [each.source, each.alertId]).sort()).toEqual([
      ['environment', alertId],
      ['manual', null],
    ]);
  });

  it('blocks each whole batch in that warehouse, with any tracking, and gives the reason', async () => {
    const codes = [
      await stocked('BATCHED', { temperatureMax: 8 }),
      await stocked('LOOSE', { temperatureMax: 8 }, 'none'),
      await stocked('PIECES', { temperatureMax: 8 }, 'serial'),
    ];
    await bringIn(codes[0] ?? '', 'L-BATCHED', undefined, 'WH-2');
    const alertId = await newAlert([9, 12]);
    const { affectedBatches } = await hold(alertId);
    expect(affectedBatches.map(({ productCode, held }) => [productCode, held])).toEqual(
      codes.map((code) => [code, true]),
    );
    for (const code of codes)
      expect(await holdsOf(code)).toMatchObject([
        {
          extent: 'batch',
          warehouse,
          status: 'active',
          reason: `temperature of 9 to 12 °C at Cold room (alert ${alertId})`,
        },
      ]);
    const inventory = await must<{ blockedQuantity: number }>('GET', `/v2/inventory?productCode=${codes[0]}`);
    expect(inventory.blockedQuantity).toBe(10);
    expect(await verifyStock(service.db.database, service.org.organization.orgId)).toMatchObject({
      ok: true,
    });
  });

  it('asked again holds only what is new, and leaves alone what somebody released', async () => {
    const code = await stocked('AGAIN', { temperatureMax: 8 });
    const alertId = await newAlert([9]);
    await hold(alertId, { reason: 'first' });
    await hold(alertId, { reason: 'second' });
    expect(await holdsOf(code)).toHaveLength(1);
    await bringIn(code, 'L-LATER');
    service.db.clock.advance(1);
    const { affectedBatches } = await hold(alertId, { reason: 'third' });
    expect(affectedBatches.map(({ batchNo, held }) => [batchNo, held])).toEqual([
      ['L-AGAIN', true],
      ['L-LATER', true],
    ]);
    const holds = (await holdsOf(code)) as { holdId: string; batchNo: string; reason: string }[];
    expect(holds.map(({ batchNo, reason }) => [batchNo, reason])).toEqual([
      ['L-LATER', 'third'],
      ['L-AGAIN', 'first'],
    ]);
    await must('POST', `/v2/stock/holds/${holds[1]?.holdId}/release`, { reason: 'tested and good' });
    expect((await hold(alertId)).affectedBatches.map(({ held }) => held)).toEqual([false, true]);
    expect(await holdsOf(code)).toHaveLength(2);
  });

  it('by several at once holds each batch once', async () => {
    const codes = [
      await stocked('ONE', { temperatureMax: 8 }),
      await stocked('TWO', { temperatureMax: 8 }),
      await stocked('SIX', { temperatureMax: 8 }),
    ];
    const alertId = await newAlert([9]);
    await Promise.all(Array.from({ length: 6 }, () => hold(alertId)));
    for (const code of codes) expect(await holdsOf(code)).toHaveLength(1);
  });

  it('of an alert that does not exist is refused', async () => {
    const answer = await service.call('POST', '/v2/environment/alerts/alr_none/hold', {});
    expect([answer.status, answer.json.errors[0]?.path]).toEqual([404, 'alertId']);
  });

  it('needs the right to change stock', async () => {
    const alertId = await newAlert([9]);
    const { apiKey } = await service.org.newKey({ scopes: ['environment:read', 'environment:write'] });
    const answer = await service.call('POST', `/v2/environment/alerts/${alertId}/hold`, {}, apiKey);
    expect([answer.status, answer.reason]).toEqual([403, 'scope_missing']);
  });
});
