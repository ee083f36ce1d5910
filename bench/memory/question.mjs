/*
 * Target 14, second half: does an API process grow? A warm-up, then a million requests; both times the process
 * is left alone for a moment, collects its garbage, and is looked at from outside.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fillDatabase, openServer } from '../inventory/tables.mjs';
import { startLoader } from '../measure/compare.mjs';
import { ask, endPart, residentMegabytes, startPart } from '../measure/processes.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));
const CONNECTIONS = 64;
const SETTLE_MS = 2_000;
/** Share of the warm process's size by which two readings of the same process differ. */
const GROWTH_MAX = 0.1;

export async function memory({ pace, say }) {
  const server = await openServer();
  const parts = [];
  try {
    const data = await fillDatabase(server, 'bench_memory', pace.products);
    const loader = await startLoader(new URL('../inventory/records.mjs', import.meta.url).href);
    parts.push(loader);
    const api = await startPart(module('../inventory/api.mjs'), data, ['--expose-gc']);
    parts.push(api);
    const { products, organizations } = data;
    const target = { pid: api.pid, port: api.port, form: 'api', products, organizations };
    const run = (requests) =>
      ask(
        loader.child,
        { kind: 'run', target, connections: CONNECTIONS, requests, postmaster: server.postmaster },
        300_000,
      );
    const look = async () => {
      await sleep(SETTLE_MS);
      const { heapMegabytes } = await ask(api.child, { kind: 'collect' }, 30_000);
      await sleep(SETTLE_MS);
      return { resident: residentMegabytes(api.pid), heap: heapMegabytes };
    };
    say(`${pace.memoryWarmUp} requests to warm up`);
    const warm = await run(pace.memoryWarmUp);
    const before = await look();
    say(`${describe(before)}; ${pace.memoryRequests} requests more`);
    const main = await run(pace.memoryRequests);
    const after = await look();
    say(describe(after));
    return [rowOf(before, after, main.requests, warm.errors + main.errors)];
  } finally {
    for (const part of parts) await endPart(part);
    await server.close();
  }
}

function rowOf(before, after, requests, errors) {
  const growth = after.resident / before.resident - 1;
  return {
    number: '14b',
    what: `memory of an API process after ${requests.toLocaleString('en')} requests`,
    target: `no growth (RSS within ${GROWTH_MAX * 100}%)`,
    reached: `${growth < 0 ? '' : '+'}${(growth * 100).toFixed(1)}%`,
    met: growth <= GROWTH_MAX && errors === 0,
    errors,
    detail: `warm ${describe(before)}; after ${describe(after)}`,
  };
}

const describe = ({ resident, heap }) =>
  `${resident.toFixed(0)} MB resident, ${heap.toFixed(1)} MB of heap in use`;
