/*
 * Sends the orders of your system to Lotward and prints what became of each. Orders are known by customer and number:
 * sending one again changes nothing, sending it changed updates it as long as nobody has approved it.
 *
 *   LOTWARD_URL=http://127.0.0.1:8080 LOTWARD_CLIENT_ID=… LOTWARD_CLIENT_SECRET=… \
 *     node examples/order-sync.mjs orders.json
 *
 * `orders.json` is a list of bodies of POST /v2/orders. Needs orders:write; comes in with an OAuth client, or with a key
 * in LOTWARD_API_KEY.
 */
import { readFileSync } from 'node:fs';
import { createClient, LotwardError } from '@lotward/client';

const [file] = process.argv.slice(2);
const {
  LOTWARD_URL = 'http://127.0.0.1:8080',
  LOTWARD_API_KEY,
  LOTWARD_CLIENT_ID,
  LOTWARD_CLIENT_SECRET,
} = process.env;
if (!file || !(LOTWARD_API_KEY || (LOTWARD_CLIENT_ID && LOTWARD_CLIENT_SECRET))) {
  console.error('usage: LOTWARD_CLIENT_ID=… LOTWARD_CLIENT_SECRET=… node order-sync.mjs FILE');
  process.exit(2);
}
const lotward = createClient({
  baseUrl: LOTWARD_URL,
  ...(LOTWARD_API_KEY
    ? { apiKey: LOTWARD_API_KEY }
    : { clientId: LOTWARD_CLIENT_ID, clientSecret: LOTWARD_CLIENT_SECRET, scopes: ['orders:write'] }),
});

let refused = 0;
for (const order of JSON.parse(readFileSync(file, 'utf8'))) {
  try {
    const { result, orderId, status } = await lotward.post('/v2/orders', { body: order });
    console.log(`${order.orderNo}: ${result} (${orderId}, ${status})`);
  } catch (error) {
    // A 400 stays a 400 until somebody corrects the order. Any other error ends the run, which can be repeated.
    if (!(error instanceof LotwardError) || error.status !== 400) throw error;
    refused += 1;
    for (const { path, reason, message } of error.errors)
      console.log(`${order.orderNo}: refused at ${path ?? 'the whole'}: ${message} (${reason})`);
  }
}
process.exitCode = refused === 0 ? 0 : 1;
