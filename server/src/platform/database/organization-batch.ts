import { batched } from './batcher.js';
import { gathered } from './gatherer.js';
import { joinEach } from './join-each.js';
import type { Pool } from './pool.js';
import { type Statement, statement } from './statement.js';

interface OfOrganization {
  readonly orgId: string;
}

/**
 * A statement for items of several organizations. A database that is spread over nodes takes one organization per statement,
 * named by a parameter; there the second form is used.
 */
export interface BatchStatement {
  readonly ofSeveral: Statement;
  /** Has the organization as one more parameter, the last. */
  readonly ofOne: Statement;
}

/** The differences between the two forms of a batch. */
interface BatchForm {
  /** The organization of an item: the given column of the batch, or the parameter. */
  org(column: string): string;
  /** The parameter with the organization; undefined if there are several. */
  given: string | undefined;
  isDistributed: boolean;
  /** Joins one row of a table by its key. */
  joinRow: typeof joinEach;
}

/** `parameters` is their number without the organization's. */
export function batchStatement(
  parameters: number,
  text: (form: BatchForm) => string,
  make: (text: string) => Statement = statement,
): BatchStatement {
  const given = `$${parameters + 1}`;
  return {
    ofSeveral: make(
      text({ org: (column) => column, given: undefined, isDistributed: false, joinRow: joinEach }),
    ),
    ofOne: make(text({ org: () => given, given, isDistributed: true, joinRow: joinPlainly })),
  };
}

/** A distributed database refuses the form that guides the planner of a plain one. */
const joinPlainly: typeof joinEach = (table, alias, condition) => `join ${table} ${alias} on ${condition}`;

function byOrganization<T extends OfOrganization>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const own = groups.get(item.orgId);
    if (own) own.push(item);
    else groups.set(item.orgId, [item]);
  }
  return groups;
}

/** Runs the statement for all items. Rows of one organization stay together; otherwise they come in any order. */
export async function queryBatch<R, T extends OfOrganization>(
  pool: Pool,
  { ofSeveral, ofOne }: BatchStatement,
  items: readonly T[],
  values: (items: readonly T[]) => readonly unknown[],
): Promise<R[]> {
  if (!pool.isDistributed) return pool.query(ofSeveral, values(items)) as Promise<unknown[]> as Promise<R[]>;
  const rows: R[] = [];
  for (const [orgId, own] of byOrganization(items))
    rows.push(...((await pool.query(ofOne, [...values(own), orgId])) as R[]));
  return rows;
}

/**
 * Planning costs a cluster a millisecond, whether for one key or a hundred, so statements are fewer and larger, after a
 * short wait.
 */
const OWN_LIMITS = { keysMax: 100, waitMs: 2, inFlightMax: () => 1 };
/** Queues are kept because they track their usual number of callers; the number of organizations is unbounded. */
const QUEUES_MAX = 1_000;

/** Like `batched`; in a database that is spread over nodes, each organization has batches of its own. */
export function batchedByOrganization<K extends OfOrganization, V>(
  pool: Pool,
  run: (keys: readonly K[]) => Promise<readonly V[]>,
  limits: Parameters<typeof batched>[1],
): (key: K) => Promise<V> {
  const shared = batched(run, limits);
  const queues = new Map<string, (key: K) => Promise<V>>();
  const queueOf = (orgId: string) => {
    const queue = queues.get(orgId) ?? gathered(run, OWN_LIMITS);
    // The most recently used queue moves to the end. A removed queue still answers its callers.
    queues.delete(orgId);
    queues.set(orgId, queue);
    const [oldest] = queues.keys();
    if (oldest !== undefined && queues.size > QUEUES_MAX) queues.delete(oldest);
    return queue;
  };
  return (key) => (pool.isDistributed ? queueOf(key.orgId)(key) : shared(key));
}
