/*
 * A partner's integration: a copy of the stock kept by its changes against reading all records again, and orders sent in batches against
 * one by one.
 */
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { newDatabase, openServer } from '../inventory/tables.mjs';
import { callerOf } from '../measure/caller.mjs';
import { endPart, startPart } from '../measure/processes.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const SCOPES = [
  'products:read',
  'products:write',
  'inventory:read',
  'inventory:write',
  'orders:read',
  'orders:write',
];
const WAREHOUSES = 2;
const BATCH = 200;
const SINGLE_CLIENTS = 16;
/** As many as are carried out at a time for one organization. */
const BATCH_CLIENTS = 3;

const productOf = (n) => `PART-${String(n).padStart(6, '0')}`;

export async function partners({ pace, say }) {
  const server = await openServer();
  let api;
  try {
    const data = await newDatabase(server, 'bench_partners', SCOPES);
    const [{ orgId, keys }] = data.organizations;
    say(`filling ${pace.mirrored} records`);
    await fill(data.url, orgId, pace.mirrored / WAREHOUSES);
    api = await startPart(module('../inventory/api.mjs'), data);
    const call = callerOf(api.port, keys[0], SINGLE_CLIENTS);
    return [...(await compareReads(call, pace, say)), ...(await compareOrders(call, pace, say))];
  } finally {
    if (api) await endPart(api);
    await server.close();
  }
}

/** As the owner and without foreign-key checks, for speed: the rows satisfy them. */
async function fill(url, orgId, products) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run = (text) => client.query(text, [orgId, products]);
  try {
    await client.query("set search_path = lotward, public; set session_replication_role = 'replica'");
    await client.query(
      `insert into warehouses (org_id, code, name, created_at, updated_at)
       select $1, 'WH-' || w, 'Warehouse ' || w, now(), now() from generate_series(1, ${WAREHOUSES}) w`,
      [orgId],
    );
    await client.query(
      `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
       values ($1, 'HOSP-1', 'City hospital', '{customer}', 'active', now(), now())`,
      [orgId],
    );
    await run(
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
         near_expiry_days, status, created_at, updated_at)
       select $1, 'PART-' || lpad(n::text, 6, '0'), 'prd_' || n, 'Product ' || n, true, false, 'batch', 0, 90, 'active', now(), now()
       from generate_series(0, $2::integer - 1) n`,
    );
    await run(
      `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
       select $1, 'PART-' || lpad(n::text, 6, '0'), 'LOT-1', current_date + 900, now() from generate_series(0, $2::integer - 1) n`,
    );
    await run(
      `insert into balances (org_id, product_code, warehouse, batch_no, quantity, reserved)
       select $1, 'PART-' || lpad(n::text, 6, '0'), 'WH-' || w, 'LOT-1', 1000, 0
       from generate_series(0, $2::integer - 1) n, generate_series(1, ${WAREHOUSES}) w`,
    );
    // An empty table that was analysed counts as empty for as long as its plans are cached.
    await client.query(
      'vacuum (analyze) products, batches, balances, warehouses, partners, organizations, api_keys',
    );
  } finally {
    await client.end();
  }
}

/** Reads page after page; returns what it took. */
async function readAll(pageAfter) {
  const startedMs = performance.now();
  const read = { calls: 0, rows: 0, bytes: 0, cursor: undefined };
  for (let isMore = true; isMore; ) {
    const page = await pageAfter(read.cursor);
    read.calls++;
    read.rows += page.items.length;
    read.bytes += page.bytes;
    isMore = page.hasMore ?? page.nextCursor !== null;
    read.cursor = page.nextCursor ?? undefined;
  }
  return { ...read, ms: performance.now() - startedMs };
}

const perCall = ({ calls, rows, bytes, ms }) =>
  `${calls} calls, ${rows} records, ${(bytes / 1_000).toFixed(1)} kB, ${ms.toFixed(0)} ms`;

async function compareReads(call, pace, say) {
  const changes = (after) =>
    call('GET', `/v2/inventory/changes?limit=200${after ? `&after=${encodeURIComponent(after)}` : ''}`);
  const records = (warehouse) => (cursor) =>
    call(
      'GET',
      `/v2/inventory?warehouse=${warehouse}&limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
  let { cursor } = await readAll(changes);
  const deltas = [];
  for (let round = 0; round < pace.rounds; round++) {
    await call('POST', '/v2/stock/adjustments', {
      productCode: productOf(round),
      warehouse: 'WH-1',
      batchNo: 'LOT-1',
      quantityDelta: -1,
      reason: 'bench',
    });
    const delta = await readAll((after) => changes(after ?? cursor));
    ({ cursor } = delta);
    deltas.push(delta);
  }
  const delta = deltas.toSorted((a, b) => a.ms - b.ms)[Math.floor(deltas.length / 2)];
  say(`one change: ${perCall(delta)}`);
  const pages = await Promise.all(['WH-1', 'WH-2'].map((warehouse) => readAll(records(warehouse))));
  const scan = pages.reduce((a, b) => ({
    calls: a.calls + b.calls,
    rows: a.rows + b.rows,
    bytes: a.bytes + b.bytes,
    ms: Math.max(a.ms, b.ms),
  }));
  say(`all records: ${perCall(scan)}`);
  const errors = deltas.some(({ rows }) => rows !== 1) || scan.rows !== pace.mirrored ? 1 : 0;
  return [
    rowOf(
      'P1',
      `one changed figure among ${pace.mirrored} records: the change feed / reading all records`,
      `${delta.calls} call, ${delta.ms.toFixed(1)} ms / ${scan.calls} calls, ${(scan.ms / 1_000).toFixed(1)} s`,
      `the feed: ${perCall(delta)} (median of ${deltas.length}); all records, two warehouses at once: ${perCall(scan)}`,
      errors,
    ),
  ];
}

const orderOf = (orderNo, n) => ({
  orderNo,
  customerCode: 'HOSP-1',
  warehouse: 'WH-1',
  currency: 'EUR',
  lines: [1, 2, 3, 4, 5].map((lineNo) => ({
    lineNo,
    productCode: productOf((n * 7 + lineNo * 101) % 1_000),
    quantity: 1,
    unitPrice: '10.00',
  })),
});

async function ratePerSecond(count, clients, perCallCount, work) {
  let next = 0;
  const startedMs = performance.now();
  const client = async () => {
    while (next < count) {
      const from = next;
      next += perCallCount;
      await work(from);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (count * 1_000) / (performance.now() - startedMs);
}

async function compareOrders(call, pace, say) {
  const count = pace.sentOrders;
  const ratios = [];
  const rates = [];
  let refused = 0;
  for (let round = 0; round < pace.rounds; round++) {
    const single = await ratePerSecond(count, SINGLE_CLIENTS, 1, (n) =>
      call('POST', '/v2/orders', orderOf(`S-${round}-${n}`, n)),
    );
    const batch = await ratePerSecond(count, BATCH_CLIENTS, BATCH, async (from) => {
      const orders = Array.from({ length: BATCH }, (_, i) => orderOf(`B-${round}-${from + i}`, from + i));
      const { items } = await call('POST', '/v2/orders/batch', { orders });
      refused += items.filter(({ status }) => status !== 200).length;
    });
    say(`orders/s one by one ${single.toFixed(0)}, in batches ${batch.toFixed(0)}`);
    rates.push({ single, batch });
    ratios.push(batch / single);
  }
  const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const rate = (side) => middle(rates.map((each) => each[side])).toFixed(0);
  return [
    rowOf(
      'P2',
      `new orders of 5 lines, batches of ${BATCH} by ${BATCH_CLIENTS} clients / one by one by ${SINGLE_CLIENTS}, orders/s`,
      `${middle(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
      `${rate('batch')} orders/s in batches, ${rate('single')} one by one; medians of ${pace.rounds} rounds of ${count} orders each`,
      refused,
    ),
  ];
}

const rowOf = (number, what, reached, detail, errors) => ({
  number,
  what,
  target: 'shown only',
  reached,
  met: true,
  errors,
  detail,
});
