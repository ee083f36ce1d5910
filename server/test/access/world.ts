import { SCOPES } from '../../src/access/index.js';
import { newClientId } from '../../src/credentials/client-secret.js';
import { createKey, rotateKey } from '../../src/credentials/index.js';
import { newKeyId } from '../../src/credentials/key-token.js';
import { updateOrganization } from '../../src/organizations/index.js';
import type { Clock } from '../../src/platform/clock/index.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { newId } from '../../src/platform/ids/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { hashToken } from '../../src/platform/secrets/index.js';
import { deliveryIdOf } from '../../src/webhooks/webhook.js';
import {
  GTIN,
  newOrganization,
  openReceiver,
  openTestDatabase,
  startApi,
  stockCatalogue,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
  testClock,
} from '../harness/index.js';
import { attachFile, type Documents, documentsOf, purchase, registration, sale } from './documents.js';
import { type PeopleMakers, peopleOf } from './people-makers.js';
import { deliverUntil, toLoopback } from './pushes.js';

/** One of each thing a request can name. The same letters everywhere, so that only they differ. */
export interface Codes {
  partner: string;
  warehouse: string;
  product: string;
  productId: string;
  batch: string;
  serial: string;
  hold: string;
  /** A receipt, an order and a dispatch of this partner, and the numbers of the first two. */
  receipt: string;
  receiptNo: string;
  order: string;
  orderNo: string;
  dispatch: string;
  /** A monitoring point that has readings, and its alert; a zone with a point, and the warehouse it is in. */
  point: string;
  alert: string;
  zone: string;
  zonedWarehouse: string;
  /** A certificate of this product, and its number. */
  certificate: string;
  certificateNo: string;
  /** A closed recall of this product, and its number; an open one of another product that this partner got some of. */
  recall: string;
  recallNo: string;
  openRecall: string;
  /** Entries of the register: of this product and batch, with a disposition, and of this warehouse; a hold that stays. */
  heldForSupplier: string;
  entry: string;
  disposition: string;
  import: string;
  /** A webhook of this partner; an event it was pushed, and that push. */
  webhook: string;
  event: string;
  delivery: string;
  owner: string;
  /** An unused key and OAuth client, a user who never signed in, and a session of the administrator. */
  key: string;
  client: string;
  user: string;
  session: string;
  /** A grant of the administrator. */
  grant: string;
  /** A sandbox that the organization opened. */
  sandbox: string;
  /** A word in the names of a product and a partner. */
  name: string;
  /** Nothing has it yet. */
  spare: string;
}

/** In every name and reason of the other organization: it must never be seen by ours. */
export const FOREIGN_WORD = 'ZEBRA';

export type Makes = Documents & PeopleMakers;

/** Two organizations with the same kinds of things, and codes that exist nowhere. */
export interface World {
  db: TestDatabase;
  api: TestApi;
  organization: TestOrganization;
  other: TestOrganization;
  ours: Codes;
  theirs: Codes;
  nobodys: Codes;
  newHold(category: 'logistics' | 'quality'): Promise<string>;
  /** New things of either organization. */
  make: Makes;
  theyMake: Makes;
  close(): Promise<void>;
}

const plainCodes = (letter: string) => ({
  partner: `${letter}-PARTNER`,
  warehouse: `${letter}-HOUSE`,
  product: `${letter}-STENT`,
  batch: `${letter}-LOT`,
  serial: `${letter}-SN-1`,
  spare: `${letter}-SPARE`,
  receiptNo: `${letter}-RECEIPT`,
  orderNo: `${letter}-ORDER`,
  point: `${letter}-POINT`,
  zone: `${letter}-ZONE`,
  zonedWarehouse: `${letter}-ZONED`,
  certificateNo: `${letter}-CERTIFICATE`,
  recallNo: `${letter}-RECALL`,
});

export async function openWorld(): Promise<World> {
  const db = await openTestDatabase();
  const api = await startApi(db.database, { webhooks: toLoopback });
  const receiver = await openReceiver();
  const organization = await newOrganization(db, { code: 'okapi' });
  const other = await newOrganization(db, { code: 'zebra' });
  const callback = (word: string) => receiver.url(`/${word}`);
  const { newHold, make, ...ours } = await furnish(db, api, organization, 'A', 'OKAPI', callback('OKAPI'));
  const {
    newHold: _newHold,
    make: theyMake,
    ...theirs
  } = await furnish(db, api, other, 'B', FOREIGN_WORD, callback(FOREIGN_WORD));
  await deliverUntil(db, async () => {
    const pushed = await db.sql('select distinct org_id from webhook_attempts');
    const unfinished = await db.sql('select 1 from imports where finished_at is null');
    return pushed.length === 2 && unfinished.length === 0;
  });
  // Neither key was ever used, and a list of their requests would be empty.
  await db.sql(`insert into credential_requests
    select org_id, 'api_key', key_id, created_at, 'req_of_' || key_id, null, null, 'GET', '/', '/', 404, null, null, 1, 0, 1, 1 from api_keys`);
  const at = db.clock.now();
  const unknownWebhook = newId('whk', at);
  const unknownEvent = newId('evt', at);
  return {
    db,
    api,
    organization,
    other,
    ours: { ...ours, ...(await pushOf(api, organization.key, ours.webhook)) },
    theirs: { ...theirs, ...(await pushOf(api, other.key, theirs.webhook)) },
    nobodys: {
      ...plainCodes('X'),
      name: 'QUAGG',
      owner: 'owner@quagg.example',
      productId: newId('prd', at),
      hold: newId('hld', at),
      receipt: newId('rcp', at),
      order: newId('ord', at),
      dispatch: newId('dsp', at),
      alert: newId('alr', at),
      certificate: newId('crt', at),
      recall: newId('rcl', at),
      openRecall: newId('rcl', at),
      entry: newId('nc', at),
      heldForSupplier: newId('hld', at),
      disposition: newId('dpn', at),
      import: newId('imp', at),
      webhook: unknownWebhook,
      event: unknownEvent,
      delivery: deliveryIdOf(unknownWebhook, unknownEvent),
      key: newKeyId(),
      client: newClientId(),
      user: newId('usr', at),
      session: newId('ses', at),
      grant: hashToken(newId('grant', at)).toString('base64url'),
      sandbox: newId('org', at),
    },
    newHold,
    make,
    theyMake,
    async close() {
      await api.close();
      await receiver.close();
      await db.close();
    },
  };
}

async function pushOf(api: TestApi, key: string, webhookId: string) {
  const path = `/v2/webhooks/${webhookId}/deliveries?limit=1&status=delivered`;
  const { data, text } = await api.call<{ items: { eventId: string; deliveryId: string }[] }>(
    'GET',
    path,
    undefined,
    key,
  );
  const [push] = data.items;
  if (!push) throw new Error(`${path}: ${text}`);
  return { event: push.eventId, delivery: push.deliveryId };
}

async function furnish(
  db: TestDatabase,
  api: TestApi,
  owner: TestOrganization,
  letter: string,
  word: string,
  callbackUrl: string,
): Promise<Omit<Codes, 'event' | 'delivery'> & Pick<World, 'newHold' | 'make'>> {
  const { key, organization } = owner;
  await stockCatalogue(api, key);
  const codes = plainCodes(letter);
  const must = async <D>(method: string, path: string, body: object): Promise<D> => {
    const answer = await api.call<D>(method, path, body, key);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  const roles = ['supplier', 'customer'];
  await must('PUT', `/v2/partners/${codes.partner}`, { name: `${word} Devices`, roles });
  await must('PUT', `/v2/warehouses/${codes.warehouse}`, { name: word });
  await must('PUT', `/v2/products/${codes.product}`, { productName: `${word} stent` });
  const second = await must<{ id: string }>('PUT', `/v2/products/${letter}-SECOND`, {
    productName: 'Second',
  });
  await stockUp(must, codes, word);
  const hold = async (part: object) => {
    const body = { warehouse: 'WH-1', quantity: 1, reason: `${word} inspection`, ...part };
    return (await must<{ holdId: string }>('POST', '/v2/stock/holds', body)).holdId;
  };
  const make = {
    ...(await documentsOf(api, owner, word, { customerCode: codes.partner, callbackUrl })),
    ...peopleOf(db, organization.orgId, word),
  };
  const webhook = await make.webhook();
  const { receiptId: receipt } = await must<{ receiptId: string }>('POST', '/v2/receipts', {
    ...purchase,
    receiptNo: codes.receiptNo,
    supplierCode: codes.partner,
  });
  const { orderId: order } = await must<{ orderId: string }>('POST', '/v2/orders', {
    ...sale,
    orderNo: codes.orderNo,
    customerCode: codes.partner,
  });
  await must('POST', `/v2/orders/${order}/approve`, {});
  const { dispatchId: dispatch } = await must<{ dispatchId: string }>('POST', '/v2/dispatches', {
    orderId: order,
  });
  const { certificateId: certificate } = await must<{ certificateId: string }>('POST', '/v2/certificates', {
    ...registration(codes.product, word),
    certificateNo: codes.certificateNo,
  });
  await attachFile(api, key, certificate, word);
  return {
    ...codes,
    certificate,
    recall: await recallAndClose(must, codes, word),
    openRecall: await make.recall(),
    import: await make.import(),
    ...(await registerGoods(must, codes, word)),
    heldForSupplier: await hold({ productCode: GTIN, batchNo: 'LOT-1', quantity: 1_000 }),
    receipt,
    order,
    dispatch,
    alert: await watch(must, codes, word),
    webhook,
    make,
    name: word,
    owner: `owner@${organization.code}.example`,
    ...(await idsOf(make)),
    productId: second.id,
    hold: await hold({ productCode: codes.product, batchNo: codes.batch }),
    newHold: (category) => hold({ productCode: GTIN, batchNo: 'LOT-1', category }),
  };
}

async function stockUp(
  must: <D>(method: string, path: string, body: object) => Promise<D>,
  codes: ReturnType<typeof plainCodes>,
  word: string,
): Promise<void> {
  const enter = (part: object) =>
    must('POST', '/v2/stock/adjustments', {
      productCode: GTIN,
      warehouse: 'WH-1',
      batchNo: 'LOT-1',
      expiryDate: '2030-01-01',
      quantityDelta: 100_000,
      reason: `${word} opening stock`,
      ...part,
    });
  await enter({});
  await enter({ batchNo: codes.batch });
  for (const warehouse of ['WH-2', codes.warehouse]) await enter({ warehouse });
  for (const batchNo of ['LOT-1', 'LOT-OLD', codes.batch])
    await enter({ productCode: codes.product, batchNo });
  await enter({ productCode: 'PUMP-1', quantityDelta: 1, serials: [codes.serial] });
}

const idsOf = async (make: PeopleMakers) => ({
  key: await make.key(),
  client: await make.client(),
  user: await make.person(),
  session: await make.session(),
  grant: await make.grant(),
  sandbox: await make.sandbox(),
});

async function registerGoods(
  must: <D>(method: string, path: string, body: object) => Promise<D>,
  { product, batch, warehouse }: ReturnType<typeof plainCodes>,
  word: string,
): Promise<{ entry: string; disposition: string }> {
  const enter = async (goods: object) =>
    (
      await must<{ ncId: string }>('POST', '/v2/quality/nonconformities', {
        ...{ quantity: 2, reason: word, ...goods },
      })
    ).ncId;
  await enter({ productCode: GTIN, batchNo: 'LOT-1', warehouse });
  const entry = await enter({ productCode: product, batchNo: batch, warehouse: 'WH-1' });
  const decision = { kind: 'destroy', lines: [{ ncId: entry, quantity: 1 }], reason: word };
  const { dispositionId } = await must<{ dispositionId: string }>(
    'POST',
    '/v2/quality/dispositions',
    decision,
  );
  return { entry, disposition: dispositionId };
}

async function recallAndClose(
  must: <D>(method: string, path: string, body: object) => Promise<D>,
  { recallNo, product }: ReturnType<typeof plainCodes>,
  word: string,
): Promise<string> {
  const what = { recallNo, productCode: product, batchNos: ['LOT-OLD'], class: 'II', reason: word };
  const { recallId, affectedStock } = await must<{
    recallId: string;
    affectedStock: { warehouse: string; batchNo: string; quantity: number }[];
  }>('POST', '/v2/recalls', what);
  for (const { quantity, ...place } of affectedStock) {
    const destroyed = { productCode: product, ...place, quantityDelta: -quantity, reason: word };
    await must('POST', '/v2/stock/adjustments', destroyed);
  }
  await must('POST', `/v2/recalls/${recallId}/close`, { reason: word });
  return recallId;
}

/** Two monitoring points, one of them in a zone, the other with a reading that is outside its limits. */
async function watch(
  must: <D>(method: string, path: string, body: object) => Promise<D>,
  { point, warehouse, zone, zonedWarehouse }: ReturnType<typeof plainCodes>,
  word: string,
): Promise<string> {
  const limits = { temperature: { min: 2, max: 8 } };
  await must('PUT', `/v2/environment/points/${point}`, { name: `${word} room`, warehouse, ...limits });
  const zones = [{ code: zone, name: word }];
  await must('PUT', `/v2/warehouses/${zonedWarehouse}`, { name: word, zones });
  const inZone = { name: word, warehouse: zonedWarehouse, zone };
  await must('PUT', `/v2/environment/points/${point}-2`, inZone);
  const readings = [{ pointId: point, at: '2026-11-15T09:00:00Z', temperature: 9 }];
  const { alerts } = await must<{ alerts: string[] }>('POST', '/v2/environment/readings', { readings });
  return alerts[0] ?? '';
}

/** Keys of the organization `ours`, including ones created at an earlier time. */
export function keysOf(world: World) {
  const { db, organization } = world;
  const { orgId } = organization.organization;
  const during = <T>(clock: Clock, work: (tx: Tx) => Promise<T>, inOrganization = orgId): Promise<T> =>
    transact({ ...db.database, clock }, systemPrincipal(inOrganization, 'operator@test.example'), work);
  const yesterday = () => testClock(new Date(db.clock.now().getTime() - 86_400_000).toISOString());
  const create = (input: Partial<Parameters<typeof createKey>[1]>, clock: Clock = db.clock) =>
    during(clock, (tx) =>
      createKey(tx, { name: 'matrix', scopes: SCOPES, owner: 'owner@okapi.example', ...input }),
    );
  return {
    create,
    yesterday,
    during,
    rotate: (keyId: string, overlapSeconds: number, clock: Clock = db.clock) =>
      during(clock, (tx) => rotateKey(tx, keyId, overlapSeconds)),
    /** A key of a third organization, which is then suspended. */
    async ofSuspended(scopes: readonly string[]): Promise<string> {
      const suspended = await newOrganization(db);
      const { apiKey } = await suspended.newKey({ scopes });
      await updateOrganization(db.database, 'operator@test.example', suspended.organization.orgId, {
        status: 'suspended',
      });
      return apiKey;
    },
  };
}
