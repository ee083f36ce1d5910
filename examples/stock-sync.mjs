/*
 * Keeps a copy of the stock in a file that your system can read, and prints what changed since the last run. Only changes are read, so
 * run it every few seconds.
 *
 *   LOTWARD_URL=http://127.0.0.1:8080 LOTWARD_API_KEY=lw_… node examples/stock-sync.mjs stock.json [WAREHOUSE]
 *
 * Needs inventory:read.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createClient, LotwardError } from '@lotward/client';

const [file, warehouse] = process.argv.slice(2);
const { LOTWARD_URL = 'http://127.0.0.1:8080', LOTWARD_API_KEY } = process.env;
if (!file || !LOTWARD_API_KEY) {
  console.error('usage: LOTWARD_API_KEY=lw_… node stock-sync.mjs FILE [WAREHOUSE]');
  process.exit(2);
}
const lotward = createClient({ baseUrl: LOTWARD_URL, apiKey: LOTWARD_API_KEY });

const NOTHING_YET = { after: undefined, stock: {} };

/** The copy of the last run, if any. */
function kept() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return NOTHING_YET;
  }
}

/** The copy, brought up to date. Its cursor is stored with the figures: after a crash, the same changes are read again. */
async function refreshed({ after, stock }) {
  const copy = { after, stock: { ...stock } };
  for (let hasMore = true; hasMore; ) {
    const page = await lotward.get('/v2/inventory/changes', {
      query: { limit: 200, ...(copy.after && { after: copy.after }), ...(warehouse && { warehouse }) },
    });
    for (const { productCode, warehouse: place, ...figures } of page.items)
      copy.stock[`${productCode} ${place}`] = figures;
    copy.after = page.nextCursor;
    hasMore = page.hasMore;
  }
  return copy;
}

const before = kept();
const now = await refreshed(before).catch((error) => {
  // The service was restored from a backup, in which our last changes are missing.
  if (error instanceof LotwardError && error.has('cursor_ahead')) return refreshed(NOTHING_YET);
  throw error;
});

// Whole or not at all: a reader never sees half a file.
writeFileSync(`${file}.new`, JSON.stringify(now, null, 2));
renameSync(`${file}.new`, file);

const availableIn = (copy, key) => copy.stock[key]?.availableQuantity ?? 0;
const changed = Object.keys(now.stock).filter((key) => availableIn(before, key) !== availableIn(now, key));
for (const key of changed)
  console.log(`${key}: ${availableIn(before, key)} → ${availableIn(now, key)} available`);
console.log(`${Object.keys(now.stock).length} stocks, ${changed.length} changed.`);
