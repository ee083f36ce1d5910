import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OrderView, openFlow, type World } from './flow-world.js';

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

const OLD = {
  productName: 'Coronary stent',
  specification: '3.0×18',
  model: 'CS-1',
  manufacturer: 'Acme',
  registrationNo: 'REG-1',
  unit: 'piece',
};
const NEW = {
  productName: 'Renamed stent',
  specification: '3.5×18',
  model: 'CS-2',
  manufacturer: 'Other',
  registrationNo: 'REG-2',
  unit: 'box',
};
type Words = typeof OLD;
type Worded = { lines: (Words & { lineNo: number })[] };

const wordsOf = ({ lines }: Worded) =>
  lines.map(({ productName, specification, model, manufacturer, registrationNo, unit }) => ({
    productName,
    specification,
    model,
    manufacturer,
    registrationNo,
    unit,
  }));

let productCode: string;
let customerCode: string;
let supplierCode: string;
beforeEach(async () => {
  productCode = world.next('PRD');
  customerCode = world.next('CUST');
  supplierCode = world.next('SUPP');
  await describeAll(OLD, 'Old');
});

const describeAll = async (words: Words, prefix: string) => {
  await world.must('PUT', `/v2/products/${productCode}`, words);
  await world.must('PUT', `/v2/partners/${customerCode}`, {
    name: `${prefix} hospital`,
    roles: ['customer'],
  });
  await world.must('PUT', `/v2/partners/${supplierCode}`, { name: `${prefix} maker`, roles: ['supplier'] });
};
const rename = () => describeAll(NEW, 'New');

const read = <D>(path: string) => world.must<D>('GET', path);
const order = async (lines: object[] = [{ productCode, quantity: 10 }]) => {
  const body = { ...world.orderBody(...lines), customerCode };
  return { body, ...(await world.post<OrderView & Worded & { customerName: string }>('/v2/orders', body)) };
};
const receipt = (more: object = {}) => ({ ...world.receiptBody({ productCode }), supplierCode, ...more });
const acceptance = { lines: [{ lineNo: 1, acceptedQuantity: 10, rejectedQuantity: 0 }] };

describe('an order', () => {
  it('keeps its names when products and partners are renamed, in every response and list', async () => {
    const { orderId, orderNo, ...created } = await order();
    expect([created.customerName, ...wordsOf(created)]).toEqual(['Old hospital', OLD]);
    await rename();
    type Kept = OrderView & Worded & { customerName: string };
    const listed = await read<{ items: Kept[] }>(`/v2/orders?orderNo=${orderNo}`);
    for (const kept of [await read<Kept>(`/v2/orders/${orderId}`), ...listed.items])
      expect([kept.customerName, ...wordsOf(kept)]).toEqual(['Old hospital', OLD]);
    const again = await world.post<Kept>('/v2/orders', created.body);
    expect([again.result, again.customerName, ...wordsOf(again)]).toEqual(['unchanged', 'Old hospital', OLD]);
  });

  it('takes the current names with each change of its content', async () => {
    const { body } = await order();
    await rename();
    const changed = await world.post<Worded & { result: string; customerName: string }>('/v2/orders', {
      ...body,
      lines: [{ ...body.lines[0], quantity: 11 }],
    });
    expect([changed.result, changed.customerName, ...wordsOf(changed)]).toEqual([
      'updated',
      'New hospital',
      NEW,
    ]);
  });

  it('always shows all descriptive fields, null if the product has none', async () => {
    await world.must('PUT', `/v2/products/${productCode}`, { productName: 'Bare' });
    const nothing = {
      specification: null,
      model: null,
      manufacturer: null,
      registrationNo: null,
      unit: null,
    };
    expect(wordsOf(await order())).toEqual([{ productName: 'Bare', ...nothing }]);
  });
});

describe('a receipt', () => {
  type Kept = Worded & { receiptId: string; supplierName: string | null; customerName: string | null };

  it('takes the names at acceptance and keeps them', async () => {
    const body = receipt();
    const { receiptId, ...entered } = await world.post<Kept>('/v2/receipts', body);
    expect([entered.supplierName, entered.customerName, ...wordsOf(entered)]).toEqual([
      'Old maker',
      null,
      OLD,
    ]);
    await rename();
    const accepted = await world.post<Kept>(`/v2/receipts/${receiptId}/acceptance`, acceptance);
    expect([accepted.supplierName, ...wordsOf(accepted)]).toEqual(['New maker', NEW]);
    await describeAll(OLD, 'Third');
    const listed = await read<{ items: Kept[] }>(`/v2/receipts?receiptNo=${body.receiptNo}`);
    for (const kept of [await read<Kept>(`/v2/receipts/${receiptId}`), ...listed.items])
      expect([kept.supplierName, kept.customerName, ...wordsOf(kept)]).toEqual(['New maker', null, NEW]);
  });

  it('that is rejected keeps them too, and a return those of its customer', async () => {
    const { receiptId } = await world.post<Kept>('/v2/receipts', receipt());
    await world.post(`/v2/receipts/${receiptId}/acceptance`, {
      lines: [{ lineNo: 1, acceptedQuantity: 0, rejectedQuantity: 10, rejectReason: 'broken' }],
    });
    const back = await world.post<Kept>(
      '/v2/receipts',
      receipt({ kind: 'return', supplierCode: undefined, customerCode }),
    );
    expect([back.supplierName, back.customerName]).toEqual([null, 'Old hospital']);
    await rename();
    const kept = await read<Kept>(`/v2/receipts/${receiptId}`);
    expect([kept.supplierName, ...wordsOf(kept)]).toEqual(['Old maker', OLD]);
  });

  it('includes its names in the event', async () => {
    await world.newEvents();
    const { receiptId } = await world.post<Kept>('/v2/receipts', receipt());
    await rename();
    await world.post(`/v2/receipts/${receiptId}/acceptance`, acceptance);
    const [event] = await world.newEvents();
    expect(event?.data).toMatchObject({ lines: [{ productName: 'Renamed stent' }] });
  });
});

describe('a dispatch', () => {
  type Kept = Worded & { dispatchId: string; customerName: string };
  const opened = async () => {
    await world.receive({ productCode }, { supplierCode });
    const { orderId } = await order();
    await world.act(orderId, 'approve');
    return world.open(orderId) as unknown as Promise<Kept & { orderId: string }>;
  };

  it('takes the names at re-check and keeps them, in responses, lists and the event', async () => {
    const { dispatchId, orderId, ...open } = await opened();
    expect([open.customerName, ...wordsOf(open)]).toEqual(['Old hospital', OLD]);
    await world.pick(dispatchId, { batchNo: 'B1', quantity: 10 });
    await rename();
    await world.newEvents();
    const passed = (await world.pass(dispatchId)) as unknown as Kept;
    expect([passed.customerName, ...wordsOf(passed)]).toEqual(['New hospital', NEW]);
    const outbound = (await world.newEvents()).find(
      (event) => event.eventType === 'inventory.outbound_completed',
    );
    expect(outbound?.data).toMatchObject({ lines: [{ productName: 'Renamed stent' }] });
    await describeAll(OLD, 'Third');
    const listed = await read<{ items: Kept[] }>(`/v2/dispatches?orderId=${orderId}`);
    for (const kept of [await read<Kept>(`/v2/dispatches/${dispatchId}`), ...listed.items])
      expect([kept.customerName, ...wordsOf(kept)]).toEqual(['New hospital', NEW]);
    const delivered = (await world.deliver(dispatchId)) as unknown as Kept;
    expect([delivered.customerName, ...wordsOf(delivered)]).toEqual(['New hospital', NEW]);
  });

  it('that was cancelled keeps its names as well', async () => {
    const { dispatchId } = await opened();
    await world.on(dispatchId, 'cancel');
    await rename();
    const kept = await read<Kept>(`/v2/dispatches/${dispatchId}`);
    expect([kept.customerName, ...wordsOf(kept)]).toEqual(['Old hospital', OLD]);
  });
});

describe('a document without names, written by the previous version during an upgrade', () => {
  it('shows the current names', async () => {
    await world.receive({ productCode }, { supplierCode });
    const { orderId } = await order();
    await world.act(orderId, 'approve');
    const { dispatchId } = await world.ship(orderId);
    for (const table of ['orders', 'dispatches'])
      await world.db.sql(`update ${table} set customer_name = null`);
    await world.db.sql('update receipts set partner_name = null');
    for (const table of ['order_lines', 'dispatch_lines', 'receipt_lines'])
      await world.db.sql(`update ${table} set product_name = null, specification = null, unit = null`);
    await rename();
    type Kept = Worded & { customerName: string };
    for (const path of [`/v2/orders/${orderId}`, `/v2/dispatches/${dispatchId}`]) {
      const shown = await read<Kept>(path);
      expect([path, shown.customerName, ...wordsOf(shown)]).toEqual([path, 'New hospital', NEW]);
    }
    const [receiptShown] = (
      await read<{ items: (Worded & { supplierName: string })[] }>(
        `/v2/receipts?supplierCode=${supplierCode}`,
      )
    ).items;
    expect(receiptShown && [receiptShown.supplierName, ...wordsOf(receiptShown)]).toEqual(['New maker', NEW]);
  });
});

it('a rename changes no name in an order, a receipt, a dispatch or the list of consignees', async () => {
  const receiptId = await world.receive({ productCode }, { supplierCode });
  const { orderId } = await order();
  await world.act(orderId, 'approve');
  const { dispatchId } = await world.ship(orderId);
  const recall = { recallNo: world.next('RC'), productCode, batchNos: ['B1'], class: 'II', reason: 'broken' };
  const { recallId } = await world.post<{ recallId: string }>('/v2/recalls', recall);
  await rename();
  const paths = [
    `/v2/orders/${orderId}`,
    `/v2/receipts/${receiptId}`,
    `/v2/dispatches/${dispatchId}`,
    `/exports/recalls/${recallId}.csv`,
  ];
  const answers = await Promise.all(paths.map((path) => world.call('GET', path)));
  const renamed = paths.filter((_, i) => /Renamed stent|New hospital|New maker/.test(answers[i]?.text ?? ''));
  expect(renamed).toEqual([]);
});

describe('what is published about documents', () => {
  it('uses their names: the steps of a trace and the list of consignees', async () => {
    await world.receive({ productCode }, { supplierCode });
    const { orderId } = await order();
    await world.act(orderId, 'approve');
    await world.deliver((await world.ship(orderId)).dispatchId);
    await world.must('PUT', `/v2/products/${productCode}`, { ...OLD, udiDi: '04012345678901' });
    await rename();
    await world.must('PUT', `/v2/products/${productCode}`, { ...NEW, udiDi: '04012345678901' });
    type Step = {
      step: string;
      productName: string;
      from: { name: string } | null;
      to: { name: string } | null;
    };
    const trace = await read<{ chain: { items: Step[] } }>(
      `/v2/udi?code=${encodeURIComponent('(01)04012345678901(10)B1')}`,
    );
    expect(
      trace.chain.items.map(({ step, productName, from, to }) => [step, productName, from?.name, to?.name]),
    ).toEqual([
      ['received', 'Coronary stent', 'Old maker', 'Main'],
      ['dispatched', 'Coronary stent', 'Main', 'Old hospital'],
      ['delivered', 'Coronary stent', 'Main', 'Old hospital'],
    ]);
    const recall = await world.post<{ recallId: string; consignees: { customerName: string }[] }>(
      '/v2/recalls',
      { recallNo: world.next('RC'), productCode, batchNos: ['B1'], class: 'II', reason: 'broken' },
    );
    expect(recall.consignees.map((each) => each.customerName)).toEqual(['Old hospital']);
    const csv = await world.call('GET', `/exports/recalls/${recall.recallId}.csv`);
    expect(csv.text).toContain('Old hospital');
    expect(csv.text).not.toContain('New hospital');
  });
});
