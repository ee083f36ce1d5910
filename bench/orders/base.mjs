/*
 * BASE: what one would write by hand without any of our promises. Bare node:http and a pg pool; every order its
 * own transaction. To create one: a statement a row. To approve one: six statements under the lock of the
 * product's row. Named statements, no credential, no validation, no audit, no log.
 */
import { createServer } from 'node:http';
import pg from 'pg';
import { answerWith } from '../measure/processes.mjs';

const named = (name, text) => (client, values) => client.query({ name, text, values });

const insertOrder = named(
  'order',
  `insert into orders (org_id, order_id, order_no, customer_code, warehouse, status, on_hold, currency, version,
    created_at, created_by, updated_at)
  values ($1, $2, $3, $4, $5, 'pending_approval', false, $6, 1, $7, 'base', $7)`,
);
const insertLine = named(
  'line',
  `insert into order_lines (org_id, order_id, line_no, product_code, quantity, unit_price)
  values ($1, $2, $3, $4, $5, $6)`,
);
const insertChange = named(
  'change',
  `insert into order_status_changes (org_id, order_id, version, step, current_status, changed_by, changed_at)
  values ($1, $2, 1, 0, 'pending_approval', 'base', $3)`,
);
const insertEvent = named(
  'event',
  `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, customer_code, body)
  values ($1, $2, 'order.created', $3, 'order', $4, 1, $5, $6)`,
);

const lockProduct = named(
  'lock',
  `select o.warehouse, o.customer_code, l.line_no, l.product_code, l.quantity
  from orders o
  join order_lines l on l.org_id = o.org_id and l.order_id = o.order_id
  join products p on p.org_id = l.org_id and p.product_code = l.product_code
  where o.org_id = $1 and o.order_id = $2 and o.status = 'pending_approval' for update of p`,
);
const selectBatches = named(
  'batches',
  `select b.batch_no, b.quantity - b.reserved as free
  from balances b
  join batches t on t.org_id = b.org_id and t.product_code = b.product_code and t.batch_no = b.batch_no
  where b.org_id = $1 and b.product_code = $2 and b.warehouse = $3 and b.quantity > b.reserved
    and (t.expiry_date is null or t.expiry_date >= current_date)
  order by t.expiry_date nulls last, b.batch_no`,
);
const updateBalances = named(
  'balances',
  `update balances b set reserved = b.reserved + c.quantity
  from unnest($4::text[], $5::integer[]) as c(batch_no, quantity)
  where b.org_id = $1 and b.product_code = $2 and b.warehouse = $3 and b.batch_no = c.batch_no`,
);
const insertReservations = named(
  'reservations',
  `insert into reservations (org_id, order_id, line_no, batch_no, dispatch_id, product_code, warehouse, quantity,
    reserved_at)
  select $1, $2, $3, c.batch_no, '', $4, $5, c.quantity, $8
  from unnest($6::text[], $7::integer[]) as c(batch_no, quantity)`,
);
const updateOrder = named(
  'approve',
  `update orders set status = 'approved', version = 2, updated_at = $3
  where org_id = $1 and order_id = $2 and status = 'pending_approval'`,
);
/** History and event in one statement: there are to be six, not seven. */
const insertMove = named(
  'move',
  `with change as (
    insert into order_status_changes (org_id, order_id, version, step, previous_status, current_status, changed_by,
      changed_at)
    values ($1, $2, 2, 0, 'pending_approval', 'approved', 'base', $3))
  insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, customer_code, body)
  values ($1, $4, 'order.status_changed', $3, 'order', $2, 2, $5, $6)`,
);

let made = 0;
/** Rising, so that the indexes are filled at their end as with the server's own identifiers. */
const newId = (prefix) =>
  `${prefix}_${Date.now().toString(36)}${(made++).toString(36).padStart(6, '0')}00000000000`;

async function createOrder(client, org, order) {
  const at = new Date();
  const orderId = newId('ord');
  const { orderNo, customerCode, warehouse, currency, lines } = order;
  await insertOrder(client, [org, orderId, orderNo, customerCode, warehouse, currency, at]);
  for (const { lineNo, productCode, quantity, unitPrice } of lines)
    await insertLine(client, [org, orderId, lineNo, productCode, quantity, unitPrice]);
  await insertChange(client, [org, orderId, at]);
  const data = { ...order, orderId, status: 'pending_approval', version: 1 };
  await insertEvent(client, [org, newId('evt'), at, orderId, customerCode, JSON.stringify(data)]);
  return data;
}

async function approveOrder(client, org, orderId) {
  const at = new Date();
  const [order] = (await lockProduct(client, [org, orderId])).rows;
  if (!order) throw new Error(`${orderId} does not wait for approval`);
  const { rows: batches } = await selectBatches(client, [org, order.product_code, order.warehouse]);
  const reserved = [];
  let left = order.quantity;
  for (const { batch_no: batchNo, free } of batches) {
    if (left === 0) break;
    const quantity = Math.min(left, free);
    reserved.push({ batchNo, quantity });
    left -= quantity;
  }
  if (left > 0) throw new Error(`${left} of ${order.product_code} are missing`);
  const taken = [reserved.map((each) => each.batchNo), reserved.map((each) => each.quantity)];
  const { line_no: lineNo, product_code: productCode, warehouse, customer_code: customerCode } = order;
  await updateBalances(client, [org, productCode, warehouse, ...taken]);
  await insertReservations(client, [org, orderId, lineNo, productCode, warehouse, ...taken, at]);
  const { rowCount } = await updateOrder(client, [org, orderId, at]);
  if (rowCount !== 1) throw new Error(`${orderId} was approved by another`);
  const data = { orderId, status: 'approved', reserved };
  await insertMove(client, [org, orderId, at, newId('evt'), customerCode, JSON.stringify(data)]);
  return data;
}

async function inTransaction(pool, work) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const data = await work(client);
    await client.query('commit');
    return data;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function textOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

async function begin({ url }) {
  // As many connections as the server has for its requests, which is also the default of pg.
  const options = '-c search_path=base';
  const pool = new pg.Pool({ connectionString: url, options, max: 10, idleTimeoutMillis: 0 });
  const server = createServer(async (request, response) => {
    try {
      const [path, org] = request.url.split('?org=');
      const orderId = path.split('/')[2];
      const body = JSON.parse(await textOf(request));
      const data = await inTransaction(pool, (client) =>
        orderId === undefined ? createOrder(client, org, body) : approveOrder(client, org, orderId),
      );
      const answer = JSON.stringify({ code: 0, message: 'success', data });
      const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) };
      response.writeHead(200, head).end(answer);
    } catch (error) {
      response.writeHead(500, { 'content-length': 0 }).end();
      process.stderr.write(`${error}\n`);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

answerWith({ begin });
