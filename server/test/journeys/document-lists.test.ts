import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFlow, type World } from './flow-world.js';

/** All documents of a list are made in the same instant unless a test advances the clock: ids alone order them. */
let world: World;
beforeAll(async () => {
  world = await openFlow();
  await world.must('PUT', '/v2/partners/HOSP-9', { name: 'Hospital 9', roles: ['customer'] });
  await world.must('PUT', '/v2/partners/SUP-9', { name: 'Supplier 9', roles: ['supplier'] });
});
afterAll(() => world.close());

type Item = Record<string, string>;
interface Page {
  items: Item[];
  nextCursor: string | null;
}

const list = async (path: string, id: string): Promise<string[]> =>
  (await world.must<Page>('GET', path)).items.map((item) => item[id] ?? '');

/** More than any list here has; a cursor that does not advance would never end. */
const PAGES_MAX = 20;

/** The ids of each page in turn. */
async function pagesOf(path: string, id: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null && pages.length < PAGES_MAX) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await world.must<Page>('GET', `${path}?limit=${limit}${after}`);
    pages.push(page.items.map((item) => item[id] ?? ''));
    cursor = page.nextCursor;
  }
  return pages;
}

/** Newest first, each once, however the list is cut into pages. */
async function expectPages(path: string, id: string, made: readonly string[]): Promise<void> {
  const newestFirst = [...made].sort().reverse();
  expect(await list(path, id)).toEqual(newestFirst);
  for (const limit of [1, 2, 3]) {
    const pages = await pagesOf(path, id, limit);
    expect(pages.flat()).toEqual(newestFirst);
    expect(pages.map((page) => page.length)).toEqual(
      Array.from({ length: Math.ceil(made.length / limit) }, (_, i) =>
        Math.min(limit, made.length - i * limit),
      ),
    );
  }
}

const later = () => {
  world.db.clock.advance(60_000);
  return encodeURIComponent(world.db.clock.now().toISOString());
};

describe('the list of orders', () => {
  const made: { orderId: string; orderNo: string }[] = [];
  beforeAll(async () => {
    for (const customerCode of ['HOSP-1', 'HOSP-9', 'HOSP-1', 'HOSP-9', 'HOSP-1'])
      made.push(await world.post('/v2/orders', { ...world.orderBody({ quantity: 1 }), customerCode }));
  });
  const at = (...places: number[]) =>
    places
      .map((place) => made[place]?.orderId ?? '')
      .sort()
      .reverse();

  it('shows each order on one page only', async () => {
    await expectPages('/v2/orders', 'orderId', at(0, 1, 2, 3, 4));
  });

  it('narrows by number, customer, status and time of change, and by several at once', async () => {
    const orders = (query: string) => list(`/v2/orders?${query}`, 'orderId');
    expect(await orders(`orderNo=${made[2]?.orderNo}`)).toEqual(at(2));
    expect(await orders('customerCode=HOSP-9')).toEqual(at(1, 3));
    const since = later();
    expect(await orders(`updatedSince=${since}`)).toEqual([]);
    for (const place of [1, 2]) await world.act(at(place)[0] ?? '', 'reject', { reason: 'duplicate' });
    expect(await orders('status=rejected')).toEqual(at(1, 2));
    expect(await orders('status=pending_approval')).toEqual(at(0, 3, 4));
    expect(await orders(`updatedSince=${since}`)).toEqual(at(1, 2));
    expect(await orders(`updatedSince=${later()}`)).toEqual([]);
    expect(await orders('status=rejected&customerCode=HOSP-9')).toEqual(at(1));
  });

  it('narrows by the time of creation: from the first instant on, before the last', async () => {
    const orders = (query: string) => list(`/v2/orders?${query}`, 'orderId');
    const newest = async () => {
      const from = later();
      const order = await world.post<{ orderId: string }>('/v2/orders', {
        ...world.orderBody({ quantity: 1 }),
        customerCode: 'HOSP-9',
      });
      return { from, orderId: order.orderId };
    };
    const one = await newest();
    const two = await newest();
    expect(await orders(`since=${one.from}&until=${two.from}`)).toEqual([one.orderId]);
    expect(await orders(`since=${two.from}`)).toEqual([two.orderId]);
    expect(await orders(`until=${one.from}`)).toEqual(at(0, 1, 2, 3, 4));
    expect(await orders(`since=${one.from}&customerCode=HOSP-1`)).toEqual([]);
  });
});

describe('the list of receipts', () => {
  const made: { receiptId: string; receiptNo: string }[] = [];
  beforeAll(async () => {
    for (const supplierCode of ['SUP-1', 'SUP-9', 'SUP-1', 'SUP-9'])
      made.push(await world.post('/v2/receipts', { ...world.receiptBody({ quantity: 5 }), supplierCode }));
    const { supplierCode: _, ...body } = world.receiptBody({ quantity: 1 });
    const unmatched = {
      kind: 'return',
      customerCode: 'HOSP-9',
      unmatched: { reason: 'from another supplier' },
    };
    made.push(await world.post('/v2/receipts', { ...body, ...unmatched }));
  });
  const at = (...places: number[]) =>
    places
      .map((place) => made[place]?.receiptId ?? '')
      .sort()
      .reverse();

  it('shows each receipt on one page only', async () => {
    await expectPages('/v2/receipts', 'receiptId', at(0, 1, 2, 3, 4));
  });

  it('narrows by number, supplier, kind, status and time of change, and by several at once', async () => {
    const receipts = (query: string) => list(`/v2/receipts?${query}`, 'receiptId');
    expect(await receipts(`receiptNo=${made[3]?.receiptNo}`)).toEqual(at(3));
    expect(await receipts('supplierCode=SUP-9')).toEqual(at(1, 3));
    expect(await receipts('kind=return')).toEqual(at(4));
    expect(await receipts('kind=purchase')).toEqual(at(0, 1, 2, 3));
    const since = later();
    for (const place of [0, 1])
      await world.post(`/v2/receipts/${at(place)[0]}/cancel`, { reason: 'entered twice' });
    expect(await receipts('status=cancelled')).toEqual(at(0, 1));
    expect(await receipts('status=pending_acceptance')).toEqual(at(2, 3, 4));
    expect(await receipts(`updatedSince=${since}`)).toEqual(at(0, 1));
    expect(await receipts(`updatedSince=${later()}`)).toEqual([]);
    expect(await receipts('status=cancelled&supplierCode=SUP-9')).toEqual(at(1));
  });
});

describe('the list of dispatches', () => {
  const made: { dispatchId: string; orderId: string }[] = [];
  beforeAll(async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 20 });
    for (const customerCode of ['HOSP-1', 'HOSP-9', 'HOSP-1', 'HOSP-9', 'HOSP-1']) {
      const body = { ...world.orderBody({ productCode, quantity: 2 }), customerCode };
      const { orderId } = await world.post<{ orderId: string }>('/v2/orders', body);
      await world.act(orderId, 'approve');
      made.push({ orderId, dispatchId: (await world.open(orderId, { lineNo: 1, quantity: 1 })).dispatchId });
    }
  });
  const at = (...places: number[]) =>
    places
      .map((place) => made[place]?.dispatchId ?? '')
      .sort()
      .reverse();

  it('shows each dispatch on one page only', async () => {
    await expectPages('/v2/dispatches', 'dispatchId', at(0, 1, 2, 3, 4));
  });

  it('narrows by order and status, and by both at once', async () => {
    const dispatches = (query: string) => list(`/v2/dispatches?${query}`, 'dispatchId');
    expect(await dispatches(`orderId=${made[1]?.orderId}`)).toEqual(at(1));
    for (const place of [1, 2]) await world.on(at(place)[0] ?? '', 'cancel', { reason: 'no carrier' });
    expect(await dispatches('status=cancelled')).toEqual(at(1, 2));
    expect(await dispatches('status=picking')).toEqual(at(0, 3, 4));
    expect(await dispatches(`status=cancelled&orderId=${made[1]?.orderId}`)).toEqual(at(1));
    expect(await dispatches(`status=picking&orderId=${made[1]?.orderId}`)).toEqual([]);
  });
});
