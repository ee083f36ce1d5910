/*
 * Unit costs, for planning: CPU of an inventory read, of a new order and of the rest of its life (approval to delivery), the rows
 * and bytes that an order leaves, and the connections of a process. The cost of a push is that of target 7.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createKey } from '../../server/dist/credentials/index.js';
import { openDatabase, transact } from '../../server/dist/platform/database/index.js';
import { systemPrincipal } from '../../server/dist/platform/principal.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import { createWebhook } from '../../server/dist/webhooks/create-webhook.js';
import { ORGANIZATION } from '../../server/dist/webhooks/owner.js';
import { newDatabase, openServer } from '../inventory/tables.mjs';
import { callerOf } from '../measure/caller.mjs';
import { cpuSeconds, endPart, postgresCpu, postgresSecondsSince, startPart } from '../measure/processes.mjs';
import { allSettled } from '../webhooks/tables.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const migrationsDirectory = module('../../server/migrations');
const SCOPES = [
  'products:read',
  'products:write',
  'inventory:read',
  'inventory:write',
  'orders:read',
  'orders:write',
  'orders:approve',
  'dispatches:read',
  'dispatches:write',
];
const CLIENTS = 64;
/** Orders in the middle of their life: with more, calls that wait for the same products are refused. */
const ORDERS_AT_ONCE = 8;
const LINES = 5;
const PRODUCTS = 500;
const productOf = (n, line) => `UNIT-${(n * 7 + line * 101) % PRODUCTS}`;

export async function units({ pace, say }) {
  const server = await openServer();
  const parts = [];
  let owner;
  try {
    const data = await newDatabase(server, 'bench_units', SCOPES);
    const { orgId, keys } = data.organizations[0];
    const receiver = createServer((push, answer) => push.resume().on('end', () => answer.end())).listen(
      0,
      '127.0.0.1',
    );
    receiver.unref();
    await once(receiver, 'listening');
    const second = await secondPerson(data, orgId, receiver.address().port);
    owner = new pg.Client({ connectionString: data.url, options: '-c search_path=lotward,public' });
    await owner.connect();
    const api = await startPart(module('../inventory/api.mjs'), data);
    parts.push(api);
    const call = callerOf(api.port, keys[0], CLIENTS);
    await fillCatalogue(call);
    await owner.query('vacuum (analyze)');
    const rows = [];
    const measure = async (what, count, work, workers = [], clients = CLIENTS) => {
      say(what);
      const before = { node: cpuSeconds(api.pid), postgres: postgresCpu(server.postmaster) };
      const background = workers.map(({ pid }) => cpuSeconds(pid));
      const startedMs = performance.now();
      await inParallel(count, work, clients);
      const seconds = (performance.now() - startedMs) / 1_000;
      const each = (cpu) => `${Math.round((cpu * 1e6) / count)} µs`;
      const database = each(postgresSecondsSince(server.postmaster, before.postgres));
      const behind = workers
        .map(({ pid }, i) => ` + worker ${each(cpuSeconds(pid) - background[i])}`)
        .join('');
      const reached = `API ${each(cpuSeconds(api.pid) - before.node)}${behind} + PG ${database}`;
      rows.push(
        rowOf(rows.length + 1, what, reached, `${count} in ${seconds.toFixed(1)} s, ${clients} clients`),
      );
    };
    const read = (n) => call('GET', `/v2/inventory?productCode=${productOf(n, 0)}&warehouse=WH-1`);
    await inParallel(pace.unitReads / 4, read);
    await measure('CPU of an inventory read', pace.unitReads, read);

    const orderIds = [];
    const sync = async (n) => {
      orderIds[n] = (await call('POST', '/v2/orders', orderOf(n))).orderId;
    };
    await inParallel(pace.unitOrders / 4, (n) => call('POST', '/v2/orders', orderOf(pace.unitOrders + n)));
    const empty = await sizesOf(owner);
    await measure(`CPU of a new order of ${LINES} lines`, pace.unitOrders, sync);
    const worker = await startPart(module('../webhooks/worker.mjs'), data);
    parts.push(worker);
    await drained(owner);
    const callOfSecond = callerOf(api.port, second, CLIENTS);
    const live = (n) => carryOut(call, callOfSecond, orderIds[n]);
    await measure(
      'CPU of the rest of its life, approval to delivery',
      pace.unitOrders,
      live,
      [worker],
      ORDERS_AT_ONCE,
    );
    await drained(owner);
    rows.push(...storedRows(rows.length, empty, await sizesOf(owner), pace.unitOrders));
    rows.push(await connectionsRow(rows.length, owner));
    return rows;
  } finally {
    for (const part of parts) await endPart(part);
    await owner?.end();
    await server.close();
  }
}

/** The re-check needs somebody who did not pick. Each event of an order is pushed once, to a partner on this machine. */
async function secondPerson({ url, secretKey }, orgId, port) {
  const box = secretBox([secretKey]);
  const database = await openDatabase({ url, migrationsDirectory, box });
  const work = async (tx) => {
    await createWebhook(tx, box, {
      callbackUrl: `http://127.0.0.1:${port}/`,
      eventTypes: ['order.status_changed', 'inventory.outbound_completed'],
      description: null,
      customerCode: null,
      owner: ORGANIZATION,
      secret: 'a-secret-of-the-bench-only',
    });
    return createKey(tx, { name: 'second', scopes: SCOPES, owner: 'second@bench.example' });
  };
  return transact(database, systemPrincipal(orgId, 'operator@bench.example'), work)
    .then(({ apiKey }) => apiKey)
    .finally(() => database.close());
}

async function inParallel(count, work, clients = CLIENTS) {
  let next = 0;
  const client = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function fillCatalogue(call) {
  await call('PUT', '/v2/partners/C-1', { name: 'Customer', roles: ['customer'] });
  await call('PUT', '/v2/warehouses/WH-1', { name: 'Main' });
  await inParallel(PRODUCTS, async (n) => {
    await call('PUT', `/v2/products/UNIT-${n}`, { productName: `Product ${n}`, tracking: 'batch' });
    const stock = { batchNo: 'B-1', expiryDate: '2031-01-01', quantityDelta: 1_000_000, reason: 'count' };
    await call('POST', '/v2/stock/adjustments', { productCode: `UNIT-${n}`, warehouse: 'WH-1', ...stock });
  });
}

const orderOf = (n) => ({
  orderNo: `PO-${n}`,
  customerCode: 'C-1',
  warehouse: 'WH-1',
  currency: 'EUR',
  lines: Array.from({ length: LINES }, (_, i) => ({
    lineNo: i + 1,
    productCode: productOf(n, i),
    quantity: 1,
    unitPrice: '10.00',
  })),
});

async function carryOut(call, callSecond, orderId) {
  await call('POST', `/v2/orders/${orderId}/approve`, {});
  const { dispatchId } = await call('POST', '/v2/dispatches', { orderId });
  const picks = Array.from({ length: LINES }, (_, i) => ({ lineNo: i + 1, batchNo: 'B-1', quantity: 1 }));
  await call('POST', `/v2/dispatches/${dispatchId}/picks`, { picks });
  await callSecond('POST', `/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
  const received = { receivedBy: 'ward', receivedAt: new Date().toISOString() };
  await call('POST', `/v2/dispatches/${dispatchId}/delivery`, received);
}

/** Until every event is numbered and pushed, and every audit entry sealed. */
async function drained(owner) {
  for (;;) {
    const { rows } = await owner.query(
      `select (select count(*) from lotward.events where position is null) + (select count(*) from lotward.audit_entries where position is null) as left`,
    );
    if (Number(rows[0].left) === 0) return allSettled(owner, 60_000);
    await sleep(200);
  }
}

/** Rows and bytes with indexes; of a partitioned table those of its partitions, which are tables of their own. */
async function sizesOf(owner) {
  await owner.query('vacuum (analyze)');
  const { rows } = await owner.query(
    `select c.relname as name, c.reltuples::float8 as rows, pg_total_relation_size(c.oid)::float8 as bytes
     from pg_class c where c.relnamespace = 'lotward'::regnamespace and c.relkind = 'r'`,
  );
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}

function storedRows(before, empty, full, orders) {
  const grown = [...full].map(([name, { rows, bytes }]) => {
    const was = empty.get(name) ?? { rows: 0, bytes: 0 };
    return { name, rows: Math.max(0, rows - Math.max(0, was.rows)), bytes: bytes - was.bytes };
  });
  const largest = grown.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
  const total = (field) => largest.reduce((sum, table) => sum + table[field], 0) / orders;
  const describe = ({ name, rows, bytes }) =>
    `${name} ${(rows / orders).toFixed(1)} rows, ${Math.round(bytes / orders)} bytes`;
  const reached = `${total('rows').toFixed(0)} rows, ${(total('bytes') / 1_024).toFixed(1)} KiB`;
  const each = (number, what, name) => {
    const { rows, bytes } = grown.find((table) => table.name.startsWith(name) && table.rows > 0);
    return rowOf(number, what, `${Math.round(bytes / Math.max(1, rows))} bytes`, `${Math.round(rows)} rows`);
  };
  return [
    rowOf(
      before + 1,
      'stored by an order of its whole life, with indexes',
      reached,
      largest.slice(0, 12).map(describe).join('; '),
    ),
    each(before + 2, 'bytes of an event, with indexes', 'events'),
    each(before + 3, 'bytes of a ledger row (a step of a trace), with indexes', 'movements'),
    each(before + 4, 'bytes of an audit entry, with indexes', 'audit_entries'),
    each(before + 5, 'bytes of a push attempt, with indexes', 'webhook_attempts'),
  ];
}

async function connectionsRow(before, owner) {
  const { rows } = await owner.query(
    `select application_name as name, count(*)::int as count from pg_stat_activity
     where application_name like 'lotward %' group by 1 order by 1`,
  );
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const detail = rows.map(({ name, count }) => `${name} ${count}`).join(', ');
  return rowOf(before + 1, 'connections of an API process and a worker at the end', String(total), detail);
}

const rowOf = (number, what, reached, detail) => ({
  number: `U${number}`,
  what,
  target: 'shown only',
  reached,
  met: true,
  errors: 0,
  detail,
});
