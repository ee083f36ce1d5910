/*
 * Targets L1 to L6: what the server takes for the first page of each list, as the console asks for it, for a search and for the overview,
 * in an organization with a million batches and 300,000 orders, and how long a person waits for a list after the click.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { SCOPES } from '../../server/dist/access/index.js';
import { fillEverywhere } from '../../server/dist/indexing/index.js';
import { openDatabase } from '../../server/dist/platform/database/index.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import { searchSources } from '../../server/dist/search/index.js';
import { newDatabase, openServer } from '../inventory/tables.mjs';
import { callerOf } from '../measure/caller.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { median, quantile } from '../measure/statistics.mjs';
import { countedPages, firstPages, foundPages, searches } from './calls.mjs';
import { clickLists } from './clicks.mjs';
import { fillings, sizesFor } from './records.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const migrationsDirectory = module('../../server/migrations');
/** A page is drawn within 300 ms of the click; half of it is the server's. */
const LIST_MS = 150;
const CLICK_MS = 300;
const SEARCH_MS = 100;
const OVERVIEW_MS = 50;
/** The service gives everybody the same answer for two seconds: only later ones cost something. */
const OVERVIEW_KEPT_MS = 2_100;
const WARM_UPS = 3;

export async function lists({ pace, say }) {
  const server = await openServer();
  let api;
  try {
    const data = await newDatabase(server, 'bench_lists', [...SCOPES]);
    const [{ orgId, keys }] = data.organizations;
    const sizes = sizesFor(pace);
    say(`filling ${sizes.batches} batches and ${sizes.orders} orders`);
    await asOwner(data.url, fillings(sizes), [orgId]);
    say('filling the search index');
    await fillIndex(data);
    await asOwner(data.url, ['vacuum (analyze)'], []);
    api = await startPart(module('../inventory/api.mjs'), data);
    const rows = await measure(callerOf(api.port, keys[0], 1), sizes, pace, say);
    const clicked = await inDatabase(data, (database) =>
      clickLists(
        { port: api.port, database, orgId, sql: (text, values) => asOwner(data.url, [text], values) },
        pace.listClicks,
      ),
    );
    rows.push(rowOf('L6', 'from the click to the first rows in Chromium', CLICK_MS, clicked, sizes));
    return rows;
  } finally {
    if (api) await endPart(api);
    await server.close();
  }
}

/** All calls on a database that is filled. */
async function measure(call, sizes, pace, say) {
  const questions = [
    ['L1', 'first page of each list', LIST_MS, firstPages()],
    ['L2', 'the total of each list', LIST_MS, countedPages()],
    ['L3', 'first page of each list, found by a text', LIST_MS, foundPages(sizes)],
    ['L4', 'search for records of all kinds', SEARCH_MS, searches(sizes)],
    ['L5', 'the overview', OVERVIEW_MS, ['/v2/overview'], OVERVIEW_KEPT_MS],
  ];
  const rows = [];
  for (const [number, what, targetMs, paths, pauseMs = 0] of questions) {
    const timed = [];
    for (const path of paths) timed.push(await timesOf(call, path, pace.listReads, pauseMs));
    rows.push(rowOf(number, what, targetMs, timed, sizes));
    say(`${what}: ${rows.at(-1).reached}`);
  }
  return rows;
}

async function timesOf(call, path, reads, pauseMs) {
  for (let i = 0; i < WARM_UPS; i++) await call('GET', path);
  const times = [];
  for (let i = 0; i < reads; i++) {
    if (pauseMs > 0) await sleep(pauseMs);
    const startedMs = performance.now();
    await call('GET', path);
    times.push(performance.now() - startedMs);
  }
  return { path, p50: median(times), p95: quantile(times, 0.95) };
}

function rowOf(number, what, targetMs, timed, { batches, orders }) {
  const slowest = timed.toSorted((a, b) => b.p95 - a.p95);
  return {
    number,
    what: `${what}, ${batches} batches and ${orders} orders: p95 of the slowest`,
    target: `≤ ${targetMs} ms`,
    reached: `${slowest[0].p95.toFixed(0)} ms (${slowest[0].path})`,
    met: slowest[0].p95 <= targetMs,
    errors: 0,
    detail: `p50 / p95 in ms: ${slowest.map(({ path, p50, p95 }) => `\`${path}\` ${p50.toFixed(1)} / ${p95.toFixed(1)}`).join('; ')}`,
  };
}

/** Without foreign-key checks, for speed: the rows satisfy them. */
async function asOwner(url, statements, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set search_path = lotward, public; set session_replication_role = 'replica'");
    for (const text of statements) await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** As a worker does for the records of before an upgrade. */
const fillIndex = (data) => inDatabase(data, (database) => fillEverywhere(database, searchSources));

async function inDatabase({ url, secretKey }, work) {
  const database = await openDatabase({ url, migrationsDirectory, box: secretBox([secretKey]) });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
