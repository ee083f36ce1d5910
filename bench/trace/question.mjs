/*
 * Target 12: does a trace by batch or serial number stay as fast with a ledger ten times as large?
 */
import { fileURLToPath } from 'node:url';
import { openServer } from '../inventory/tables.mjs';
import { compare, describe, startLoader, withQuartiles } from '../measure/compare.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { readerRow } from './reader.mjs';
import { fillLedger } from './tables.mjs';

const CONNECTIONS = 16;
const FLOOR = 0.9;

export async function trace({ pace, say }) {
  const server = await openServer();
  const parts = [];
  const start = async (data) => {
    const part = await startPart(fileURLToPath(new URL('../inventory/api.mjs', import.meta.url)), data);
    parts.push(part);
    return { pid: part.pid, port: part.port, codes: data.codes, organizations: data.organizations };
  };
  try {
    say(`filling ledgers of ${pace.traceRows} and ${pace.traceRows * 10} movements`);
    const one = await fillLedger(server, 'bench_trace_one', pace.traceRows);
    const ten = await fillLedger(server, 'bench_trace_ten', pace.traceRows * 10);
    const loader = await startLoader(new URL('records.mjs', import.meta.url).href);
    parts.push(loader);
    const baseline = await start(one);
    const subject = await start(ten);
    say(`${CONNECTIONS} connections, ten times the rows against one`);
    const { postmaster } = server;
    const found = await compare(loader, { subject, baseline, connections: CONNECTIONS, postmaster, pace });
    say(describe(found));
    const row = {
      number: '12',
      what: `UDI trace by batch and serial, ${pace.traceRows * 10} ledger rows / ${pace.traceRows}, rps`,
      target: `≥ ${FLOOR}`,
      reached: withQuartiles(found.rps),
      met: found.rps.median >= FLOOR && found.errors === 0,
      errors: found.errors,
      detail: describe(found),
    };
    return [row, readerRow()];
  } finally {
    for (const part of parts) await endPart(part);
    await server.close();
  }
}
