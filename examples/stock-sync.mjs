/*
 * Copies the stock of one warehouse, batch by batch, into a file that your system can read, and prints the changes since
 * the last run. Two hundred products come with one call, so the whole of a warehouse is quickly looked through: run it
 * every few minutes, and ask for a single product when somebody wants to know now.
 *
 *   LOTWARD_URL=http://127.0.0.1:8080 LOTWARD_API_KEY=lw_… node examples/stock-sync.mjs WH-1 stock.json
 *
 * Needs inventory:read.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createClient } from '@lotward/client';

const [warehouse, file] = process.argv.slice(2);
const { LOTWARD_URL = 'http://127.0.0.1:8080', LOTWARD_API_KEY } = process.env;
if (!warehouse || !file || !LOTWARD_API_KEY) {
  console.error('usage: LOTWARD_API_KEY=lw_… node stock-sync.mjs WAREHOUSE FILE');
  process.exit(2);
}
const lotward = createClient({ baseUrl: LOTWARD_URL, apiKey: LOTWARD_API_KEY });

/** The state saved by the last run, if any. */
function kept() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

const before = kept();
const stock = {};
for await (const record of lotward.each('/v2/inventory', { query: { warehouse, limit: 200 } })) {
  const { productCode, availableQuantity, reservedQuantity, blockedQuantity, batches } = record;
  stock[productCode] = { availableQuantity, reservedQuantity, blockedQuantity, batches };
}

// Whole or not at all: a reader never sees half a file.
writeFileSync(`${file}.new`, JSON.stringify(stock, null, 2));
renameSync(`${file}.new`, file);

const codes = new Set([...Object.keys(before), ...Object.keys(stock)]);
const changed = [...codes].filter((code) => JSON.stringify(before[code]) !== JSON.stringify(stock[code]));
for (const code of changed)
  console.log(
    `${code}: ${before[code]?.availableQuantity ?? 0} → ${stock[code]?.availableQuantity ?? 0} available`,
  );
console.log(`${Object.keys(stock).length} products in ${warehouse}, ${changed.length} changed.`);
