import type pg from 'pg';
import { dayIn } from '../calendar/index.js';
import type { Clock } from '../clock/index.js';
import type { Principal } from '../principal.js';
import type { Announcer } from './announcer.js';
import type { DatabaseTime } from './database-time.js';
import { isSerializationFailure, translateDriverError } from './errors.js';
import { connectionLost, type Pool } from './pool.js';
import { type Statement, statement } from './statement.js';

/** The three roles the service works as. None of them owns anything or can look past row-level security. */
export interface Database {
  /** Requests: tenant policies apply. */
  readonly app: Pool;
  /** Hot reads of named tables, the organizations in the statement. */
  readonly reader: Pool;
  /** Background work: finds what is due in all organizations, changes one at a time. */
  readonly worker: Pool;
  /** LISTEN and NOTIFY between the processes that share the database. */
  readonly announcer: Announcer;
  /** The time of dates, due times and expiry: the database's clock, unless a test injects another. */
  readonly clock: Clock;
  /** The database's clock itself, for leases; and whether it can be relied on. */
  readonly time: Pick<DatabaseTime, 'now' | 'state' | 'onChange'>;
  close(): Promise<void>;
}

declare const inTransaction: unique symbol;

/** A running transaction of one organization. Only `transact` makes one, so holding it proves there is one. */
export interface Tx {
  readonly [inTransaction]: true;
  readonly orgId: string;
  readonly actor: string;
  readonly credentialId: string;
  readonly requestId: string | null;
  /** The one instant of everything written in it. */
  readonly now: Date;
  /** The calendar day of that instant where the organization is. */
  readonly today: string;
  query<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]>;
  /** The same transaction on behalf of another caller of the same organization. */
  as(actor: Pick<Tx, 'actor' | 'credentialId' | 'requestId'>): Tx;
  /** Announces the topic to all processes once the transaction is committed. */
  announce(topic: string): void;
  /** Undoes what `work` wrote when it throws, and lets the transaction go on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

type TransactPrincipal = Pick<Principal, 'orgId' | 'actor' | 'credentialId' | 'timeZone'>;

export interface TransactOptions {
  as?: 'app' | 'worker';
  /** The day it is taken to be, where an operator says so. */
  today?: string | undefined;
  requestId?: string | null;
}

const setOrganization = statement('select set_org($1)');
const ATTEMPTS_MAX = 3;

/** The only way to a transaction. `work` may run again after a deadlock: it has no effects but on `tx`. */
export async function transact<T>(
  database: Database,
  principal: TransactPrincipal,
  work: (tx: Tx) => Promise<T>,
  options: TransactOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(database, principal, work, options);
    } catch (error) {
      if (attempt < ATTEMPTS_MAX && isSerializationFailure(error)) continue;
      throw translateDriverError(error);
    }
  }
}

async function transactOnce<T>(
  database: Database,
  principal: TransactPrincipal,
  work: (tx: Tx) => Promise<T>,
  options: TransactOptions,
): Promise<T> {
  const client = await database[options.as ?? 'app'].connect();
  const session: Session = {
    lost: undefined,
    async run(query) {
      try {
        return await client.query(query as pg.QueryConfig);
      } catch (error) {
        session.lost ??= connectionLost(error);
        throw error;
      }
    },
  };
  try {
    await session.run('begin');
    await session.run({ ...setOrganization, values: [principal.orgId] });
    const topics = new Set<string>();
    const now = database.clock.now();
    const today = options.today ?? dayIn(principal.timeZone, now);
    const result = await work(txOn(session, principal, { now, today }, options.requestId ?? null, topics));
    const { command } = await session.run('commit');
    // To commit a transaction in which a statement failed is no error to PostgreSQL: it rolls back and says so.
    if (command !== 'COMMIT')
      throw new Error('a statement failed in this transaction and its error was swallowed');
    for (const topic of topics) database.announcer.announce(topic, principal.orgId);
    return result;
  } catch (error) {
    await undo(session, 'rollback');
    throw error;
  } finally {
    client.release(session.lost);
  }
}

/** One connection for the time of a transaction. Once lost, it is asked nothing more: that could take for ever. */
interface Session {
  lost: Error | undefined;
  run(query: string | pg.QueryConfig): Promise<pg.QueryResult>;
}

/** Never hides why it became necessary; a connection on which it fails is not given back to the pool. */
async function undo(session: Session, rollback: string): Promise<void> {
  if (session.lost) return;
  await session.run(rollback).catch((failure: Error) => {
    session.lost ??= failure;
  });
}

function txOn(
  session: Session,
  principal: TransactPrincipal,
  { now, today }: { now: Date; today: string },
  requestId: string | null,
  topics: Set<string>,
): Tx {
  let savepoints = 0;
  const tx: Omit<Tx, typeof inTransaction> = {
    orgId: principal.orgId,
    actor: principal.actor,
    credentialId: principal.credentialId,
    requestId,
    now,
    today,
    as: (other) => ({ ...tx, ...other }) as Tx,
    announce: (topic) => {
      topics.add(topic);
    },
    async query<R extends object>(sql: Statement, values: readonly unknown[]) {
      const result = await session.run({ ...sql, values: values as unknown[] });
      return result.rows as R[];
    },
    async savepoint(work) {
      const name = `s${++savepoints}`;
      await session.run(`savepoint ${name}`);
      try {
        const result = await work();
        await session.run(`release savepoint ${name}`);
        return result;
      } catch (error) {
        await undo(session, `rollback to savepoint ${name}`);
        // Going back to a savepoint leaves it standing: all later ones would lie inside it.
        await undo(session, `release savepoint ${name}`);
        throw error;
      }
    },
  };
  return tx as Tx;
}
