/*
 * Targets 5 and 6: new orders, and approvals that all reserve one product, with all features, compared with BASE.
 */
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../server/dist/platform/database/index.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import { verifyStock } from '../../server/dist/stock/index.js';
import { openServer } from '../inventory/tables.mjs';
import { compare, describe, startLoader, withQuartiles } from '../measure/compare.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { countOversold, findApprovalProblems, findSyncProblems } from './stored.mjs';
import { BASE, insertApprovable, openTables, SERVER } from './tables.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const migrationsDirectory = module('../../server/migrations');
/** More than either side approves in a second; a round that runs out fails. */
const APPROVALS_PER_SECOND = 6_000;

const syncs = [
  { number: '5a', series: 1, connections: 16, organizations: 4, floor: 2 },
  { number: '5b', series: 2, connections: 64, organizations: 4, floor: 3 },
  { number: '5c', series: 3, connections: 16, organizations: 1, floor: 2 },
  { number: '5d', series: 4, connections: 64, organizations: 1, floor: 3 },
];
const approvals = [
  { number: '6a', series: 5, connections: 16, organizations: 1, floor: 2.5 },
  { number: '6b', series: 6, connections: 64, organizations: 1, floor: 5 },
];

export async function orders({ pace, say }) {
  const server = await openServer();
  const parts = [];
  let data;
  try {
    data = await openTables(
      server,
      approvals.map(({ series }) => series),
    );
    const loader = await startLoader(new URL('records.mjs', import.meta.url).href);
    parts.push(loader);
    const { url, secretKey } = data;
    const base = await startPart(module('base.mjs'), { url });
    parts.push(base);
    const api = await startPart(module('../inventory/api.mjs'), { url, secretKey });
    parts.push(api);
    const bench = { loader, base, api, data, postmaster: server.postmaster, pace, say };
    const rows = [];
    for (const one of syncs) rows.push(await measureSync(bench, one));
    const verdicts = [];
    for (const one of approvals) {
      const { row, oversold } = await measureApprovals(bench, one);
      rows.push(row);
      verdicts.push(oversold);
    }
    rows.push(oversoldRow(verdicts, await stockProblems(data)));
    return rows;
  } finally {
    for (const part of parts) await endPart(part);
    await data?.owner.end();
    await server.close();
  }
}

/** Both servers as the load generator gets them. */
function sidesOf({ base, api, data }, kind, { series, organizations }) {
  const side = (form, schema, { pid, port }) => ({
    form,
    schema,
    pid,
    port,
    kind,
    series,
    organizations: data.organizations.slice(0, organizations),
    orgId: data.organizations[0].orgId,
  });
  return { subject: side('api', SERVER, api), baseline: side('base', BASE, base) };
}

async function measure({ loader, postmaster, pace, say }, what, sides, connections, prepare) {
  say(what);
  const found = await compare(loader, { ...sides, connections, postmaster, pace, prepare });
  say(describe(found));
  return found;
}

async function measureSync(bench, one) {
  const sides = sidesOf(bench, 'sync', one);
  const of = one.organizations === 1 ? 'one organization' : `${one.organizations} organizations`;
  const what = `order sync, new orders of 5 lines, ${one.connections} clients of ${of}, rps / BASE`;
  const found = await measure(bench, what, sides, one.connections);
  const { owner } = bench.data;
  const problems = [
    ...(await findSyncProblems(owner, sides.subject)),
    ...(await findSyncProblems(owner, sides.baseline)),
  ];
  return rowOf(one, what, found, problems);
}

async function measureApprovals(bench, one) {
  const { owner } = bench.data;
  const sides = sidesOf(bench, 'approve', one);
  const prepare = async (target, durationMs) => {
    const first = target.prepared ?? 0;
    const end = (target.answered ?? 0) + Math.ceil((APPROVALS_PER_SECOND * durationMs) / 1000);
    await insertApprovable(owner, { ...target, first, end: Math.max(first, end) });
    target.prepared = Math.max(first, end);
  };
  const what = `approvals reserving one product, ${one.connections} clients, rps / BASE`;
  const found = await measure(bench, what, sides, one.connections, prepare);
  const problems = [
    ...(await findApprovalProblems(owner, sides.subject)),
    ...(await findApprovalProblems(owner, sides.baseline)),
  ];
  const oversold = {
    server: await countOversold(owner, sides.subject),
    base: await countOversold(owner, sides.baseline),
    approved: sides.subject.answered,
  };
  return { row: rowOf(one, what, found, problems), oversold };
}

function rowOf({ number, floor }, what, found, problems) {
  const errors = found.errors + problems.length;
  return {
    number,
    what,
    target: `≥ ${floor.toFixed(1)}`,
    reached: withQuartiles(found.rps),
    met: found.rps.median >= floor && errors === 0,
    errors,
    detail: `${describe(found)}; ${problems.length === 0 ? 'stored as answered' : problems.join('; ')}`,
  };
}

/** Findings of `lotward stock verify` in the organization with the hot products. */
async function stockProblems({ url, secretKey, organizations }) {
  const box = secretBox([secretKey]);
  const database = await openDatabase({ url, migrationsDirectory, box });
  try {
    const { ok, firstDifference } = await verifyStock(database, organizations[0].orgId);
    return ok ? [] : [JSON.stringify(firstDifference)];
  } finally {
    await database.close();
  }
}

function oversoldRow(verdicts, problems) {
  const total = (side) => verdicts.reduce((sum, verdict) => sum + verdict[side], 0);
  const errors = (total('server') + total('base') > 0 ? 1 : 0) + problems.length;
  return {
    number: '6c',
    what: 'the same, units sold twice',
    target: '0',
    reached: String(total('server')),
    met: errors === 0,
    errors,
    detail:
      `after ${total('approved')} approvals; BASE ${total('base')}; ` +
      `stock verify: ${problems.length === 0 ? 'ok' : problems.join('; ')}`,
  };
}
