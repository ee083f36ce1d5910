import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { Unavailable } from '../errors/index.js';
import { FairQueue } from '../fair-queue/index.js';
import { clientFor, isCurrent, onAnyServer } from './connect.js';
import { translateDriverError } from './errors.js';
import { Servers } from './servers.js';
import type { RowStatement, Statement } from './statement.js';

export interface PoolLimits {
  connectionsMax: number;
  /** Connections that one organization may hold, so that others find some free however long it holds them. */
  connectionsPerOwnerMax: number;
  /** Callers that may wait for a connection. Others are refused immediately, to shed load. */
  waitersMax: number;
  waitersPerOwnerMax: number;
  waitMs: number;
  statementMs: number;
  /** For a server that no longer responds at all; otherwise its own statement timeout comes first. */
  silenceMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

export const defaultLimits: PoolLimits = {
  connectionsMax: 10,
  connectionsPerOwnerMax: 10,
  waitersMax: 500,
  waitersPerOwnerMax: 500,
  waitMs: 5_000,
  statementMs: 15_000,
  silenceMs: 20_000,
  lockMs: 2_000,
  idleInTransactionMs: 5_000,
};

/** How long a full disk is reported after it last refused a write. */
const FULL_FOR_MS = 30_000;

const DATE = 1082;
const INT8 = 20;

/** Dates stay text, because a JavaScript Date would shift with the system's time zone. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: unknown) {
    if (oid === DATE) return (text: string) => text;
    if (oid === INT8) return (text: string) => Number(text);
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/** A connection that must be given back, with the error after which it must not be reused. */
export interface Lent {
  client: pg.PoolClient;
  giveBack(lost?: Error): void;
}

/** A bounded pool of connections of one database role. */
export class Pool {
  /** Whether the rows of organizations are spread over nodes, so that a statement is for one organization. */
  readonly isDistributed: boolean;
  readonly #pool: pg.Pool;
  readonly #limits: PoolLimits;
  readonly #places: FairQueue;
  readonly #servers: Servers;
  #fullAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    target: string | Servers,
    applicationName: string,
    limits: Partial<PoolLimits> = {},
    { isDistributed = false }: { isDistributed?: boolean } = {},
  ) {
    this.isDistributed = isDistributed;
    this.#limits = { ...defaultLimits, ...limits };
    this.#servers = typeof target === 'string' ? Servers.parse(target) : target;
    const { connectionsMax, connectionsPerOwnerMax, waitersMax, waitersPerOwnerMax, waitMs } = this.#limits;
    this.#places = new FairQueue({
      atOnce: connectionsMax,
      atOncePerOwner: Math.min(connectionsPerOwnerMax, connectionsMax),
      waitingMax: waitersMax,
      waitingPerOwnerMax: waitersPerOwnerMax,
      waitMs,
      reason: 'overloaded',
    });
    this.#pool = new pg.Pool({
      Client: clientFor(this.#servers),
      application_name: applicationName,
      max: this.#limits.connectionsMax,
      connectionTimeoutMillis: this.#limits.waitMs,
      idleTimeoutMillis: 30_000,
      statement_timeout: this.#limits.statementMs,
      lock_timeout: this.#limits.lockMs,
      idle_in_transaction_session_timeout: this.#limits.idleInTransactionMs,
      query_timeout: this.#limits.silenceMs,
      keepAlive: true,
      pipeline: true,
      types,
    });
    // The pool reports that an idle connection broke, and opens a new one for the next statement.
    this.#pool.on('error', () => {});
  }

  /** Lends a connection, in turn by `owner`: the organization that it is for, or none. */
  async lend(owner = ''): Promise<Lent> {
    const leave = await this.#places.acquire(owner);
    try {
      const client = await onAnyServer(this.#servers, () => this.#connectCurrent());
      return {
        client,
        giveBack: (lost) => {
          client.release(lost);
          leave();
        },
      };
    } catch (error) {
      leave();
      throw translateDriverError(error);
    }
  }

  /** Connections to a server that is no longer the current one are dropped, because they may read old data. */
  async #connectCurrent(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      if (isCurrent(client)) return client;
      client.release(true);
    }
  }

  /** Runs one statement outside a transaction, for roles that only read or look for work. */
  query<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    return this.#run(statement, values);
  }

  queryRows<R extends readonly unknown[]>(statement: RowStatement, values: readonly unknown[]): Promise<R[]> {
    return this.#run(statement, values);
  }

  #run<R>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    return this.use(async (client) => {
      // The driver copies a query's own properties at every call, which is slow; inherited ones are not copied.
      const { rows } = await client.query(Object.create(statement) as pg.QueryConfig, values as unknown[]);
      return rows as R[];
    }, ownerOf(values));
  }

  /** Lends a connection for the time of `work`. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>, owner?: string): Promise<T> {
    const { client, giveBack } = await this.lend(owner);
    let lost: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      lost = connectionLost(error);
      throw translateDriverError(error);
    } finally {
      giveBack(lost);
    }
  }

  /** A full disk is noticed only through the writes that it refuses. */
  noteFailure(failure: unknown): void {
    if (failure instanceof Unavailable && failure.reason === 'storage_full')
      this.#fullAtMs = performance.now();
  }

  /** Whether the disk of the database was full a moment ago. */
  get isStorageFull(): boolean {
    return performance.now() - this.#fullAtMs < FULL_FOR_MS;
  }

  get figures(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle } = this.#pool;
    return { total, idle, waiting: this.#places.figures.waiting };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/**
 * A statement for one organization has it as its first parameter. Statements for several organizations, or none, take turns
 * as one more owner.
 */
const ownerOf = ([first]: readonly unknown[]): string | undefined =>
  typeof first === 'string' && first.startsWith('org_') ? first : undefined;

/** Errors after which the server has closed the connection or no longer accepts writes (25006). */
const UNUSABLE_AFTER = /^(08|57P|25P03|25P04|25006)/;

/** Returns an error if the connection must not be used again: it failed other than by an orderly error of the server. */
export function connectionLost(error: unknown): Error | undefined {
  if (error instanceof pg.DatabaseError && !UNUSABLE_AFTER.test(error.code ?? '')) return undefined;
  return error instanceof Error ? error : new Error(String(error));
}
