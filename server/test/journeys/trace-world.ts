import { randomUUID } from 'node:crypto';
import { GTIN, openTestService } from '../harness/index.js';

export interface TracedItem {
  step: string;
  at: string;
  recordedAt: string;
  location: string | null;
  from: { kind: string; code: string | null; name: string | null } | null;
  to: { kind: string; code: string | null; name: string | null } | null;
  document: { type: string; id: string; no: string | null; line: number | null } | null;
  batchNo: string;
  serialNo: string | null;
  quantity: number;
  actor: string | null;
  certificates: string[];
}
export interface TraceAnswer {
  udi: Record<string, unknown>;
  product: Record<string, unknown> & { productCode: string; package: object | null };
  status: string;
  holders: { kind: string; code: string | null; name: string | null; quantity: number }[];
  chain: { items: TracedItem[]; nextCursor: string | null };
  certificates: { certificateNo: string; subjectType: string; subjectCode: string; status: string }[];
  recalls: { recallNo: string; status: string }[];
}

interface Goods {
  productCode?: string;
  batchNo?: string;
  quantity?: number;
  serials?: string[];
}

/** A GTIN for the product whose serialized units have numbers. */
export const PUMP_DI = '00844588003288';

/** The small catalogue, a second customer, and functions that move goods. */
export async function openTraceWorld() {
  const service = await openTestService();
  const { call, org } = service;
  const second = (await org.newKey({ owner: 'second@test.example' })).apiKey;
  const must = async <D>(method: string, path: string, body?: object, key?: string): Promise<D> => {
    const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
    const answer = await call<D>(method, path, body, key, headers);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    service.db.clock.advance(60_000);
    return answer.data;
  };
  await must('PUT', '/v2/partners/HOSP-2', { name: 'Country hospital', roles: ['customer'] });
  await must('PUT', '/v2/products/PUMP-1', {
    productName: 'Infusion pump',
    tracking: 'serial',
    udiDi: PUMP_DI,
    packaging: [{ udiDi: '10844588003285', level: 'box', quantity: 4 }],
  });
  let documents = 0;
  const line = (goods: Goods) => ({
    lineNo: 1,
    productCode: GTIN,
    batchNo: 'B1',
    expiryDate: '2028-11-30',
    quantity: goods.serials?.length ?? 10,
    ...goods,
  });
  const take = async (receipt: object, goods: Goods) => {
    const lines = [line(goods)];
    const receiptNo = `R-${++documents}`;
    const body = { receiptNo, warehouse: 'WH-1', lines, ...receipt };
    const { receiptId } = await must<{ receiptId: string }>('POST', '/v2/receipts', body);
    const verdict = { lineNo: 1, acceptedQuantity: lines[0]?.quantity, rejectedQuantity: 0 };
    await must('POST', `/v2/receipts/${receiptId}/acceptance`, { lines: [verdict] });
    return { receiptId, receiptNo };
  };
  const sell = async (customerCode: string, goods: Goods) => {
    const { productCode = GTIN, batchNo = 'B1', serials, quantity = serials?.length ?? 1 } = goods;
    const orderNo = `SO-${++documents}`;
    const lines = [{ lineNo: 1, productCode, quantity, unitPrice: '1' }];
    const order = { orderNo, customerCode, warehouse: 'WH-1', currency: 'EUR', lines };
    const { orderId } = await must<{ orderId: string }>('POST', '/v2/orders', order);
    await must('POST', `/v2/orders/${orderId}/approve`, {});
    const { dispatchId } = await must<{ dispatchId: string }>('POST', '/v2/dispatches', { orderId });
    const pick = { lineNo: 1, batchNo, quantity, ...(serials ? { serials } : {}), reason: 'as ordered' };
    await must('POST', `/v2/dispatches/${dispatchId}/picks`, { picks: [pick] });
    await must('POST', `/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' }, second);
    const deliver = (receivedAt = service.db.clock.now().toISOString()) =>
      must('POST', `/v2/dispatches/${dispatchId}/delivery`, { receivedBy: 'Ward 3', receivedAt });
    return { dispatchId, orderNo, deliver };
  };
  const ask = (code: string, query = '', key?: string) =>
    call<TraceAnswer>('GET', `/v2/udi/${encodeURIComponent(code)}${query}`, undefined, key);
  return {
    ...service,
    must,
    receive: (goods: Goods) => take({ supplierCode: 'SUP-1' }, goods),
    takeBack: (customerCode: string, goods: Goods) => take({ kind: 'return', customerCode }, goods),
    sell,
    ask,
    async trace(code: string, query = '', key?: string): Promise<TraceAnswer> {
      const answer = await ask(code, query, key);
      if (answer.status !== 200) throw new Error(`${code}${query}: ${answer.text}`);
      return answer.data;
    },
  };
}
