/*
 * BASE: a minimal hand-written server without any of our guarantees. Bare node:http, a pg pool of 8, one named statement
 * per request, no credential, no validation, no log; the same record from the same tables.
 */
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import pg from 'pg';
import { answerWith } from '../measure/processes.mjs';
import { byExpiryDescending } from './records.mjs';

pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

const name = 'inventory';
const text = `
  select p.product_name, b.batch_no, t.expiry_date, b.quantity, b.reserved, b.held, b.whole_holds
  from products p
  join balances b on b.org_id = p.org_id and b.product_code = p.product_code
  join batches t on t.org_id = b.org_id and t.product_code = b.product_code and t.batch_no = b.batch_no
  where p.org_id = $1 and p.product_code = $2 and b.warehouse = $3 and b.quantity > 0`;

function recordOf(productCode, warehouse, rows) {
  const today = new Date().toISOString().slice(0, 10);
  let totalQuantity = 0;
  let reservedQuantity = 0;
  let blockedQuantity = 0;
  const batches = [];
  for (const row of rows) {
    const isBlocked = row.whole_holds > 0 || (row.expiry_date !== null && row.expiry_date < today);
    const reserved = isBlocked ? 0 : row.reserved;
    const blocked = isBlocked ? row.quantity : row.held;
    totalQuantity += row.quantity;
    reservedQuantity += reserved;
    blockedQuantity += blocked;
    batches.push({
      batchNo: row.batch_no,
      expiryDate: row.expiry_date,
      quantity: row.quantity,
      availableQuantity: row.quantity - reserved - blocked,
      reservedQuantity: reserved,
      blockedQuantity: blocked,
    });
  }
  return {
    productCode,
    productName: rows[0].product_name,
    warehouse,
    totalQuantity,
    availableQuantity: totalQuantity - reservedQuantity - blockedQuantity,
    reservedQuantity,
    blockedQuantity,
    batches: batches.sort(byExpiryDescending),
  };
}

async function begin({ readerUrl }) {
  const pool = new pg.Pool({ connectionString: readerUrl, max: 8, idleTimeoutMillis: 0 });
  const server = createServer(async (request, response) => {
    const { org, productCode, warehouse } = parse(request.url.slice(request.url.indexOf('?') + 1));
    try {
      const { rows } = await pool.query({ name, text, values: [org, productCode, warehouse] });
      const data = recordOf(productCode, warehouse, rows);
      const body = JSON.stringify({ code: 0, message: 'success', data });
      const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      response.writeHead(200, head).end(body);
    } catch (error) {
      response.writeHead(500, { 'content-length': 0 }).end();
      process.stderr.write(`${error}\n`);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

answerWith({ begin });
