/*
 * Targets 7 to 10: throughput of durable deliveries, their latency, and the effect of hanging partners on others.
 */
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openServer } from '../inventory/tables.mjs';
import { withQuartiles } from '../measure/compare.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { baselineSide, compareDrains, describeDrains, workerSide } from './drain.mjs';
import { compareHanging, measureLatency } from './latency.mjs';
import { ENDPOINTS_PER_ORGANIZATION, MOST_ENDPOINTS, oneAddress, ownAddress } from './records.mjs';
import { moveEndpoints, openWebhooks } from './tables.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const EVENTS_PER_SECOND = 200;

const drains = [
  { number: '7a', against: 'raw', endpoints: 100, floor: 0.55, target: '≥ 0.55' },
  { number: '7b', against: 'raw', endpoints: 1_000, floor: 0.5, target: '≥ 0.5' },
  { number: '7c', against: 'raw', endpoints: 25, floor: 0, target: 'shown only' },
  { number: '8', against: 'boss', endpoints: 100, floor: 1.2, target: '≥ 1.2' },
];
/** Shown only, so a few rounds are enough. */
const spreadDrain = {
  number: '7d',
  against: 'rawSpread',
  endpoints: 1_000,
  floor: 0,
  target: 'shown only',
  roundsMax: 3,
};
const names = {
  raw: 'a raw POST loop',
  rawSpread: 'a raw POST loop, each endpoint at an address of its own',
  boss: 'pg-boss',
};
const latencies = [
  {
    number: '9a',
    what: 'idle, an event every 100 ms',
    perSecond: 10,
    fanOut: false,
    share: 'p50',
    mostMs: 2.5,
  },
  {
    number: '9b',
    what: `${EVENTS_PER_SECOND} events/s, 1 push each`,
    perSecond: EVENTS_PER_SECOND,
    fanOut: false,
    share: 'p95',
    mostMs: 6,
  },
  {
    number: '9c',
    what: `${EVENTS_PER_SECOND} events/s, ${ENDPOINTS_PER_ORGANIZATION} pushes each`,
    perSecond: EVENTS_PER_SECOND,
    fanOut: true,
    share: 'p95',
    mostMs: 50,
  },
];

export async function webhooks({ pace, say }) {
  const server = await openServer();
  const parts = [];
  const start = async (name, settings) => {
    const part = await startPart(module(name), settings);
    parts.push(part);
    return part;
  };
  let data;
  try {
    const receiver = await start('receiver.mjs', {});
    say(`making ${MOST_ENDPOINTS} webhooks`);
    data = await openWebhooks(server, MOST_ENDPOINTS / ENDPOINTS_PER_ORGANIZATION, receiver.port);
    const { url, secretKey } = data;
    const { port } = receiver;
    const raw = await start('raw.mjs', { port, spread: false });
    const rawSpread = await start('raw.mjs', { port, spread: true });
    const boss = await start('boss.mjs', { url: await databaseOfBoss(server), port });
    const worker = await start('worker.mjs', { url, secretKey });
    const writer = await start('writer.mjs', { url, secretKey });
    const bench = { receiver, worker, writer, data, postmaster: server.postmaster, pace, say };
    const baselines = {
      raw: baselineSide('raw', raw),
      rawSpread: baselineSide('raw', rawSpread),
      boss: baselineSide('pg-boss', boss),
    };
    const drain = (one) => askDrain(bench, one, baselines[one.against]);
    // Latencies first, before autovacuum cleans up after a backlog.
    const rows = [];
    for (const one of latencies) rows.push(await askLatency(bench, one));
    rows.push(...(await askHanging(bench)));
    rows.push(await drain(spreadDrain));
    await moveEndpoints(data, ownAddress, oneAddress);
    for (const one of drains) rows.push(await drain(one));
    return rows.sort((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true }));
  } finally {
    for (const part of parts) await endPart(part);
    await data?.owner.end();
    await server.close();
  }
}

/** On the same server, so that both have the same disk and settings. */
async function databaseOfBoss({ url }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create database bench_boss');
  await client.end();
  const own = new URL(url);
  own.pathname = '/bench_boss';
  return own.toString();
}

async function askDrain(
  bench,
  { number, against, endpoints, floor, target, roundsMax = Number.POSITIVE_INFINITY },
  baseline,
) {
  const what = `durable deliveries/s, ${endpoints} endpoints / ${names[against]}`;
  bench.say(what);
  const times = Math.min(bench.pace.rounds, roundsMax);
  const found = await compareDrains(bench, { subject: workerSide(bench), baseline, endpoints, times });
  const detail = describeDrains(found);
  bench.say(`${withQuartiles(found.rate)}: ${detail}`);
  return {
    number,
    what,
    target,
    reached: withQuartiles(found.rate),
    met: found.rate.median >= floor && found.errors === 0,
    errors: found.errors,
    detail,
  };
}

async function askLatency(bench, { number, what, mostMs, share, ...load }) {
  bench.say(`commit to first byte, ${what}`);
  const { figure, worst, pushes, errors } = await measureLatency(bench, { ...load, share });
  const detail = `p99 ${withQuartiles(worst)} ms; ${pushes} pushes, ${errors} undelivered`;
  bench.say(`${share} ${withQuartiles(figure)} ms, ${detail}`);
  return {
    number,
    what: `commit to first byte at the partner, ${what}, ${share}`,
    target: `≤ ${mostMs} ms`,
    reached: `${withQuartiles(figure)} ms`,
    met: figure.median <= mostMs && errors === 0,
    errors,
    detail,
  };
}

async function askHanging(bench) {
  const endpoints = bench.pace.latencyOrganizations * ENDPOINTS_PER_ORGANIZATION;
  const what = `healthy endpoints' p99, 20% of ${endpoints} hanging / none`;
  bench.say(what);
  const { p99, hung, calm, pushes, undelivered } = await compareHanging(bench, {
    perSecond: EVENTS_PER_SECOND,
  });
  const side = (of) => `p50 ${withQuartiles(of.p50)}, p99 ${withQuartiles(of.p99)} ms`;
  const detail = `${EVENTS_PER_SECOND} events/s; hanging ${side(hung)}; none ${side(calm)}; ${pushes} pushes`;
  bench.say(`${withQuartiles(p99)}: ${detail}, ${undelivered} undelivered`);
  return [
    {
      number: '10a',
      what,
      target: '≤ 1.5',
      reached: withQuartiles(p99),
      met: p99.median <= 1.5,
      errors: 0,
      detail,
    },
    {
      number: '10b',
      what: 'the same, undelivered on healthy ones',
      target: '0',
      reached: String(undelivered),
      met: undelivered === 0,
      errors: undelivered,
      detail: `of ${pushes}`,
    },
  ];
}
