/*
 * Lotward's side: API and worker as `lotward api` and `lotward worker` run them, organizations with webhooks, and orders to approve.
 */
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createKey } from '../../server/dist/credentials/index.js';
import { createOrganization } from '../../server/dist/organizations/index.js';
import { openDatabase, transact } from '../../server/dist/platform/database/index.js';
import { systemPrincipal } from '../../server/dist/platform/principal.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import { createWebhook, ORGANIZATION } from '../../server/dist/webhooks/index.js';
import { newDatabase, openServer } from '../inventory/tables.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { digitsOf, orderIdSql, shapes, urlsOf } from './shapes.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const migrationsDirectory = module('../../server/migrations');
const OPERATOR = 'operator@bench.example';
const SCOPES = ['orders:read', 'orders:write', 'orders:approve'];
const EVENT_TYPE = 'order.status_changed';
const SIGNATURE_HEADER = 'x-lotward-signature';
const PRODUCTS = 50;
const UNITS = 10_000_000;

/** `isBare`: calls go to the smallest server that publishes an event, instead of the API. */
export async function openLotward(shapeName, receiverPort, isBare) {
  const shape = shapes[shapeName];
  const server = await openServer();
  const parts = [];
  let owner;
  const close = async () => {
    for (const part of parts) await endPart(part);
    await owner?.end();
    await server.close();
  };
  try {
    const { url, secretKey } = await newDatabase(server, 'bench_peers', []);
    owner = new pg.Client({ connectionString: url, options: '-c search_path=lotward,public' });
    await owner.connect();
    const organizations = await createOrganizations({ url, secretKey }, shape, receiverPort);
    const orgIds = organizations.map(({ orgId }) => orgId);
    await fillProducts(owner, orgIds);
    const start = async (name) => {
      const part = await startPart(module(name), { url, secretKey, orgIds });
      parts.push(part);
      return part;
    };
    const front = await start(isBare ? 'bare.mjs' : '../inventory/api.mjs');
    const worker = await start('../webhooks/worker.mjs');
    const side = {
      name: 'Lotward',
      roots: [front.pid, worker.pid, server.postmaster],
      deliveryPids: [worker.pid],
      signatureHeader: SIGNATURE_HEADER,
      /** As autovacuum does in an hour: statements planned for empty tables read whole tables. */
      analyze: () => owner.query('vacuum (analyze)'),
      target: {
        ...{ form: isBare ? 'bare' : 'lotward', shape, port: front.port, pid: front.pid, published: 0 },
        keys: organizations.map(({ key }) => key),
      },
    };
    return { close, side, prepareOrders: (count) => insertOrders(owner, shape, orgIds, count) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createOrganizations({ url, secretKey }, shape, receiverPort) {
  const box = secretBox([secretKey]);
  const database = await openDatabase({ url, migrationsDirectory, box });
  const create = async (tenant, place) => {
    const { orgId } = await createOrganization(database, OPERATOR, {
      code: tenant,
      name: tenant,
      edition: 'standard',
    });
    return transact(database, systemPrincipal(orgId, OPERATOR), async (tx) => {
      for (const callbackUrl of urlsOf(shape, place, receiverPort))
        await createWebhook(tx, box, {
          callbackUrl,
          eventTypes: [EVENT_TYPE],
          description: null,
          customerCode: null,
          owner: ORGANIZATION,
          secret: undefined,
        });
      const { apiKey } = await createKey(tx, { name: 'bench', scopes: SCOPES, owner: OPERATOR });
      return { orgId, key: apiKey };
    });
  };
  try {
    const created = [];
    for (const [place, tenant] of shape.tenants.entries()) created.push(await create(tenant, place));
    return created;
  } finally {
    await database.close();
  }
}

async function fillProducts(owner, orgIds) {
  const run = (text) => owner.query(text, [orgIds]);
  const products = `unnest($1::text[]) o, generate_series(0, ${PRODUCTS - 1}) n`;
  await run(
    `insert into warehouses (org_id, code, name, created_at, updated_at)
    select o, 'WH-1', 'WH-1', now(), now() from unnest($1::text[]) o`,
  );
  await run(
    `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
    select o, 'HOSP-1', 'City hospital', '{customer}', 'active', now(), now() from unnest($1::text[]) o`,
  );
  await run(
    `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
      near_expiry_days, status, created_at, updated_at)
    select o, 'PEER-' || n, 'prd_' || n, 'Product ' || n, true, false, 'batch', 100, 90, 'active', now(), now() from ${products}`,
  );
  await run(
    `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
    select o, 'PEER-' || n, 'LOT-1', current_date + 900, now() from ${products}`,
  );
  await run(
    `insert into balances (org_id, product_code, warehouse, batch_no, quantity, reserved)
    select o, 'PEER-' || n, 'WH-1', 'LOT-1', ${UNITS}, 0 from ${products}`,
  );
}

/** Orders of one line that wait for approval, for the first events of a shape. */
async function insertOrders(owner, { firstNumber }, orgIds, count) {
  const values = [orgIds, firstNumber, firstNumber + count];
  const numbered = `generate_series($2::int, $3::int - 1) n
    join unnest($1::text[]) with ordinality as o(org_id, place) on place = n % cardinality($1::text[]) + 1`;
  const orderId = orderIdSql('n');
  await owner.query('begin');
  await owner.query(
    `insert into orders (org_id, order_id, order_no, customer_code, warehouse, status, on_hold, currency, version, created_at,
      created_by, updated_at)
    select org_id, ${orderId}, 'PEERS-' || lpad(n::text, ${digitsOf(0).length}, '0'), 'HOSP-1', 'WH-1', 'pending_approval', false,
      'EUR', 1, now(), 'bench', now() from ${numbered}`,
    values,
  );
  await owner.query(
    `insert into order_lines (org_id, order_id, line_no, product_code, quantity, unit_price)
    select org_id, ${orderId}, 1, 'PEER-' || n % ${PRODUCTS}, 1, 10 from ${numbered}`,
    values,
  );
  await owner.query(
    `insert into order_status_changes (org_id, order_id, version, step, current_status, changed_by, changed_at)
    select org_id, ${orderId}, 1, 0, 'pending_approval', 'bench', now() from ${numbered}`,
    values,
  );
  await owner.query('commit');
  // An empty table that was analyzed counts as empty for as long as its plans are cached.
  await owner.query(
    'vacuum (analyze) products, batches, balances, orders, order_lines, order_status_changes',
  );
}
