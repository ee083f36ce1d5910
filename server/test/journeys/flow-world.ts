import { expect } from 'vitest';
import { type Answer, GTIN, openTestService, type TestClock } from '../harness/index.js';

/** The start of every business-flow test: a small catalogue, two people, and a function for each command. */

export interface OrderView {
  orderId: string;
  orderNo: string;
  result: string;
  status: string;
  onHold: boolean;
  shortage: boolean;
  version: number;
  sourceVersion: number | null;
  totalAmount: string;
  remark: string | null;
  lines: {
    lineNo: number;
    productCode: string;
    quantity: number;
    unitPrice: string;
    reserved: { batchNo: string; expiryDate: string | null; quantity: number }[];
    dispatchedQuantity: number;
    deliveredQuantity: number;
    closedQuantity: number;
  }[];
  statusHistory: { previousStatus: string | null; currentStatus: string }[];
}

export interface DispatchView {
  dispatchId: string;
  dispatchNo: string;
  status: string;
  recheckReason: string | null;
  lines: {
    lineNo: number;
    productCode: string;
    quantity: number;
    toPick: { batchNo: string; quantity: number }[];
    picks: { batchNo: string; quantity: number; serials: string[] }[];
  }[];
}

export interface FeedEvent {
  eventId: string;
  eventType: string;
  timestamp: string;
  data: Record<string, unknown>;
}

interface Lot {
  productCode?: string;
  warehouse?: string;
  batchNo?: string;
  manufactureDate?: string | null;
  expiryDate?: string | null;
  quantity?: number;
  serials?: string[];
}

interface Line {
  productCode?: string;
  quantity?: number;
  unitPrice?: string;
  batchNo?: string | null;
  minRemainingShelfLifeDays?: number;
}

export interface Pick {
  lineNo?: number;
  batchNo?: string;
  quantity: number;
  serials?: string[];
  reason?: string;
}

export type World = Awaited<ReturnType<typeof openFlow>>;

export async function openFlow(options: Parameters<typeof openTestService>[0] = {}) {
  const service = await openTestService(options);
  const second = (await service.org.newKey({ owner: 'second@person.example' })).apiKey;
  const calls = callsOn(service);
  const orders = ordersOn(calls);
  return {
    ...service,
    second,
    ...calls,
    ...goodsOn(calls),
    ...orders,
    ...dispatchesOn(calls, second, service.db.clock),
    ...booksOn(calls, orders),
  };
}

type Calls = ReturnType<typeof callsOn>;

function callsOn({ call }: Awaited<ReturnType<typeof openTestService>>) {
  let serial = 0;
  const next = (prefix: string) => `${prefix}-${++serial}`;

  const must = async <D>(method: string, path: string, body?: unknown, key?: string): Promise<D> => {
    const answer = await call<D>(method, path, body, key);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.data;
  };
  const post = <D>(path: string, body: unknown = {}, key?: string) => must<D>('POST', path, body, key);
  /** Makes a call that must be refused, and returns the reason. */
  const refused = async (method: string, path: string, body: unknown = {}, key?: string) => {
    const answer = await call(method, path, body, key);
    expect([path, answer.status, answer.code]).toEqual([path, 400, 1001]);
    return answer.reason;
  };
  return { next, must, post, refused };
}

function goodsOn({ next, must, post }: Calls) {
  const newProduct = async (input: object = {}): Promise<string> => {
    const code = next('PRD');
    await must('PUT', `/v2/products/${code}`, { productName: `Product ${code}`, ...input });
    return code;
  };
  const receiptBody = ({ warehouse = 'WH-1', ...lot }: Lot = {}) => ({
    receiptNo: next('R'),
    supplierCode: 'SUP-1',
    warehouse,
    lines: [
      { lineNo: 1, productCode: GTIN, batchNo: 'B1', expiryDate: '2030-01-01', quantity: 10, ...lot } as Lot,
    ],
  });
  /** Goods accepted into stock by a purchase, or, with `kind`, by a return. */
  const receive = async (lot: Lot = {}, more: object = {}) => {
    const body = { ...receiptBody(lot), ...more };
    const { receiptId } = await post<{ receiptId: string }>('/v2/receipts', body);
    await post(`/v2/receipts/${receiptId}/acceptance`, {
      lines: [{ lineNo: 1, acceptedQuantity: body.lines[0]?.quantity, rejectedQuantity: 0 }],
    });
    return receiptId;
  };
  return { newProduct, receiptBody, receive };
}

function ordersOn({ next, must, post }: Calls) {
  const orderBody = (...lines: Line[]) => ({
    orderNo: next('SO'),
    customerCode: 'HOSP-1',
    warehouse: 'WH-1',
    currency: 'EUR',
    lines: lines.map((line, i) => ({
      lineNo: i + 1,
      productCode: GTIN,
      quantity: 10,
      unitPrice: '10.00',
      ...line,
    })),
  });
  const newOrder = (...lines: Line[]) => post<OrderView>('/v2/orders', orderBody(...lines));
  const act = (orderId: string, action: string, body: object = {}, key?: string) =>
    post<OrderView>(`/v2/orders/${orderId}/${action}`, body, key);
  const approved = async (...lines: Line[]) => act((await newOrder(...lines)).orderId, 'approve');
  const readOrder = (orderId: string) => must<OrderView>('GET', `/v2/orders/${orderId}`);
  return { orderBody, newOrder, act, approved, readOrder };
}

function dispatchesOn({ post }: Calls, second: string, clock: TestClock) {
  const open = (orderId: string, ...lines: { lineNo: number; quantity: number }[]) =>
    post<DispatchView>('/v2/dispatches', { orderId, ...(lines.length > 0 ? { lines } : {}) });
  const on = (dispatchId: string, action: string, body: object = {}, key?: string) =>
    post<DispatchView>(`/v2/dispatches/${dispatchId}/${action}`, body, key);
  const withLine = (picks: readonly Pick[]) => picks.map((pick) => ({ lineNo: 1, ...pick }));
  const pick = (dispatchId: string, ...picks: Pick[]) => on(dispatchId, 'picks', { picks: withLine(picks) });
  const pass = (dispatchId: string) => on(dispatchId, 'recheck', { result: 'pass' }, second);
  const deliver = (dispatchId: string) =>
    on(dispatchId, 'delivery', { receivedBy: 'ward 3', receivedAt: clock.now().toISOString() });
  /** A dispatch of what is given (or all that is left), picked as reserved and passed. */
  const ship = async (orderId: string, ...lines: { lineNo: number; quantity: number }[]) => {
    const dispatch = await open(orderId, ...lines);
    const picks = dispatch.lines.flatMap((line) =>
      line.toPick.map((each) => ({ lineNo: line.lineNo, ...each })),
    );
    await pick(dispatch.dispatchId, ...picks);
    return pass(dispatch.dispatchId);
  };
  return { open, on, withLine, pick, pass, deliver, ship };
}

function booksOn({ must }: Calls, { readOrder }: ReturnType<typeof ordersOn>) {
  /** Total, available, reserved and blocked. */
  const stock = async (productCode = GTIN, warehouse = 'WH-1') => {
    const d = await must<Record<string, number>>(
      'GET',
      `/v2/inventory?productCode=${productCode}&warehouse=${warehouse}`,
    );
    return [d.totalQuantity, d.availableQuantity, d.reservedQuantity, d.blockedQuantity];
  };
  const reservedOf = async (orderId: string, line = 0) =>
    (await readOrder(orderId)).lines[line]?.reserved.map((each) => [each.batchNo, each.quantity]);

  let cursor = '';
  /** Events added to the feed since the last call. */
  const newEvents = async (): Promise<FeedEvent[]> => {
    const events: FeedEvent[] = [];
    for (;;) {
      const page = await must<{ items: FeedEvent[]; nextCursor: string; hasMore: boolean }>(
        'GET',
        `/v2/events?limit=200${cursor && `&after=${cursor}`}`,
      );
      cursor = page.nextCursor;
      events.push(...page.items);
      if (!page.hasMore) return events;
    }
  };
  return { stock, reservedOf, newEvents };
}

export const statusOf = ({ status, reason }: Answer): string =>
  status === 200 ? 'ok' : (reason ?? `${status}`);
