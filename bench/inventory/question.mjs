/*
 * Targets 1 to 4: the inventory query with all features, compared with BASE and with ten times the rows.
 */
import { fileURLToPath } from 'node:url';
import { compare, describe, startLoader, withQuartiles } from '../measure/compare.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { fillDatabase, openServer } from './tables.mjs';

const module = (name) => fileURLToPath(new URL(name, import.meta.url));

export async function inventory({ pace, say }) {
  const server = await openServer();
  const parts = [];
  const start = async (name, form, data) => {
    const part = await startPart(module(name), data);
    parts.push(part);
    const { products, organizations } = data;
    return { pid: part.pid, port: part.port, form, products, organizations };
  };
  try {
    say(`filling ${pace.products} and ${pace.products * 10} products`);
    const one = await fillDatabase(server, 'bench_one', pace.products);
    const ten = await fillDatabase(server, 'bench_ten', pace.products * 10);
    const loader = await startLoader(new URL('records.mjs', import.meta.url).href);
    parts.push(loader);
    const base = await start('base.mjs', 'base', one);
    const api = await start('api.mjs', 'api', one);
    const measure = async (what, subject, baseline, connections) => {
      say(what);
      const found = await compare(loader, {
        subject,
        baseline,
        connections,
        postmaster: server.postmaster,
        pace,
      });
      say(describe(found));
      return found;
    };
    const many = await measure('64 connections, against BASE', api, base, 64);
    const eight = await measure('8 connections, against BASE', api, base, 8);
    const single = await measure('1 connection, against BASE', api, base, 1);
    // Both fresh: a process that has run for a minute is better optimized by the JIT.
    const freshOne = await start('api.mjs', 'api', one);
    const freshTen = await start('api.mjs', 'api', ten);
    const tenfold = await measure('64 connections, ten times the rows against one', freshTen, freshOne, 64);
    return rowsOf({ many, eight, single, tenfold });
  } finally {
    for (const part of parts) await endPart(part);
    await server.close();
  }
}

function rowsOf({ many, eight, single, tenfold }) {
  const row = (number, what, target, found, figure, met) => ({
    number,
    what,
    target,
    reached: withQuartiles(figure),
    met: met(figure.median) && found.errors === 0,
    errors: found.errors,
    detail: describe(found),
  });
  const atLeast = (floor) => (value) => value >= floor;
  return [
    row(
      '1',
      'inventory query, 64 connections, rps / BASE',
      '≥ 1.5, stretch 1.8',
      many,
      many.rps,
      atLeast(1.5),
    ),
    row(
      '2',
      'the same, CPU (node + PG) per request / BASE',
      '≤ 0.55',
      many,
      many.cpu,
      (value) => value <= 0.55,
    ),
    row('3a', 'the same, 1 connection, rps / BASE', '≥ 0.95', single, single.rps, atLeast(0.95)),
    row('3b', 'the same, 8 connections, rps / BASE', '≥ 0.95', eight, eight.rps, atLeast(0.95)),
    row('4', 'the same, ten times the rows / one', '≥ 0.95', tenfold, tenfold.rps, atLeast(0.95)),
  ];
}
