import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Documents, documentsOf } from '../access/documents.js';
import { toLoopback } from '../access/pushes.js';
import { GTIN, newOrganization, openTestService } from '../harness/index.js';

type Item = Record<string, unknown>;
interface Page {
  items: Item[];
  nextCursor: string | null;
  total?: { count: number; isExact: boolean };
}

const PUMP = 'QX-PUMP';
let service: Awaited<ReturnType<typeof openTestService>>;
let documents: Documents;
let webhookId: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await openTestService({ webhooks: toLoopback });
  const { must, post } = calls;
  await must('PUT', '/v2/partners/HOSP-2', { name: 'Ward Quixote 上海', roles: ['customer', 'supplier'] });
  await must('PUT', '/v2/partners/HOSP-3', { name: 'Third hospital', roles: ['customer'] });
  await must('PUT', `/v2/products/${PUMP}`, { productName: 'Aspirator 输液泵', tracking: 'serial' });
  await must('PUT', '/v2/warehouses/WH-QX', { name: 'Store of Sancho' });
  documents = await documentsOf(service.api, service.org, 'FIND', {
    ...{ customerCode: 'HOSP-3', callbackUrl: 'http://127.0.0.1:9/none' },
  });
  const opening = { warehouse: 'WH-1', expiryDate: '2030-01-01', reason: 'opening' };
  await post('/v2/stock/adjustments', { ...opening, productCode: GTIN, batchNo: 'LOT-1', quantityDelta: 99 });
  webhookId = (
    await post<{ webhookId: string }>('/v2/webhooks', {
      callbackUrl: 'http://127.0.0.1:9/found',
      eventTypes: [
        'order.status_changed',
        'inventory.inbound_completed',
        'recall.opened',
        'environment.alert',
      ],
    })
  ).webhookId;
  // One of each that is not found.
  await documents.order('approved');
  await documents.disposition('proposed');
  await documents.alert();
  await documents.recall();
  await fillQuixote(opening);
});
afterAll(() => service.close());

const calls = {
  async must<D>(method: string, path: string, body?: object): Promise<D> {
    const answer = await service.call<D>(method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    return answer.data;
  },
  post: <D = Item>(path: string, body: object) => calls.must<D>('POST', path, body),
};

/** An order, a receipt of which a unit is rejected, units, a disposition, an alert and a recall, each under a name of its own. */
async function fillQuixote(opening: object): Promise<void> {
  const { must, post } = calls;
  const sale = { customerCode: 'HOSP-2', warehouse: 'WH-1', currency: 'CNY' };
  const lines = [{ lineNo: 1, productCode: GTIN, batchNo: 'LOT-1', quantity: 1, unitPrice: '1' }];
  ids.order = (
    await post<{ orderId: string }>('/v2/orders', { ...sale, orderNo: 'SO-QX-1076', lines })
  ).orderId;
  await post(`/v2/orders/${ids.order}/approve`, {});
  const goods = { lineNo: 1, productCode: GTIN, batchNo: 'LOT-QX7', expiryDate: '2030-01-01', quantity: 3 };
  const arrival = { receiptNo: 'GR-QX-5', supplierCode: 'HOSP-2', warehouse: 'WH-1', lines: [goods] };
  ids.receipt = (await post<{ receiptId: string }>('/v2/receipts', arrival)).receiptId;
  await post(`/v2/receipts/${ids.receipt}/acceptance`, {
    lines: [{ lineNo: 1, acceptedQuantity: 2, rejectedQuantity: 1, rejectReason: 'torn' }],
  });
  const units = { productCode: PUMP, batchNo: 'PUMPS', serials: ['SN-QX-1'], quantityDelta: 1 };
  await post('/v2/stock/adjustments', { ...opening, ...units });
  const entry = { productCode: GTIN, batchNo: 'LOT-QX7', warehouse: 'WH-1', quantity: 1, reason: 'damp' };
  const { ncId } = await post<{ ncId: string }>('/v2/quality/nonconformities', entry);
  ids.entry = ncId;
  const plan = { kind: 'destroy', ncIds: [ncId], reason: 'damp' };
  ids.disposition = (await post<{ dispositionId: string }>('/v2/quality/dispositions', plan)).dispositionId;
  const point = { name: 'Cold room Dulcinea', warehouse: 'WH-QX', temperature: { min: 2, max: 8 } };
  await must('PUT', '/v2/environment/points/PT-ROCINANTE', point);
  const reading = { pointId: 'PT-ROCINANTE', at: '2026-11-15T09:00:00.000Z', temperature: 9 };
  const { alerts } = await post<{ alerts: string[] }>('/v2/environment/readings', { readings: [reading] });
  ids.alert = alerts[0] ?? '';
  ids.recall = (
    await post<{ recallId: string }>('/v2/recalls', {
      ...{ recallNo: 'RECALL-QX-9', productCode: PUMP, batchNos: ['PUMPS'], class: 'I', reason: 'leak' },
    })
  ).recallId;
}

const find = (path: string, query: Record<string, string>) =>
  calls.must<Page>('GET', `${path}?${new URLSearchParams(query)}`);
const DELIVERIES = () => `/v2/webhooks/${webhookId}/deliveries`;
const dataOf = (item: Item) => item.data as Item;

/** The name of a row in these tests. */
const nameOf: Record<string, (item: Item) => unknown> = {
  '/v2/stock/movements': (item) => `${item.kind} ${item.batchNo}`,
  '/v2/quality/nonconformities': (item) => `${(item.source as Item).kind} ${item.batchNo}`,
  '/v2/quality/dispositions': (item) => item.dispositionId,
  '/v2/environment/alerts': (item) => item.alertId,
  '/v2/events': (item) => `${item.eventType} ${dataOf(item).currentStatus ?? ''}`.trim(),
};
const namesOf = async (path: string, q: string) => {
  const { items } = await find(path, { q });
  return [...new Set(items.map((item) => nameOf[path]?.(item)))];
};

describe('a text finds', () => {
  it.each(['lot-qx7', 'gr-qx-5'])('the movements, and the entries of the register, of %s', async (q) => {
    const ofReceipt = q === 'gr-qx-5';
    expect((await namesOf('/v2/stock/movements', q)).sort()).toEqual(
      ofReceipt ? ['receipt LOT-QX7'] : ['hold LOT-QX7', 'receipt LOT-QX7'],
    );
    expect((await namesOf('/v2/quality/nonconformities', q)).sort()).toEqual(
      ofReceipt ? ['receipt LOT-QX7'] : ['manual LOT-QX7', 'receipt LOT-QX7'],
    );
  });

  it.each(['输液', 'aspirator', 'qx-pump', 'sn-qx-1'])('the movements of a unit by %s', async (q) => {
    expect(await namesOf('/v2/stock/movements', q)).toContain('adjustment PUMPS');
    expect(await namesOf('/v2/stock/movements', `${q}-none`)).toEqual([]);
  });

  it('entries by supplier, dispositions by their goods, both by their whole id', async () => {
    expect(await namesOf('/v2/quality/nonconformities', 'quixote')).toEqual(['receipt LOT-QX7']);
    expect(await namesOf('/v2/quality/nonconformities', ids.entry ?? '')).toEqual(['manual LOT-QX7']);
    expect(await namesOf('/v2/quality/dispositions', 'LOT-QX7')).toEqual([ids.disposition]);
    expect(await namesOf('/v2/quality/dispositions', ids.disposition ?? '')).toEqual([ids.disposition]);
    expect(await namesOf('/v2/quality/dispositions', 'lot-qx77')).toEqual([]);
  });

  it.each(['dulcinea', 'rocin', 'sancho', 'room cold', 'wh-qx'])('alerts by %s', async (q) => {
    expect(await namesOf('/v2/environment/alerts', q)).toEqual([ids.alert]);
    expect(await namesOf('/v2/environment/alerts', `${q} none`)).toEqual([]);
  });

  it.each<[q: string, events: string[]]>([
    ['SO-QX-1076', ['order.status_changed approved']],
    ['qx-10', ['order.status_changed approved']],
    ['上海', ['order.status_changed approved']],
    ['GR-QX', ['inventory.inbound_completed']],
    ['recall-qx', ['recall.opened']],
    ['dulcinea', ['environment.alert']],
    ['no such thing', []],
  ])('events, and the pushes of them, about %s', async (q, events) => {
    expect(await namesOf('/v2/events', q)).toEqual(events);
    const pushed = (await find(DELIVERIES(), { q })).items.map((item) => item.eventType);
    expect([...new Set(pushed)]).toEqual(events.map((each) => each.split(' ')[0]));
  });

  it('an event by its whole id', async () => {
    const [event] = (await find('/v2/events', { q: 'SO-QX-1076' })).items;
    const eventId = String(event?.eventId);
    expect((await find('/v2/events', { q: eventId })).items).toEqual([event]);
    expect((await find(DELIVERIES(), { q: eventId })).items).toHaveLength(1);
  });
});

describe('a list with a text', () => {
  it('keeps its other filters, and counts what it finds', async () => {
    const register = '/v2/quality/nonconformities';
    const { items, total } = await find(register, { q: 'lot-qx7', source: 'receipt', count: 'true' });
    expect([items.length, total]).toEqual([1, { count: 1, isExact: true }]);
    expect((await find('/v2/events', { q: 'SO-QX', eventType: 'recall.opened' })).items).toEqual([]);
    expect((await find('/v2/stock/movements', { q: 'lot-qx7', kind: 'transfer_out' })).items).toEqual([]);
    expect((await find('/v2/environment/alerts', { q: 'dulcinea', acknowledged: 'true' })).items).toEqual([]);
    expect((await find(DELIVERIES(), { q: 'SO-QX', status: 'delivered' })).items).toEqual([]);
  });

  it('is read page by page', async () => {
    for (const path of ['/v2/stock/movements', '/v2/quality/nonconformities']) {
      const all = (await find(path, { q: 'lot-qx7' })).items;
      const first = await find(path, { q: 'lot-qx7', limit: '1' });
      const second = await find(path, { q: 'lot-qx7', limit: '1', cursor: first.nextCursor ?? '' });
      expect([...first.items, ...second.items]).toEqual(all.slice(0, 2));
    }
    const events = (await find('/v2/events', { q: 'find' })).items;
    const first = await find('/v2/events', { q: 'find', limit: '1' });
    const after = { q: 'find', limit: '200', after: first.nextCursor ?? '' };
    expect([...first.items, ...(await find('/v2/events', after)).items]).toEqual(events);
  });

  it('exports what it shows', async () => {
    const { text } = await service.call('GET', '/exports/quality/nonconformities.csv?q=gr-qx-5');
    expect(text.trim().split('\n')).toHaveLength(2);
    const plans = await service.call('GET', '/exports/quality/dispositions.csv?q=lot-qx7');
    expect(plans.text.trim().split('\n')).toHaveLength(2);
  });

  it('finds nothing of another organization, and for a customer only its own', async () => {
    const other = await newOrganization(service.db);
    for (const path of Object.keys(nameOf)) {
      const answer = await service.api.call<Page>('GET', `${path}?q=qx`, undefined, other.key);
      expect([path, answer.status, answer.data.items]).toEqual([path, 200, []]);
    }
    const theirs = await service.api.call('GET', `${DELIVERIES()}?q=qx`, undefined, other.key);
    expect(theirs.status).toBe(404);
    const { apiKey } = await service.org.newKey({ customerCode: 'HOSP-1' });
    const bound = await service.api.call<Page>('GET', '/v2/events?q=SO-QX-1076', undefined, apiKey);
    expect([bound.status, bound.data.items]).toEqual([200, []]);
  });

  it.each(['/v2/stock/movements', '/v2/events', '/v2/environment/alerts'])(
    '%s refuses a text that is too long, and ignores one of spaces',
    async (path) => {
      expect((await service.call('GET', `${path}?q=${'x'.repeat(201)}`)).status).toBe(400);
      expect((await find(path, { q: '   ' })).items.length).toBeGreaterThan(0);
    },
  );
});
