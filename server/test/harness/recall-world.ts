import type { InventoryRecord } from '../../src/stock/inventory.rules.js';
import { openTestService } from './api.js';

export interface RecallAnswer {
  recallId: string;
  recallNo: string;
  productCode: string;
  serials: string[];
  status: string;
  version: number;
  closedAt: string | null;
  affectedStock: { warehouse: string; batchNo: string; quantity: number }[];
  openDispatches: { dispatchId: string; status: string; quantity: number; customerCode: string }[];
  consignees: {
    customerCode: string;
    quantity: number;
    returnedQuantity: number;
    batchNos: string[];
    serials: string[];
    acknowledgedAt: string | null;
    documents: { type: string; id: string; no: string }[];
    answer: Record<string, unknown> | null;
    unansweredReason: string | null;
  }[];
  effectiveness: Record<string, number>;
  [field: string]: unknown;
}

type Service = Awaited<ReturnType<typeof openTestService>>;
type Must = <D>(path: string, body: object, method?: string, key?: string) => Promise<D>;
/** Units of a batch dispatched to a customer or returned by one. */
interface Goods {
  product: string;
  batchNo: string;
  quantity: number;
  customer: string;
  serials?: string[];
}

/** A service with three customers, in which goods are bought, sold, sent back and recalled. */
export async function openRecallWorld(options: Parameters<typeof openTestService>[0] = {}) {
  const service = await openTestService(options);
  const must: Must = async <D>(path: string, body: object, method = 'POST', key = service.org.key) => {
    const answer = await service.call<D>(method, path, body, key);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  for (const code of ['HOSP-1', 'HOSP-2', 'HOSP-3'])
    await must(`/v2/partners/${code}`, { name: `Hospital ${code}`, roles: ['customer'] }, 'PUT');
  // Who picks may not re-check.
  const { apiKey: picker } = await service.org.newKey({ owner: 'picker@test.example' });
  const dispose = disposing(must, picker);
  let made = 0;
  const next = () => ++made;
  return {
    ...service,
    must,
    picker,
    ...stocking(service, must, next),
    ...selling(service, must, next, picker),
    dispose,
    ...recalling(service, next, dispose),
  };
}

function stocking({ call }: Service, must: Must, next: () => number) {
  return {
    async newProduct(tracking: 'batch' | 'serial' | 'none' = 'batch', more: object = {}) {
      const productCode = `RECALLED-${next()}`;
      await must(`/v2/products/${productCode}`, { productName: 'Valve', tracking, ...more }, 'PUT');
      return productCode;
    },
    enter: (productCode: string, batchNo: string, quantityDelta: number, more: object = {}) =>
      must('/v2/stock/adjustments', {
        productCode,
        warehouse: 'WH-1',
        quantityDelta,
        reason: 'opening stock',
        ...(batchNo === '' ? {} : { batchNo, expiryDate: '2030-01-01' }),
        ...more,
      }),
    async giveBack({ product, batchNo, quantity, customer, serials }: Goods) {
      const line = { lineNo: 1, productCode: product, batchNo, expiryDate: '2030-01-01', quantity };
      const { receiptId } = await must<{ receiptId: string }>('/v2/receipts', {
        receiptNo: `RET-${next()}`,
        kind: 'return',
        customerCode: customer,
        warehouse: 'WH-1',
        unmatched: { reason: 'more than the ledger knows of' },
        lines: [{ ...line, ...(serials ? { serials } : {}) }],
      });
      const verdict = { lineNo: 1, acceptedQuantity: quantity, rejectedQuantity: 0 };
      await must(`/v2/receipts/${receiptId}/acceptance`, { lines: [verdict] });
    },
    /** [available, reserved, blocked] */
    async quantities(productCode: string) {
      const { data } = await call<InventoryRecord>('GET', `/v2/inventory?productCode=${productCode}`);
      return [data.availableQuantity, data.reservedQuantity, data.blockedQuantity];
    },
  };
}

function selling({ call }: Service, must: Must, next: () => number, picker: string) {
  const order = async (productCode: string, quantity: number, more: object = {}, customerCode = 'HOSP-1') => {
    const line = { lineNo: 1, productCode, quantity, unitPrice: '1', ...more };
    const sale = { warehouse: 'WH-1', currency: 'EUR', customerCode, lines: [line] };
    const orderNo = `SO-${next()}`;
    return (await must<{ orderId: string }>('/v2/orders', { orderNo, ...sale })).orderId;
  };
  const newDispatch = async (...wanted: Parameters<typeof order>) => {
    const orderId = await order(...wanted);
    await must(`/v2/orders/${orderId}/approve`, {});
    const { dispatchId } = await must<{ dispatchId: string }>('/v2/dispatches', { orderId });
    return { orderId, dispatchId };
  };
  const pick = (dispatchId: string, batchNo: string, quantity: number, more: object = {}) => {
    const picks = [{ lineNo: 1, ...(batchNo === '' ? {} : { batchNo }), quantity, ...more }];
    return call<{ status: string }>('POST', `/v2/dispatches/${dispatchId}/picks`, { picks }, picker);
  };
  const recheck = (dispatchId: string) =>
    call<{ status: string }>('POST', `/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
  return {
    order,
    newDispatch,
    pick,
    recheck,
    async ship({ product, batchNo, quantity, customer, serials }: Goods) {
      const opened = await newDispatch(product, quantity, batchNo === '' ? {} : { batchNo }, customer);
      const picked = await pick(opened.dispatchId, batchNo, quantity, serials ? { serials } : {});
      const checked = await recheck(opened.dispatchId);
      if (checked.status !== 200) throw new Error(`${picked.text} ${checked.text}`);
      return opened;
    },
  };
}

/** Proposes a disposition, has the second person approve it, and executes it. */
const disposing = (must: Must, second: string) => async (proposal: object) => {
  const path = '/v2/quality/dispositions';
  const { dispositionId } = await must<{ dispositionId: string }>(path, { reason: 'tested', ...proposal });
  await must(`${path}/${dispositionId}/approve`, {}, 'POST', second);
  await must(`${path}/${dispositionId}/execute`, { witness: 'witness@test.example' });
};
type Dispose = ReturnType<typeof disposing>;

/** The counts of a consignee; those not given are zero. */
export const counts = (given: object = {}) => ({
  ...{ onHand: 0, used: 0, returned: 0, destroyed: 0, notFound: 0 },
  ...given,
});

function recalling({ call, org, db }: Service, next: () => number, dispose: Dispose) {
  const ask = (productCode: string, more: object = {}, headers: Record<string, string> = {}) => {
    const body = { recallNo: `RC-${next()}`, productCode, class: 'II', reason: 'cracks', ...more };
    return call<RecallAnswer>('POST', '/v2/recalls', body, org.key, headers);
  };
  const read = async (recallId: string) => (await call<RecallAnswer>('GET', `/v2/recalls/${recallId}`)).data;
  const answer = (recallId: string, customerCode: string, given: object = {}, key = org.key) =>
    call<RecallAnswer>(
      'POST',
      `/v2/recalls/${recallId}/consignees/${customerCode}/answer`,
      counts(given),
      key,
    );
  const closeRecall = (recallId: string, more: object = {}) =>
    call<RecallAnswer>('POST', `/v2/recalls/${recallId}/close`, { reason: 'all found', ...more });
  /** Has the stock under the holds of a recall destroyed, and the consignees that are silent answer. */
  const settle = async (recallId: string) => {
    const { affectedStock, consignees } = await read(recallId);
    // Units of a recalled batch that a hold of a quantity covers are decided with that hold.
    const holds = await db.sql<{ holdId: string }>(
      `select h.hold_id as "holdId" from recalls r join holds h on h.org_id = r.org_id and h.product_code = r.product_code
       where r.recall_id = $1 and h.released_at is null and h.batch_no = any($2)
         and (h.extent = 'quantity' and r.extent <> 'serials'
           or exists (select from recall_holds x where x.org_id = h.org_id and x.recall_id = r.recall_id
             and x.hold_id = h.hold_id))
         and (h.extent <> 'batch' or exists (select from balances b where b.org_id = h.org_id
           and b.product_code = h.product_code and b.batch_no = h.batch_no and b.quantity > b.held))`,
      [recallId, affectedStock.map(({ batchNo }) => batchNo)],
    );
    if (holds.length > 0) await dispose({ kind: 'destroy', holdIds: holds.map(({ holdId }) => holdId) });
    for (const { customerCode, quantity } of consignees.filter((each) => each.answer === null))
      if ((await answer(recallId, customerCode, { used: quantity })).status !== 200)
        throw new Error(`${customerCode} cannot answer`);
  };
  return {
    ask,
    read,
    answer,
    closeRecall,
    settle,
    async recall(productCode: string, more: object = {}): Promise<RecallAnswer> {
      const opened = await ask(productCode, more);
      if (opened.status !== 200) throw new Error(opened.text);
      return opened.data;
    },
    /** Settles what is open and closes the recall. */
    async finish(recallId: string) {
      await settle(recallId);
      return closeRecall(recallId);
    },
  };
}
