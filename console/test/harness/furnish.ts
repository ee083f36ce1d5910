import { expect, vi } from 'vitest';
import { SCOPES } from '../../../server/src/access/index.js';
import { createClient, createKey } from '../../../server/src/credentials/index.js';
import { FEATURED_BATCH, FEATURED_PRODUCT, FEATURED_WAREHOUSE } from '../../../server/src/demo/index.js';
import type { Organization } from '../../../server/src/organizations/index.js';
import { transact } from '../../../server/src/platform/database/index.js';
import { systemPrincipal } from '../../../server/src/platform/principal.js';
import {
  happen,
  LOCAL_WEBHOOKS,
  openDemoDatabase,
  openReceiver,
  startWorker,
} from '../../../server/test/harness/index.js';
import { type ConsoleService, type ConsoleWorld, openConsole } from './world.js';

const EVENTS = 3;
const PATIENT = { timeout: 120_000, interval: 20 };

/** Addresses to look at, by the path of their page. */
type Addresses = Record<string, string[]>;

interface Furnished {
  world: ConsoleService;
  orgId: string;
  addresses: Addresses;
}

/** The console on the demo organization, with an address for every page and the data that they need and the demo lacks. */
export async function furnishDemo(): Promise<Furnished> {
  const { db, demo } = await openDemoDatabase();
  const world = await openConsole({ webhooks: LOCAL_WEBHOOKS }, db);
  const { organization } = demo;
  const key = demo.keys[0]?.apiKey ?? '';
  const firstId = async (path: string, name: string): Promise<string> => {
    const { items } = await world.must<{ items: Record<string, string>[] }>('GET', path, undefined, key);
    const id = items[0]?.[name];
    if (id === undefined) throw new Error(`The demo has nothing at ${path}.`);
    return id;
  };
  const customer = await firstId('/v2/partners?role=customer&limit=1', 'code');
  const dispatches = await openDispatches(world, key, customer);
  const dispositions = await makeDispositions(world, key, demo.keys[1]?.apiKey ?? '');
  const webhookId = await makeWebhook(world, organization, key);
  return {
    world,
    orgId: organization.orgId,
    addresses: {
      ...addressesOfGoods(await firstId('/v2/partners?limit=1', 'code')),
      ...(await addressesOfTrade(firstId, dispatches)),
      ...(await addressesOfQuality(firstId, await openRecall(world, key, firstId))),
      ...(await addressesOfRegister(firstId, dispositions)),
      ...(await addressesOfSystem(world, organization, webhookId)),
    },
  };
}

type FirstId = (path: string, name: string) => Promise<string>;

function addressesOfGoods(partnerCode: string): Addresses {
  const code = `(01)${FEATURED_PRODUCT}(10)${FEATURED_BATCH}`;
  const batch = new URLSearchParams({ productCode: FEATURED_PRODUCT, batchNo: FEATURED_BATCH });
  return {
    '/': ['/'],
    '/inventory': ['/inventory', `/inventory?productCode=${FEATURED_PRODUCT}`],
    '/inventory/batch': [`/inventory/batch?${batch}`],
    '/expiring-stock': ['/expiring-stock', '/expiring-stock?band=30'],
    '/movements': ['/movements'],
    '/holds': ['/holds'],
    '/products': ['/products', '/products?q=nothing+is+called+that'],
    '/products/import': ['/products/import'],
    '/products/$productCode': [`/products/${FEATURED_PRODUCT}`],
    '/partners': ['/partners'],
    '/partners/$partnerCode': [`/partners/${partnerCode}`],
    '/partners/import': ['/partners/import'],
    '/warehouses': ['/warehouses'],
    '/trace': ['/trace', `/trace?${new URLSearchParams({ code })}`, '/trace?code=%2801%29123'],
    '/print-labels': [
      `/print-labels?${new URLSearchParams({ code, copies: '3' })}`,
      `/print-labels?${new URLSearchParams({ code, copies: '2', size: '50x25' })}`,
    ],
  };
}

async function addressesOfTrade(firstId: FirstId, openDispatchIds: readonly string[]): Promise<Addresses> {
  const orderIn = (status: string) => firstId(`/v2/orders?status=${status}&limit=1`, 'orderId');
  const delivered = await firstId('/v2/dispatches?status=delivered&limit=1', 'dispatchId');
  return {
    '/orders': ['/orders'],
    '/orders/new': ['/orders/new'],
    '/orders/$orderId': [
      `/orders/${await orderIn('pending_approval')}`,
      `/orders/${await orderIn('delivered')}`,
    ],
    '/receipts': ['/receipts'],
    '/receipts/new': ['/receipts/new'],
    '/receipts/$receiptId': [`/receipts/${await firstId('/v2/receipts?limit=1', 'receiptId')}`],
    '/developers': ['/developers'],
    '/developers/events': ['/developers/events'],
    '/developers/playground': ['/developers/playground'],
    '/dispatches': ['/dispatches'],
    '/dispatches/$dispatchId': [...openDispatchIds, delivered].map((id) => `/dispatches/${id}`),
    '/dispatches/$dispatchId/note': [`/dispatches/${delivered}/note`],
    '/dispatches/$dispatchId/record': [`/dispatches/${delivered}/record`],
    '/receipts/$receiptId/record': [
      `/receipts/${await firstId('/v2/receipts?status=accepted&limit=1', 'receiptId')}/record`,
    ],
    '/dispatches/$dispatchId/pick-list': [`/dispatches/${delivered}/pick-list`],
  };
}

/** An open recall, and one of its consignees. */
async function openRecall(world: ConsoleService, key: string, firstId: FirstId) {
  const recallId = await firstId('/v2/recalls?status=open', 'recallId');
  const { consignees } = await world.must<{ consignees: { customerCode: string }[] }>(
    'GET',
    `/v2/recalls/${recallId}`,
    undefined,
    key,
  );
  return { recallId, consignee: consignees[0]?.customerCode ?? '' };
}

async function addressesOfQuality(
  firstId: FirstId,
  { recallId, consignee }: Awaited<ReturnType<typeof openRecall>>,
): Promise<Addresses> {
  return {
    '/recalls': ['/recalls'],
    '/recalls/new': ['/recalls/new'],
    '/recalls/$recallId': [`/recalls/${recallId}`],
    '/recalls/$recallId/notices/$customerCode': [`/recalls/${recallId}/notices/${consignee}`],
    '/certificates': ['/certificates'],
    '/certificates/calendar': ['/certificates/calendar'],
    '/certificates/$certificateId': [
      `/certificates/${await firstId('/v2/certificates?limit=1', 'certificateId')}`,
    ],
    '/environment/points': ['/environment/points'],
    '/environment/points/$pointId': [
      `/environment/points/${await firstId('/v2/environment/points?limit=1', 'pointId')}`,
    ],
    '/environment/alerts': ['/environment/alerts'],
    '/environment/alerts/$alertId': [
      `/environment/alerts/${await firstId('/v2/environment/alerts?limit=1', 'alertId')}`,
    ],
  };
}

async function addressesOfRegister(firstId: FirstId, dispositions: readonly string[]): Promise<Addresses> {
  const entry = await firstId('/v2/quality/nonconformities?limit=1', 'ncId');
  const pages = dispositions.map((id) => `/quality/dispositions/${id}`);
  return {
    '/quality/nonconformities': ['/quality/nonconformities'],
    '/quality/nonconformities/print': ['/quality/nonconformities/print'],
    '/quality/nonconformities/$ncId': [`/quality/nonconformities/${entry}`],
    '/quality/dispositions': ['/quality/dispositions'],
    '/quality/dispositions/$dispositionId': pages,
    '/quality/dispositions/$dispositionId/record': pages.map((page) => `${page}/record`),
  };
}

/** A destruction that is executed, a return to the supplier that is approved, and a release that waits for approval. */
async function makeDispositions(world: ConsoleWorld, key: string, second: string): Promise<string[]> {
  const at = { productCode: FEATURED_PRODUCT, batchNo: 'QUALITY-1', warehouse: FEATURED_WAREHOUSE };
  const opening = { ...at, expiryDate: '2031-01-01', quantityDelta: 9, reason: 'opening stock' };
  await world.must('POST', '/v2/stock/adjustments', opening, key);
  const enter = (reason: string) =>
    world.must<{ ncId: string }>('POST', '/v2/quality/nonconformities', { ...at, quantity: 1, reason }, key);
  const propose = async (kind: string, reason: string) => {
    const ncIds = [(await enter(reason)).ncId];
    const supplier = kind === 'return_to_supplier' ? { supplierCode: 'SUP-ALDER' } : {};
    const body = { kind, ncIds, reason, ...supplier };
    return world.must<{ dispositionId: string }>('POST', '/v2/quality/dispositions', body, key);
  };
  const made = [
    await propose('destroy', 'sterile barrier broken'),
    await propose('return_to_supplier', 'wrong label'),
    await propose('release', 'carton dented, goods intact'),
  ].map(({ dispositionId }) => dispositionId);
  for (const id of made.slice(0, 2))
    await world.must('POST', `/v2/quality/dispositions/${id}/approve`, {}, second);
  const execution = { witness: 'Zhang Wei' };
  await world.must('POST', `/v2/quality/dispositions/${made[0]}/execute`, execution, key);
  return made;
}

async function addressesOfSystem(
  world: ConsoleWorld,
  { orgId }: Organization,
  webhookId: string,
): Promise<Addresses> {
  const facts = { name: 'Hospital ERP', scopes: SCOPES, owner: 'admin@demo.example' };
  const { keyId, clientId } = await transact(
    world.db.database,
    systemPrincipal(orgId, 'admin@demo.example'),
    async (tx) => ({
      keyId: (await createKey(tx, facts)).keyId,
      clientId: (await createClient(tx, { ...facts, redirectUris: ['https://erp.example/back'] })).clientId,
    }),
  );
  return {
    '/settings/organization': ['/settings/organization'],
    '/settings/users': ['/settings/users'],
    '/settings/api': [
      '/settings/api',
      '/settings/api?tab=clients',
      '/settings/api?tab=sandboxes',
      '/settings/api?tab=usage',
    ],
    '/settings/api/keys/$keyId': [`/settings/api/keys/${keyId}`],
    '/settings/api/clients/$clientId': [`/settings/api/clients/${clientId}`],
    '/settings/audit': ['/settings/audit'],
    '/webhooks': ['/webhooks'],
    '/webhooks/$webhookId': [`/webhooks/${webhookId}`],
    '/events': ['/events'],
    '/account': ['/account'],
  };
}

/** One that took some pushes, refused the rest and was disabled for it. */
async function makeWebhook(world: ConsoleWorld, { orgId }: Organization, key: string): Promise<string> {
  const webhooks = { ...LOCAL_WEBHOOKS, disableAfter: EVENTS, retryDelaysMs: [] };
  const receiver = await openReceiver();
  const worker = await startWorker(world.db, { webhooks });
  const { webhookId } = await world.must<{ webhookId: string }>(
    'POST',
    '/v2/webhooks',
    { callbackUrl: receiver.url(), eventTypes: ['order.status_changed'], description: 'Hospital ERP' },
    key,
  );
  const happens = (word: string) =>
    happen(world.db, orgId, ...Array.from({ length: EVENTS }, (_, n) => ({ entity: `${word}_${n}` })));
  await happens('ord_taken');
  await vi.waitFor(() => expect(receiver.received).toHaveLength(EVENTS), PATIENT);
  receiver.answer = () => ({ status: 503, body: 'down for maintenance' });
  await happens('ord_refused');
  const isDisabled = async () =>
    expect(await world.must('GET', `/v2/webhooks/${webhookId}`, undefined, key)).toMatchObject({
      status: 'disabled',
    });
  await vi.waitFor(isDisabled, PATIENT);
  await worker.stop();
  await receiver.close();
  return webhookId;
}

interface Opened {
  dispatchId: string;
  lines: { lineNo: number; toPick: { batchNo: string; quantity: number }[] }[];
}

/** One that is being picked, and one that waits for its re-check. */
async function openDispatches(world: ConsoleWorld, key: string, customerCode: string): Promise<string[]> {
  const post = <D>(path: string, body: object) => world.must<D>('POST', path, body, key);
  const open = async (orderNo: string) => {
    const lines = [{ lineNo: 1, productCode: FEATURED_PRODUCT, quantity: 2, unitPrice: '120.50' }];
    const sale = { warehouse: FEATURED_WAREHOUSE, currency: 'CNY', customerCode, lines };
    const { orderId } = await post<{ orderId: string }>('/v2/orders', { orderNo, ...sale });
    await post(`/v2/orders/${orderId}/approve`, {});
    return post<Opened>('/v2/dispatches', { orderId });
  };
  const picking = await open('SO-PICKING');
  const picked = await open('SO-PICKED');
  const picks = picked.lines.flatMap(({ lineNo, toPick }) => toPick.map((pick) => ({ lineNo, ...pick })));
  await post(`/v2/dispatches/${picked.dispatchId}/picks`, { picks });
  return [picking.dispatchId, picked.dispatchId];
}
