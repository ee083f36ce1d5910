import pg from 'pg';
import type { Statement, Tx } from '../../src/platform/database/index.js';
import type { TestDatabase } from './database.js';

interface PlanNode {
  'Node Type': string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** The cost of some work in the database, independent of the load of the system. */
export interface Cost {
  /** Rows that any step of any plan looked at. */
  rows: number;
  /** Pages read, from memory or disk: entries that an index scan skips show only here. */
  pages: number;
}

/** How the planner decides: by the values given, or once for all values, as for a statement that is often repeated. */
export type Planning = 'force_custom_plan' | 'force_generic_plan';

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const rowsOf = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 1);

function literal(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    const items = value.map((item) => (item === null ? 'null' : JSON.stringify(textOf(item))));
    return client.escapeLiteral(`{${items.join(',')}}`);
  }
  return client.escapeLiteral(textOf(value));
}

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/**
 * Runs work of one organization as a role, explaining each statement before it is run; all is undone. The statements
 * are the very ones the service sends.
 */
export async function costOf(
  client: pg.Client,
  role: string,
  options: { orgId: string; now: Date; planning: Planning },
  work: (tx: Tx) => Promise<unknown>,
): Promise<Cost> {
  const cost: Cost = { rows: 0, pages: 0 };
  const explain = async (statement: Statement, values: readonly unknown[]) => {
    if (statement.text.startsWith('set ')) return (await client.query(statement.text)).rows;
    await client.query('savepoint explained');
    await client.query(`prepare explained as ${statement.text}`);
    const list = values.map((value) => literal(client, value)).join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, buffers, timing off, format json) execute explained${list === '' ? '' : `(${list})`}`,
    );
    await client.query('deallocate explained');
    await client.query('rollback to savepoint explained');
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('no plan');
    cost.rows += nodesOf(plan).reduce((sum, node) => sum + rowsOf(node), 0);
    cost.pages += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    return (await client.query({ ...statement, name: undefined, values: [...values] })).rows;
  };
  // Each takes several steps here, and work may send one before another is answered.
  let last: Promise<unknown> = Promise.resolve();
  const query = (statement: Statement, values: readonly unknown[]) => {
    const next = last.then(() => explain(statement, values));
    last = next;
    return next;
  };
  const send = (statement: Statement, values: readonly unknown[]) => {
    query(statement, values).catch(() => {});
  };
  await client.query('begin');
  try {
    await client.query(`set local role ${client.escapeIdentifier(role)}`);
    await client.query(`set local plan_cache_mode = ${options.planning}`);
    await client.query('select set_org($1)', [options.orgId]);
    await work({ orgId: options.orgId, now: options.now, query, send } as unknown as Tx);
    await last;
  } finally {
    await client.query('rollback');
  }
  return cost;
}

export interface Explainer {
  costOf(options: Parameters<typeof costOf>[2], work: (tx: Tx) => Promise<unknown>): Promise<Cost>;
  close(): Promise<void>;
}

/** Explains what a role of the service does in this database. */
export async function openExplainer(db: TestDatabase, kind: 'app' | 'reader' = 'app'): Promise<Explainer> {
  const [role] = await db.sql<{ name: string }>('select name from service_roles where kind = $1', [kind]);
  const owner = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
  await owner.connect();
  return {
    costOf: (options, work) => costOf(owner, role?.name ?? '', options, work),
    close: () => owner.end(),
  };
}
