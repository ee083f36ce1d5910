/*
 * Target 11: readings accepted through the API in batches of 1,000, against plain COPY of the same rows; and how long
 * the history of a point with many readings takes.
 */
import { fileURLToPath } from 'node:url';
import { openServer } from '../inventory/tables.mjs';
import { startLoader, withQuartiles } from '../measure/compare.mjs';
import { ask, endPart, startPart } from '../measure/processes.mjs';
import { median, quartiles, sum } from '../measure/statistics.mjs';
import { BATCH, hasExcursion } from './records.mjs';
import { fillHistory, HISTORY_POINT, HISTORY_READINGS, openTables } from './tables.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const CLIENTS = 8;
const FLOOR = 0.3;
const BATCHES_PER_COPY = 100;
const DAY_MS = 86_400_000;

export async function readings({ pace, say }) {
  const server = await openServer();
  const parts = [];
  let data;
  try {
    data = await openTables(server);
    const { url, secretKey, orgId, key, firstAt } = data;
    const loader = await startLoader(new URL('records.mjs', import.meta.url).href);
    parts.push(loader);
    const copy = await startPart(module('copy.mjs'), { url, orgId, firstAt, connections: CLIENTS });
    parts.push(copy);
    const api = await startPart(module('../inventory/api.mjs'), { url, secretKey });
    parts.push(api);
    const subject = { pid: api.pid, port: api.port, key, firstAt, answered: 0 };
    const bench = { loader, copy, subject, copied: 0, postmaster: server.postmaster, pace, say, data };
    const rows = [
      rowOf('11a', 'one connection', await measure(bench, 1)),
      { ...rowOf('11b', `${CLIENTS} connections`, await measure(bench, CLIENTS)), target: 'shown only' },
    ];
    const problems = await problemsOf(bench);
    rows[0].errors += problems.length;
    rows[0].met &&= problems.length === 0;
    rows[0].detail += `; ${problems.length === 0 ? 'stored as answered' : problems.join('; ')}`;
    say(`filling ${HISTORY_READINGS} readings of one point`);
    await fillHistory(data);
    rows.push(...(await measureHistory(bench)));
    return rows;
  } finally {
    for (const part of parts) await endPart(part);
    await data?.owner.end();
    await server.close();
  }
}

/** Turn about, B A B A … B; each round of A is held against the mean of its neighbours. */
async function measure(bench, copyConnections) {
  const { pace, say } = bench;
  say(`batches of ${BATCH} by ${CLIENTS} clients, against COPY on ${copyConnections}`);
  const base = (durationMs) => copyRound(bench, copyConnections, durationMs);
  await base(pace.warmUpMs);
  await postRound(bench, pace.warmUpMs);
  const before = [await base(pace.roundMs)];
  const rounds = [];
  for (let i = 0; i < pace.rounds; i++) {
    rounds.push(await postRound(bench, pace.roundMs));
    before.push(await base(pace.roundMs));
  }
  const found = {
    ratio: quartiles(rounds.map((own, i) => (own.rps * BATCH * 2) / (before[i] + before[i + 1]))),
    rowsPerSecond: median(rounds.map((own) => own.rps * BATCH)),
    copied: median(before),
    nodeMicros: median(rounds.map((own) => own.nodeMicros)),
    postgresMicros: median(rounds.map((own) => own.postgresMicros)),
    p50: median(rounds.map((own) => own.p50)),
    p99: median(rounds.map((own) => own.p99)),
    batches: sum(rounds.map((own) => own.requests)),
    errors: sum(rounds.map((own) => own.errors)),
  };
  say(describe(found));
  return found;
}

async function copyRound(bench, connections, durationMs) {
  const message = {
    kind: 'run',
    answered: bench.copied,
    connections,
    durationMs,
    batchesPerCopy: BATCHES_PER_COPY,
  };
  const found = await ask(bench.copy.child, message, durationMs + 20_000);
  bench.copied += found.batches;
  return found.rowsPerSecond;
}

async function postRound({ loader, subject, postmaster }, durationMs) {
  const message = { kind: 'run', target: subject, connections: CLIENTS, durationMs, postmaster };
  const found = await ask(loader.child, message, durationMs + 20_000);
  subject.answered += found.requests;
  return found;
}

const describe = (found) =>
  `${withQuartiles(found.ratio)}: ${Math.round(found.rowsPerSecond)} rows/s, COPY ${Math.round(found.copied)} rows/s; ` +
  `a batch of ${BATCH}: node ${(found.nodeMicros / 1000).toFixed(1)} + PG ${(found.postgresMicros / 1000).toFixed(1)} ms, ` +
  `p50 ${found.p50.toFixed(0)}, p99 ${found.p99.toFixed(0)} ms; ${found.batches} batches, ${found.errors} wrong`;

const rowOf = (number, on, found) => ({
  number,
  what: `readings in batches of ${BATCH}, ${CLIENTS} clients, rows/s / plain COPY on ${on}`,
  target: `≥ ${FLOOR.toFixed(1)}`,
  reached: withQuartiles(found.ratio),
  met: found.ratio.median >= FLOOR && found.errors === 0,
  errors: found.errors,
  detail: describe(found),
});

/** Everything acknowledged, warm-up included, must be stored: each reading once, an alert and an event per excursion. */
async function problemsOf({ subject, copied, data }) {
  const numbers = Array.from({ length: subject.answered }, (_, n) => n);
  const expected = {
    readings: subject.answered * BATCH,
    alerts: numbers.filter(hasExcursion).length,
    entries: subject.answered,
    copied: copied * BATCH,
  };
  const { rows } = await data.owner.query(
    `select (select count(*)::int from readings) as readings,
      (select count(*)::int from environment_alerts where closed_at is not null) as alerts,
      (select count(*)::int from events) as events,
      (select count(*)::int from audit_entries where action = 'readings.record') as entries,
      (select count(*)::int from public.bench_readings) as copied`,
  );
  const [found] = rows;
  return Object.entries({ ...expected, events: expected.alerts })
    .filter(([name, count]) => found[name] !== count)
    .map(([name, count]) => `${found[name]} ${name} instead of ${count}`);
}

const SPANS = [
  ['11c', 'a day', 1],
  ['11d', 'a month', 30],
  ['11e', 'a year', 365],
];

async function measureHistory({ subject, pace }) {
  const rows = [];
  for (const [number, name, days] of SPANS) {
    const from = new Date(Date.now() - days * DAY_MS).toISOString();
    const path = `http://127.0.0.1:${subject.port}/v2/environment/points/${HISTORY_POINT}/history?from=${from}`;
    const times = [];
    let errors = 0;
    let counted = 0;
    for (let i = 0; i < (pace.quick ? 10 : 60); i++) {
      const startedAt = performance.now();
      const response = await fetch(path, { headers: { authorization: `Bearer ${subject.key}` } });
      const { data } = await response.json();
      times.push(performance.now() - startedAt);
      counted = sum((data?.buckets ?? []).map((bucket) => bucket.count));
      if (response.status !== 200 || Math.abs(counted / ((HISTORY_READINGS * days) / 365) - 1) > 0.01)
        errors++;
    }
    times.sort((a, b) => a - b);
    const at = (share) => times[Math.floor((times.length - 1) * share)].toFixed(1);
    rows.push({
      number,
      what: `history of ${name} in 300 buckets, a point with ${HISTORY_READINGS} readings in a year`,
      target: 'shown only',
      reached: `p50 ${at(0.5)}, p95 ${at(0.95)} ms`,
      met: true,
      errors,
      detail: `${counted} readings taken together; ${times.length} requests one after the other, ${errors} wrong`,
    });
  }
  return rows;
}
