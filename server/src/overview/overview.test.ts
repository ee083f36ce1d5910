import { afterAll, beforeAll, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService } from '../../test/harness/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { numberChanges, verifyStock } from '../stock/index.js';
import type { Overview } from './read-overview.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let monotonic = 0;
beforeAll(async () => {
  service = await openTestService({ monotonicMs: () => monotonic });
  await furnish();
});
afterAll(() => service.close());

async function must<D = object>(
  method: string,
  path: string,
  body?: object,
  key = service.org.key,
): Promise<D> {
  const answer = await service.call<D>(method, path, body, key);
  expect(answer.status, `${path} ${answer.text}`).toBe(200);
  return answer.data;
}
const post = <D = object>(path: string, body: object, key?: string) => must<D>('POST', path, body, key);

let picker: string;
let approved: string;
async function furnish(): Promise<void> {
  picker = (await service.org.newKey({ owner: 'picker@test.example' })).apiKey;
  const stock = (batchNo: string, expiryDate: string | null, quantityDelta: number, warehouse = 'WH-1') =>
    post('/v2/stock/adjustments', {
      productCode: GTIN,
      warehouse,
      batchNo,
      expiryDate,
      quantityDelta,
      reason: 'count',
    });
  await stock('OLD', '2026-11-14', 3);
  await stock('TODAY', '2026-11-15', 5);
  await stock('DEC', '2026-12-31', 10);
  await stock('DEC', '2026-12-31', 1, 'WH-2');
  await stock('OCT', '2027-10-31', 7);
  await stock('LATER', '2027-11-01', 100);
  await post('/v2/stock/holds', { productCode: GTIN, batchNo: 'OCT', reason: 'look' });
  const order = (orderNo: string, quantity = 2) =>
    post<{ orderId: string }>('/v2/orders', {
      orderNo,
      customerCode: 'HOSP-1',
      warehouse: 'WH-1',
      currency: 'EUR',
      lines: [{ lineNo: 1, productCode: GTIN, quantity, unitPrice: '1', batchNo: 'LATER' }],
    });
  await order('waits');
  const held = await order('held');
  await post(`/v2/orders/${held.orderId}/hold`, { reason: 'unpaid' });
  approved = (await order('approved')).orderId;
  const picked = (await order('picked')).orderId;
  for (const orderId of [approved, picked]) await post(`/v2/orders/${orderId}/approve`, {});
  await post('/v2/dispatches', { orderId: approved });
  const { dispatchId } = await post<{ dispatchId: string }>('/v2/dispatches', { orderId: picked });
  await post(
    `/v2/dispatches/${dispatchId}/picks`,
    { picks: [{ lineNo: 1, batchNo: 'LATER', quantity: 2 }] },
    picker,
  );
  await post('/v2/receipts', {
    receiptNo: 'R-1',
    supplierCode: 'SUP-1',
    warehouse: 'WH-1',
    lines: [{ lineNo: 1, productCode: GTIN, batchNo: 'NEW', expiryDate: '2028-01-01', quantity: 4 }],
  });
  for (const [certificateNo, validTo] of [
    ['C-1', '2026-11-14'],
    ['C-2', '2026-11-15'],
    ['C-3', '2026-12-15'],
    ['C-4', '2026-12-16'],
  ])
    await post('/v2/certificates', {
      certificateNo,
      type: 'licence',
      subjectType: 'supplier',
      subjectCode: 'SUP-1',
      issuer: 'Office',
      validFrom: '2026-01-01',
      validTo,
    });
  await must('PUT', '/v2/environment/points/P-1', {
    name: 'Cold room',
    warehouse: 'WH-1',
    temperature: { min: 2, max: 8 },
  });
  await post('/v2/environment/readings', {
    readings: [{ pointId: 'P-1', at: '2026-11-15T09:00:00Z', temperature: 9 }],
  });
}

async function overview(key = service.org.key): Promise<Overview> {
  monotonic += 2_001;
  return must<Overview>('GET', '/v2/overview', undefined, key);
}
const needs = ({ needsMe }: Overview) => Object.fromEntries(needsMe.map(({ kind, count }) => [kind, count]));

it('counts stock as the inventory does, and by the month in which it expires', async () => {
  const { stock } = await overview();
  expect(stock).toMatchObject({ total: 126, reserved: 4, blocked: 3 + 7, available: 112, products: 1 });
  const inventory = await must<{ totalQuantity: number; availableQuantity: number; blockedQuantity: number }>(
    'GET',
    `/v2/inventory?productCode=${GTIN}`,
  );
  expect([stock?.total, stock?.available, stock?.blocked]).toEqual([
    inventory.totalQuantity,
    inventory.availableQuantity,
    inventory.blockedQuantity,
  ]);
  expect(stock?.nearExpiry).toHaveLength(12);
  expect(stock?.nearExpiry[0]).toEqual({ month: '2026-11', batches: 1, quantity: 5 });
  expect(stock?.nearExpiry[1]).toEqual({ month: '2026-12', batches: 1, quantity: 11 });
  expect(stock?.nearExpiry[11]).toEqual({ month: '2027-10', batches: 1, quantity: 7 });
  expect(stock?.nearExpiry.slice(2, 11).every(({ batches }) => batches === 0)).toBe(true);
  expect(stock?.byExpiry).toEqual([
    { throughDays: null, batches: 1, quantity: 3 },
    { throughDays: 30, batches: 1, quantity: 5 },
    { throughDays: 60, batches: 1, quantity: 11 },
    { throughDays: 90, batches: 0, quantity: 0 },
    { throughDays: 180, batches: 0, quantity: 0 },
  ]);
});

it('counts documents, certificates and alerts by how they stand', async () => {
  const { orders, receipts, dispatches, certificates, alerts, recalls, deliveries } = await overview();
  expect(orders).toMatchObject({ onHold: 1, shortage: 0 });
  expect(orders?.byStatus).toMatchObject({ pending_approval: 2, approved: 2, delivered: 0 });
  expect(receipts).toEqual({ pending: 1 });
  expect(dispatches).toEqual({ picking: 1, rechecking: 1 });
  expect(certificates).toMatchObject({ expired: 1, expiring: 2 });
  expect(certificates?.byMonth).toHaveLength(12);
  expect(certificates?.byMonth.slice(0, 3).map(({ count }) => count)).toEqual([1, 2, 0]);
  expect(orders?.byDay).toHaveLength(14);
  expect(orders?.byDay.at(-1)).toEqual({ day: '2026-11-15', byStatus: { pending_approval: 2, approved: 2 } });
  expect(alerts).toMatchObject({ open: 1, unacknowledged: 1, newest: [{ pointId: 'P-1', status: 'open' }] });
  expect(recalls).toEqual({ open: 0, unanswered: 0 });
  const none = { enabled: 0, disabled: 0, pending: 0, failed: 0, successShare: null, byHour: [] };
  expect(deliveries).toEqual(none);
});

it('says what waits for the caller: nobody re-checks what they picked, nobody approves what is on hold', async () => {
  const expected = {
    orders_to_approve: 1,
    receipts_to_accept: 1,
    dispatches_to_pick: 1,
    dispatches_to_recheck: 1,
    alerts_to_acknowledge: 1,
    certificates_expired: 1,
    certificates_expiring: 2,
  };
  expect(needs(await overview())).toEqual(expected);
  const { dispatches_to_recheck: _others, ...own } = expected;
  expect(needs(await overview(picker))).toEqual(own);
});

it('shows each part only to those who may read it, and asks only those to act who may', async () => {
  const reader = await overview(
    (await service.org.newKey({ scopes: ['orders:read', 'receipts:read'] })).apiKey,
  );
  const { orders, receipts, needsMe, tasks, ...rest } = reader;
  expect([orders?.onHold, receipts?.pending, needsMe, tasks]).toEqual([1, 1, [], []]);
  expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  const approver = await overview((await service.org.newKey({ scopes: ['orders:approve'] })).apiKey);
  expect(approver.orders).toBeNull();
  expect(approver.needsMe).toEqual([{ kind: 'orders_to_approve', count: 1 }]);
  expect(approver.tasks).toMatchObject([{ kind: 'orders_to_approve', name: 'waits' }]);
});

it('names the oldest of them, each once, the urgent ones first and then the one that has waited longest', async () => {
  const { needsMe, tasks } = await overview();
  expect(tasks.map(({ kind }) => kind).sort()).toEqual(
    needsMe.flatMap(({ kind, count }) => Array.from({ length: count }, () => kind)).sort(),
  );
  expect(tasks[0]).toMatchObject({ kind: 'alerts_to_acknowledge', validTo: null });
  // Could have been renewed a month before it expired.
  expect(tasks[1]).toMatchObject({ kind: 'certificates_expired', name: 'C-1', validTo: '2026-11-14' });
  expect(tasks[1]?.detail).not.toBe('SUP-1');
  const routine = tasks.slice(2).map((task) => task.since);
  expect(routine).toEqual([...routine].sort());
  expect(tasks.find(({ kind }) => kind === 'dispatches_to_pick')).toMatchObject({ name: 'approved' });
});

it('asks to dispatch an approved order until a dispatch brings all that is reserved for it', async () => {
  const orders = async () => needs(await overview()).orders_to_dispatch;
  expect(await orders()).toBeUndefined();
  const { orderId } = await post<{ orderId: string }>('/v2/orders', {
    ...{ orderNo: 'ready', customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR' },
    lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1', batchNo: 'LATER' }],
  });
  await post(`/v2/orders/${orderId}/approve`, {});
  expect(await orders()).toBe(1);
  const { dispatchId } = await post<{ dispatchId: string }>('/v2/dispatches', { orderId });
  expect(await orders()).toBeUndefined();
  await post(`/v2/dispatches/${dispatchId}/cancel`, { reason: 'x' });
  await post(`/v2/orders/${orderId}/cancel`, { reason: 'x' });
});

it('names a product below its safety stock until there is enough of it', async () => {
  await must('PUT', '/v2/products/LOW-1', { productName: 'Low', safetyStock: 5 });
  const stock = { productCode: 'LOW-1', warehouse: 'WH-1', batchNo: 'B', expiryDate: null, reason: 'count' };
  await post('/v2/stock/adjustments', { ...stock, quantityDelta: 6 });
  await post('/v2/stock/adjustments', { ...stock, quantityDelta: -2 });
  const low = async () => (await overview()).tasks.filter(({ kind }) => kind === 'products_low');
  const listed = '/v2/products?task=products_low';
  const codes = async () =>
    (await must<{ items: { productCode: string }[] }>('GET', listed)).items.map((each) => each.productCode);
  expect(await low()).toMatchObject([{ id: 'LOW-1', name: 'Low', detail: '4 / 5' }]);
  expect(await codes()).toEqual(['LOW-1']);
  const { apiKey } = await service.org.newKey({ scopes: ['products:read'] });
  expect(await service.call('GET', listed, undefined, apiKey)).toMatchObject({
    ...{ status: 403, reason: 'scope_missing' },
  });
  await post('/v2/stock/adjustments', { ...stock, quantityDelta: 1 });
  expect(await low()).toEqual([]);
  expect(await codes()).toEqual([]);
});

it('of another organization shows nothing of this one', async () => {
  const other = await overview((await newOrganization(service.db)).key);
  expect(other.stock).toMatchObject({ total: 0, products: 0 });
  expect(other.orders?.byStatus.pending_approval).toBe(0);
  expect(other.alerts).toEqual({ open: 0, unacknowledged: 0, newest: [] });
  expect(other.needsMe).toEqual([]);
});

it('is made once for all who look within two seconds, and anew afterwards', async () => {
  const before = await overview();
  await must('POST', '/v2/receipts', {
    receiptNo: 'R-2',
    supplierCode: 'SUP-1',
    warehouse: 'WH-1',
    lines: [{ lineNo: 1, productCode: GTIN, batchNo: 'NEW', expiryDate: '2028-01-01', quantity: 4 }],
  });
  monotonic += 1_999;
  expect(await must<Overview>('GET', '/v2/overview')).toEqual(before);
  expect((await overview()).receipts).toEqual({ pending: 2 });
});

it('counts orders short of stock, and webhooks that stand still with what they failed to push', async () => {
  await post('/v2/stock/holds', { productCode: GTIN, batchNo: 'LATER', reason: 'look' });
  const { orders } = await overview();
  const { shortage } = await must<{ shortage: boolean }>('GET', `/v2/orders/${approved}`);
  expect([orders?.shortage, shortage]).toEqual([2, true]);
  const { orgId } = service.org.organization;
  await service.db.sql(
    `insert into webhooks (org_id, webhook_id, callback_url, event_types, secret, created_at, created_by, updated_at)
     values ($1, 'whk_1', 'https://a.example', '{order.status_changed}', 's', now(), 'x', now())`,
    [orgId],
  );
  await service.db.sql(
    `insert into webhook_states (org_id, webhook_id, status, disabled_at, consecutive_failures, settled_to, send_from, version,
       delivered_total, failed_total, duration_ms_total) values ($1, 'whk_1', 'disabled', now(), 10, 0, 0, 1, 0, 0, 0)`,
    [orgId],
  );
  await service.db.sql(
    `insert into webhook_deliveries (org_id, webhook_id, position, status, attempts, tries, updated_at)
     values ($1, 'whk_1', 1, 'failed', 4, 4, $2), ($1, 'whk_1', 2, 'failed', 4, 4, $2::timestamptz - interval '25 h')`,
    [orgId, service.db.clock.now()],
  );
  await service.db.sql(
    `insert into webhook_attempts (org_id, webhook_id, position, attempt, at, duration_ms, delivered)
     values ($1, 'whk_1', 1, 1, $2, 5, false), ($1, 'whk_1', 3, 1, $2, 5, true)`,
    [orgId, service.db.clock.now()],
  );
  const now = await overview();
  expect(now.deliveries).toEqual({
    ...{ enabled: 0, disabled: 1, pending: 0, failed: 1, successShare: 0.5 },
    byHour: [{ hour: '2026-11-15T10:00:00.000Z', attempts: 2, delivered: 1, averageMs: 5 }],
  });
  expect(needs(now).webhooks_disabled).toBe(1);
});

it('counts goods in the register and dispositions; nobody approves what they proposed', async () => {
  const goods = { productCode: GTIN, batchNo: 'DEC', warehouse: 'WH-1', reason: 'dented' };
  const enter = () => post<{ ncId: string }>('/v2/quality/nonconformities', { ...goods, quantity: 1 });
  const entries = [await enter(), await enter(), await enter()].map(({ ncId }) => ncId);
  const propose = (ncId: string | undefined) =>
    post<{ dispositionId: string }>(
      '/v2/quality/dispositions',
      { kind: 'destroy', ncIds: [ncId], reason: 'dented' },
      picker,
    );
  await propose(entries[0]);
  const { dispositionId } = await propose(entries[1]);
  await post(`/v2/quality/dispositions/${dispositionId}/approve`, {});
  const seen = await overview();
  expect(seen.quality).toEqual({ open: 2, proposed: 1, approved: 1 });
  const tasks = { nonconformities_to_decide: 1, dispositions_to_execute: 1 };
  expect(needs(seen)).toMatchObject({ ...tasks, dispositions_to_approve: 1 });
  const proposer = needs(await overview(picker));
  expect(proposer).toMatchObject(tasks);
  expect(proposer).not.toHaveProperty('dispositions_to_approve');
});

it('puts an alert that is still going on before one that has ended, and says how far it went', async () => {
  await must('PUT', '/v2/environment/points/P-0', {
    ...{ name: 'Shelf', warehouse: 'WH-1', temperature: { min: 2, max: 8 }, alarmDelaySeconds: 0 },
  });
  const at = (time: string, temperature: number) => ({
    pointId: 'P-0',
    at: `2026-11-15T${time}Z`,
    temperature,
  });
  await post('/v2/environment/readings', { readings: [at('08:00:00', 1.5), at('08:10:00', 5)] });
  const { tasks } = await overview();
  const alerts = tasks.filter(({ kind }) => kind === 'alerts_to_acknowledge');
  expect(alerts.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/9 °C$/),
    expect.stringMatching(/ · 1.5 °C$/),
  ]);
  expect(tasks.slice(0, 2)).toEqual(alerts);
});

const LISTS: Readonly<Record<string, string>> = {
  orders_to_approve: 'orders?task=orders_to_approve',
  orders_to_dispatch: 'orders?task=orders_to_dispatch',
  receipts_to_accept: 'receipts?status=pending_acceptance',
  dispatches_to_pick: 'dispatches?task=dispatches_to_pick',
  dispatches_to_recheck: 'dispatches?task=dispatches_to_recheck',
  alerts_to_acknowledge: 'environment/alerts?acknowledged=false',
  certificates_expired: 'certificates?status=expired',
  certificates_expiring: 'certificates?status=expiring',
  recalls_unanswered: 'recalls?task=recalls_unanswered',
  nonconformities_to_decide: 'quality/nonconformities?task=nonconformities_to_decide',
  dispositions_to_approve: 'quality/dispositions?task=dispositions_to_approve',
  dispositions_to_execute: 'quality/dispositions?task=dispositions_to_execute',
  webhooks_disabled: 'webhooks?task=webhooks_disabled',
  products_low: 'products?task=products_low',
};

it('counts of each kind as many as the list shows for it, for each person', async () => {
  const approve = async (orderNo: string, batchNo: string) => {
    const stock = {
      productCode: GTIN,
      warehouse: 'WH-1',
      batchNo,
      expiryDate: '2028-01-01',
      reason: 'count',
    };
    await post('/v2/stock/adjustments', { ...stock, quantityDelta: 9 });
    const { orderId } = await post<{ orderId: string }>('/v2/orders', {
      ...{ orderNo, customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR' },
      lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1', batchNo }],
    });
    await post(`/v2/orders/${orderId}/approve`, {});
    return orderId;
  };
  const few = { productCode: 'LOW-1', warehouse: 'WH-1', batchNo: 'B', expiryDate: null, reason: 'count' };
  await post('/v2/stock/adjustments', { ...few, quantityDelta: -1 });
  await approve('to-dispatch', 'FREE');
  await post(`/v2/orders/${await approve('to-dispatch-held', 'FREE')}/hold`, { reason: 'unpaid' });
  const orderId = await approve('shipped', 'SENT');
  const { dispatchId } = await post<{ dispatchId: string }>('/v2/dispatches', { orderId });
  const picks = [{ lineNo: 1, batchNo: 'SENT', quantity: 1 }];
  await post(`/v2/dispatches/${dispatchId}/picks`, { picks }, picker);
  await post(`/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
  // The second recall concerns nobody who could answer.
  for (const [recallNo, batchNo] of [
    ['RC-1', 'SENT'],
    ['RC-2', 'OCT'],
  ])
    await post('/v2/recalls', { recallNo, productCode: GTIN, batchNos: [batchNo], reason: 'x', class: 'I' });
  for (const key of [service.org.key, picker]) {
    const counted = needs(await overview(key));
    for (const [kind, list] of Object.entries(LISTS)) {
      const { items } = await must<{ items: unknown[] }>('GET', `/v2/${list}`, undefined, key);
      expect([kind, items.length]).toEqual([kind, counted[kind] ?? 0]);
    }
    const absent = Object.keys(LISTS).filter((kind) => counted[kind] === undefined);
    expect(absent).toEqual(key === picker ? ['dispatches_to_recheck', 'dispositions_to_approve'] : []);
  }
});

it('has the figures of the balances, before and after the changes are numbered', async () => {
  const { orgId } = service.org.organization;
  const { database } = service.db;
  const before = await overview();
  expect(await verifyStock(database, orgId)).toMatchObject({ firstDifference: null });
  await numberChanges(database, systemPrincipal(orgId, 'test@lotward.invalid'));
  expect(await service.db.sql('select 1 from stock_change_marks where org_id = $1', [orgId])).toEqual([]);
  expect((await overview()).stock).toEqual(before.stock);
  expect(await verifyStock(database, orgId)).toMatchObject({ firstDifference: null });
});
