/*
 * Targets 15 and 16: how fast events are caught up with that nobody has numbered yet, and what a single event costs from its commit to its
 * recorded push.
 */
import { fileURLToPath } from 'node:url';
import { openServer } from '../inventory/tables.mjs';
import { withQuartiles } from '../measure/compare.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { ENDPOINTS_PER_ORGANIZATION, oneAddress, ownAddress } from '../webhooks/records.mjs';
import { moveEndpoints, openWebhooks } from '../webhooks/tables.mjs';
import { compareSingle } from './single.mjs';
import { compareWaiting } from './waiting.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const ORGANIZATIONS = 20;
const FIRST_PUSH_MOST_S = 2;
const RATE_FLOOR = 0.45;
const CPU_MOST = 3;

export async function events({ pace, say }) {
  const server = await openServer();
  const parts = new Set();
  const start = async (name, settings) => {
    const part = await startPart(module(name), settings);
    parts.add(part);
    return part;
  };
  const end = async (part) => {
    parts.delete(part);
    await endPart(part);
  };
  let data;
  try {
    const receiver = await start('../webhooks/receiver.mjs', {});
    say(`making ${ORGANIZATIONS * ENDPOINTS_PER_ORGANIZATION} webhooks`);
    data = await openWebhooks(server, ORGANIZATIONS, receiver.port);
    await moveEndpoints(data, ownAddress, oneAddress);
    const bench = { start, end, receiver, data, postmaster: server.postmaster, pace, say };
    const single = await compareSingle(bench);
    say(`one event, one endpoint: ${withQuartiles(single.cpu)}: ${single.detail}`);
    const waiting = await compareWaiting(bench);
    say(`${pace.waitingEvents} waiting events: ${withQuartiles(waiting.rate)}: ${waiting.detail}`);
    return rowsOf(pace, waiting, single);
  } finally {
    for (const part of parts) await endPart(part);
    await data?.owner.end();
    await server.close();
  }
}

const rowsOf = (pace, waiting, single) => [
  {
    number: '15a',
    what: `${pace.waitingEvents} unnumbered events wait: start of a worker to its first push`,
    target: `≤ ${FIRST_PUSH_MOST_S} s`,
    reached: `${withQuartiles(waiting.first)} s`,
    met: waiting.first.median <= FIRST_PUSH_MOST_S && waiting.errors === 0,
    errors: waiting.errors,
    detail: waiting.detail,
  },
  {
    number: '15b',
    what: 'the same, start of the worker until all are pushed and recorded, pushes/s / a raw POST loop',
    target: `≥ ${RATE_FLOOR}`,
    reached: withQuartiles(waiting.rate),
    met: waiting.rate.median >= RATE_FLOOR && waiting.errors === 0,
    errors: 0,
    detail: waiting.detail,
  },
  {
    number: '16',
    what: 'one event, one endpoint: CPU of all processes a push / an insert and a raw POST',
    target: `≤ ${CPU_MOST}`,
    reached: withQuartiles(single.cpu),
    met: single.cpu.median <= CPU_MOST && single.errors === 0,
    errors: single.errors,
    detail: single.detail,
  },
];
