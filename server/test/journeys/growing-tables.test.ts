import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { analyzeGrownTables } from '../../src/platform/database/index.js';
import { sized } from '../harness/index.js';
import { openFlow, type World } from './flow-world.js';

const CALLERS = 16;
const FIRST = sized(400, 600);
const FURTHER = sized(600, 1_000);
/** The tables that each order refers to or adds to. */
const GROWING = ['orders', 'order_lines', 'order_status_changes', 'audit_entries', 'search_marks'];

let world: World;
beforeAll(async () => {
  world = await openFlow({ alone: true });
  // Statistics of empty tables, as after a restore: plans made for them read the whole table.
  await world.db.sql('vacuum analyze');
});
let closed: Promise<unknown> | undefined;
const close = () => {
  closed ??= world.close();
  return closed;
};
afterAll(close);

/** One by one, as partners send them: a batch would find its own rows, and with them a plan for many. */
async function enterOrders(count: number): Promise<void> {
  let left = count;
  const enter = async () => {
    while (left-- > 0) await world.newOrder({}, {});
  };
  await Promise.all(Array.from({ length: CALLERS }, enter));
}

/** By a connection of its own, after the others are closed: the server counts what a connection did at its end. */
async function rowsReadInSequence(url: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; read: number }>(
      `select relname as name, seq_tup_read::float8 as read from pg_stat_all_tables where schemaname = 'lotward' and relname = any($1)`,
      [GROWING],
    );
    return Object.fromEntries(rows.map(({ name, read }) => [name, read]));
  } finally {
    await client.end();
  }
}

it('a table that grows is not read in sequence for each new row', async () => {
  await enterOrders(FIRST);
  expect(await analyzeGrownTables(world.db.database)).toEqual(
    expect.arrayContaining(['orders', 'order_lines']),
  );
  expect(await analyzeGrownTables(world.db.database)).toEqual([]);
  await enterOrders(FURTHER);
  await close();
  // Each of the first orders may have read those before it, for each of its lines and its status. None of the further ones did.
  const allowed = 3 * FIRST * FIRST;
  for (const [name, read] of Object.entries(await rowsReadInSequence(world.db.url)))
    expect(read, name).toBeLessThan(allowed);
});
