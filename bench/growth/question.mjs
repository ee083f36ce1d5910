/*
 * Targets 18 and 19: what takes longer the more there is of it, measured where there is much: a recall of 5,000 batches, an import of 100,000
 * products.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { newDatabase, openServer } from '../inventory/tables.mjs';
import { callerOf } from '../measure/caller.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { quartiles } from '../measure/statistics.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const SCOPES = ['recalls:read', 'recalls:write', 'inventory:read'];
const RECALL_MOST_MS = 1_000;
const IMPORT_MOST_S = 10;
const WAREHOUSES = 2;

export async function growth({ pace, say }) {
  const server = await openServer();
  try {
    const data = await newDatabase(server, 'bench_growth', SCOPES);
    return [await measureRecalls(data, pace, say), await measureImports(data, pace, say)];
  } finally {
    await server.close();
  }
}

const withSpread = ({ low, median, high }, digits) =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;

async function measureRecalls(data, pace, say) {
  const [{ orgId, keys }] = data.organizations;
  say(`filling ${pace.rounds} products of ${pace.recalledBatches} batches`);
  await fillProducts(data.url, orgId, pace);
  const api = await startPart(module('../inventory/api.mjs'), data);
  try {
    const call = callerOf(api.port, keys[0], 1);
    const times = [];
    let errors = 0;
    for (let i = 1; i <= pace.rounds; i++) {
      const recall = { recallNo: `GROWTH-${i}`, productCode: `GROWN-${i}`, class: 'I', reason: 'leaks' };
      const startedMs = performance.now();
      const { affectedStock } = await call('POST', '/v2/recalls', recall);
      times.push(performance.now() - startedMs);
      if (affectedStock.length !== pace.recalledBatches * WAREHOUSES) errors++;
      say(`recall of ${pace.recalledBatches} batches: ${times.at(-1).toFixed(0)} ms`);
    }
    const found = quartiles(times);
    return {
      number: '18a',
      what: `a recall of a product with ${pace.recalledBatches} batches in ${WAREHOUSES} warehouses`,
      target: `≤ ${RECALL_MOST_MS} ms`,
      reached: `${withSpread(found, 0)} ms`,
      met: found.median <= RECALL_MOST_MS && errors === 0,
      errors,
      detail: `${times.length} recalls, each of a product of its own; slowest ${Math.max(...times).toFixed(0)} ms`,
    };
  } finally {
    await endPart(api);
  }
}

/** As the owner and without foreign-key checks, for speed: the rows satisfy them. */
async function fillProducts(url, orgId, { rounds, recalledBatches }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const products = `generate_series(1, ${rounds}) p`;
  const batches = `${products}, generate_series(1, ${recalledBatches}) b`;
  try {
    await client.query("set search_path = lotward, public; set session_replication_role = 'replica'");
    for (const text of [
      `insert into warehouses (org_id, code, name, created_at, updated_at)
       select $1, 'WH-' || w, 'Warehouse ' || w, now(), now() from generate_series(1, ${WAREHOUSES}) w`,
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock, near_expiry_days,
         status, created_at, updated_at)
       select $1, 'GROWN-' || p, 'prd_' || p, 'Valve ' || p, true, false, 'batch', 0, 90, 'active', now(), now() from ${products}`,
      `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
       select $1, 'GROWN-' || p, 'B-' || b, current_date + 400, now() from ${batches}`,
      `insert into balances (org_id, product_code, batch_no, warehouse, quantity, reserved, held, whole_holds)
       select $1, 'GROWN-' || p, 'B-' || b, 'WH-' || w, 10, 0, 0, 0 from ${batches}, generate_series(1, ${WAREHOUSES}) w`,
    ])
      await client.query(text, [orgId]);
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

/** The command as an operator runs it, the start of Node.js included; each round into an organization of its own. */
async function measureImports(data, pace, say) {
  const folder = mkdtempSync(join(tmpdir(), 'lotward-bench-import-'));
  try {
    const file = join(folder, 'products.csv');
    await writeProducts(file, pace.importedProducts);
    const times = [];
    let errors = 0;
    const rounds = Math.min(pace.rounds, data.organizations.length - 1);
    for (let i = 1; i <= rounds; i++) {
      const startedMs = performance.now();
      const { created } = await importProducts(data, file, `bench-${i}`);
      times.push((performance.now() - startedMs) / 1_000);
      if (created !== pace.importedProducts) errors++;
      say(`import of ${pace.importedProducts} products: ${times.at(-1).toFixed(1)} s`);
    }
    const found = quartiles(times);
    return {
      number: '19',
      what: `\`lotward import products\` of ${pace.importedProducts} rows`,
      target: `≤ ${IMPORT_MOST_S} s`,
      reached: `${withSpread(found, 1)} s`,
      met: found.median <= IMPORT_MOST_S && errors === 0,
      errors,
      detail: `${times.length} imports: ${times.map((seconds) => seconds.toFixed(1)).join(', ')} s`,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeProducts(file, count) {
  const out = createWriteStream(file);
  out.write(
    'productCode,productName,specification,model,manufacturer,category,riskClass,unit,tracking,shelfLifeDays\n',
  );
  for (let i = 0; i < count; i++)
    out.write(
      `IMP-${String(i).padStart(6, '0')},Balloon catheter ${i},${i % 99} mm,M-${i % 500},Maker ${i % 40},consumable,II,piece,batch,730\n`,
    );
  out.end();
  await finished(out);
}

async function importProducts({ url, secretKey }, file, organization) {
  const command = module('../../server/bin/lotward.mjs');
  const child = spawn(
    process.execPath,
    [command, 'import', 'products', file, '--org', organization, '--json'],
    {
      env: { ...process.env, DATABASE_URL: url, LOTWARD_SECRET_KEY: secretKey },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return JSON.parse(text);
}
