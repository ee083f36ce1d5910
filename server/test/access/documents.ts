import { GTIN, type TestApi, type TestOrganization } from '../harness/index.js';

type OrderState = 'pending' | 'held' | 'approved' | 'short' | 'partial';
type DispatchState = 'picking' | 'rechecking' | 'dispatched';

/** Creates documents of one organization, each in the status that a route needs. */
export interface Documents {
  /** A receipt that waits for acceptance. */
  receipt(): Promise<string>;
  order(state: OrderState, customerCode?: string): Promise<string>;
  orderNo(): Promise<string>;
  dispatch(state: DispatchState, customerCode?: string): Promise<string>;
  /** For a product used by no other document, which a suspended certificate would block. */
  certificate(state: 'active' | 'suspended'): Promise<string>;
  /** An active one with a file. */
  scannedCertificate(): Promise<string>;
  /** An alert that is not acknowledged. */
  alert(): Promise<string>;
  /** An open one of a product that nothing else is about; HOSP-1 and the customer got some of it. */
  recall(): Promise<string>;
  /** An active hold of quality. */
  hold(): Promise<string>;
  /** An entry of the register, of goods in stock. */
  entry(): Promise<string>;
  /** Proposed by somebody who is not the owner of the other keys, so that those can approve. */
  disposition(state: 'proposed' | 'approved'): Promise<string>;
  /** A recall that nothing keeps from being closed. */
  settledRecall(): Promise<string>;
  /** An import that no worker carries out. */
  import(): Promise<string>;
  /** Created with a credential bound to the customer, so that other credentials of the customer see it. */
  webhook(): Promise<string>;
}

export const purchase = {
  supplierCode: 'SUP-1',
  warehouse: 'WH-1',
  lines: [{ lineNo: 1, productCode: GTIN, batchNo: 'LOT-1', expiryDate: '2030-01-01', quantity: 1 }],
};
const line = { lineNo: 1, productCode: GTIN, batchNo: 'LOT-1', quantity: 2, unitPrice: '1.00' };
export const sale = { customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR', lines: [line] };
export const picks = (quantity: number) => ({ picks: [{ lineNo: 1, batchNo: 'LOT-1', quantity }] });

export const registration = (subjectCode: string, word: string) => ({
  type: 'registration',
  subjectType: 'product',
  subjectCode,
  issuer: `${word} office`,
  validFrom: '2026-01-01',
});

export const fileOf = (word: string) => ({
  kind: 'products',
  format: 'csv',
  content: `productCode,productName\n${word}-IMPORTED,Imported\n`,
});

/** Its stock is put on hold now and then, which takes it back from every order. */
const FRAGILE = 'LOT-FRAGILE';
const fragile = { ...line, batchNo: FRAGILE };

/** Each alert takes two seconds of it, so an hour is more than enough. */
const ALERTS_FROM = Date.parse('2026-11-15T09:00:00Z');

async function watchPoint(api: TestApi, key: string, word: string): Promise<void> {
  const body = { name: word, warehouse: 'WH-1', temperature: { min: 2, max: 8 } };
  const answer = await api.call('PUT', `/v2/environment/points/${word}-WATCHED`, body, key);
  if (answer.status !== 200) throw new Error(answer.text);
}

/** A batch of which nothing is in stock or at a customer. */
const SOLD_OUT = 'LOT-0';

/** Sells a separate product to customers, then recalls it any number of times. */
async function recallsOf(
  api: TestApi,
  key: string,
  picker: string,
  word: string,
  customers: readonly string[],
): Promise<(batchNo: string) => Promise<string>> {
  const must = async <D>(path: string, body: object, method = 'POST', by = key): Promise<D> => {
    const answer = await api.call<D>(method, path, body, by);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  const productCode = `${word}-RECALLED`;
  await must(`/v2/products/${productCode}`, { productName: productCode }, 'PUT');
  const stocked = { productCode, batchNo: 'LOT-1', warehouse: 'WH-1', expiryDate: null };
  await must('/v2/stock/adjustments', { ...stocked, quantityDelta: 100, reason: 'opening' });
  for (const quantityDelta of [1, -1])
    await must('/v2/stock/adjustments', { ...stocked, batchNo: SOLD_OUT, quantityDelta, reason: 'opening' });
  for (const customerCode of customers) {
    const content = { ...sale, customerCode, lines: [{ ...line, productCode }] };
    const orderNo = `${word}-${customerCode}`;
    const { orderId } = await must<{ orderId: string }>('/v2/orders', { orderNo, ...content });
    await must(`/v2/orders/${orderId}/approve`, {});
    const { dispatchId } = await must<{ dispatchId: string }>('/v2/dispatches', { orderId });
    await must(`/v2/dispatches/${dispatchId}/picks`, picks(line.quantity), 'POST', picker);
    await must(`/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
  }
  let made = 0;
  return async (batchNo) => {
    const recall = { recallNo: `${word}-RC-${++made}`, productCode, batchNos: [batchNo], class: 'I' };
    return (await must<{ recallId: string }>('/v2/recalls', { ...recall, reason: word })).recallId;
  };
}

function certificatesOf(
  api: TestApi,
  key: string,
  must: <D>(path: string, body: object) => Promise<D>,
  word: string,
): Pick<Documents, 'certificate' | 'scannedCertificate'> {
  let entered = 0;
  const certificate: Documents['certificate'] = async (state) => {
    const body = { ...registration('PUMP-1', word), certificateNo: `${word}-C-${++entered}` };
    const { certificateId } = await must<{ certificateId: string }>('/v2/certificates', body);
    if (state === 'suspended') await must(`/v2/certificates/${certificateId}/suspend`, { reason: word });
    return certificateId;
  };
  return {
    certificate,
    scannedCertificate: async () => attachFile(api, key, await certificate('active'), word),
  };
}

/** Gives a certificate a file that holds the word. */
export async function attachFile(
  api: TestApi,
  key: string,
  certificateId: string,
  word: string,
): Promise<string> {
  const path = `/files/certificates/${certificateId}`;
  const type = { 'content-type': 'application/pdf' };
  const { status, text } = await api.call('PUT', path, `%PDF-1.7 ${word}`, key, type);
  if (status !== 200) throw new Error(`PUT ${path}: ${text}`);
  return certificateId;
}

const WEBHOOKS_KEPT = 12;

/** A customer may have only so many. The first is the one that requests name; the others are used once, and deleted. */
function webhooksOf(api: TestApi, key: string, given: { callbackUrl: string; description: string }) {
  const webhookIds: string[] = [];
  return async (): Promise<string> => {
    const [used] = webhookIds.length > WEBHOOKS_KEPT ? webhookIds.splice(1, 1) : [];
    if (used !== undefined) await api.call('DELETE', `/v2/webhooks/${used}`, undefined, key);
    const body = { ...given, eventTypes: ['order.status_changed'] };
    const made = await api.call<{ webhookId: string }>('POST', '/v2/webhooks', body, key);
    if (made.status !== 200) throw new Error(`POST /v2/webhooks: ${made.text}`);
    webhookIds.push(made.data.webhookId);
    return made.data.webhookId;
  };
}

function qualityOf(
  must: <D>(path: string, body: object, by?: string) => Promise<D>,
  key: string,
  picker: string,
  word: string,
): Pick<Documents, 'hold' | 'entry' | 'disposition'> {
  const goods = { productCode: GTIN, batchNo: 'LOT-1', warehouse: 'WH-1', quantity: 1, reason: word };
  const entry = async () => (await must<{ ncId: string }>('/v2/quality/nonconformities', goods)).ncId;
  return {
    entry,
    hold: async () => (await must<{ holdId: string }>('/v2/stock/holds', goods)).holdId,
    async disposition(state) {
      const body = { kind: 'destroy', ncIds: [await entry()], reason: word };
      const by = state === 'proposed' ? picker : key;
      const { dispositionId } = await must<{ dispositionId: string }>('/v2/quality/dispositions', body, by);
      if (state === 'approved') await must(`/v2/quality/dispositions/${dispositionId}/approve`, {}, picker);
      return dispositionId;
    },
  };
}

/** No worker runs, and only so many may be unfinished: those before are cancelled. */
const importsOf = (api: TestApi, key: string, word: string) => async (): Promise<string> => {
  const queued = '/v2/imports?status=queued&limit=200';
  const { data } = await api.call<{ items: { importId: string }[] }>('GET', queued, undefined, key);
  for (const { importId } of data.items.slice(5))
    await api.call('POST', `/v2/imports/${importId}/cancel`, {}, key);
  return (await api.call<{ importId: string }>('POST', '/v2/imports', fileOf(word), key)).data.importId;
};

export async function documentsOf(
  api: TestApi,
  { key, newKey }: TestOrganization,
  word: string,
  pushes: { customerCode: string; callbackUrl: string },
): Promise<Documents> {
  // The picker is not the owner of the other keys, so that those can re-check.
  const { apiKey: picker } = await newKey({ owner: 'picker@test.example' });
  const { apiKey: customer } = await newKey({ customerCode: pushes.customerCode });
  let made = 0;
  const must = async <D>(path: string, body: object, by = key): Promise<D> => {
    const answer = await api.call<D>('POST', path, body, by);
    if (answer.status !== 200) throw new Error(`POST ${path}: ${answer.text}`);
    return answer.data;
  };
  const opening = { warehouse: 'WH-1', expiryDate: '2030-01-01', quantityDelta: 100_000, reason: 'opening' };
  await must('/v2/stock/adjustments', { productCode: GTIN, batchNo: FRAGILE, ...opening });
  await watchPoint(api, key, word);

  const open = async (orderId: string, part: object = {}): Promise<string> =>
    (await must<{ dispatchId: string }>('/v2/dispatches', { orderId, ...part })).dispatchId;
  const pass = async (dispatchId: string, quantity: number): Promise<void> => {
    await must(`/v2/dispatches/${dispatchId}/picks`, picks(quantity), picker);
    await must(`/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
  };
  const beginShortage = async (): Promise<void> => {
    const held = { productCode: GTIN, batchNo: FRAGILE, reason: `${word} inspection` };
    const { holdId } = await must<{ holdId: string }>('/v2/stock/holds', held);
    await must(`/v2/stock/holds/${holdId}/release`, { reason: 'good' });
  };
  const newOrder = (part: object) =>
    must<{ orderId: string; orderNo: string }>('/v2/orders', {
      ...sale,
      orderNo: `${word}-SO-${++made}`,
      ...part,
    });
  const order: Documents['order'] = async (state, customerCode = 'HOSP-1') => {
    const lines = [state === 'short' ? fragile : line];
    const { orderId } = await newOrder({ customerCode, lines });
    if (state === 'held') await must(`/v2/orders/${orderId}/hold`, {});
    if (state === 'pending' || state === 'held') return orderId;
    await must(`/v2/orders/${orderId}/approve`, {});
    if (state === 'short') await beginShortage();
    if (state === 'partial') await pass(await open(orderId, { lines: [{ lineNo: 1, quantity: 1 }] }), 1);
    return orderId;
  };
  const recallBatch = await recallsOf(api, key, picker, word, ['HOSP-1', pushes.customerCode]);
  return {
    order,
    orderNo: async () => (await newOrder({})).orderNo,
    receipt: async () => {
      const receiptNo = `${word}-R-${++made}`;
      return (await must<{ receiptId: string }>('/v2/receipts', { receiptNo, ...purchase })).receiptId;
    },
    async dispatch(state, customerCode) {
      const dispatchId = await open(await order('approved', customerCode));
      if (state === 'rechecking') await must(`/v2/dispatches/${dispatchId}/picks`, picks(2), picker);
      if (state === 'dispatched') await pass(dispatchId, 2);
      return dispatchId;
    },
    ...certificatesOf(api, key, must, word),
    async alert() {
      const instant = (second: number) => new Date(ALERTS_FROM + second * 1000).toISOString();
      const second = 2 * ++made;
      const readings = [9, 5].map((temperature, i) => ({
        pointId: `${word}-WATCHED`,
        at: instant(second + i),
        temperature,
      }));
      const { alerts } = await must<{ alerts: string[] }>('/v2/environment/readings', { readings });
      return alerts[0] ?? '';
    },
    recall: () => recallBatch('LOT-1'),
    settledRecall: () => recallBatch(SOLD_OUT),
    import: importsOf(api, key, word),
    ...qualityOf(must, key, picker, word),
    webhook: webhooksOf(api, customer, { callbackUrl: pushes.callbackUrl, description: word }),
  };
}
