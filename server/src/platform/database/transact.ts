import type pg from 'pg';
import { dayIn } from '../calendar/index.js';
import type { Clock } from '../clock/index.js';
import type { Principal } from '../principal.js';
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
  readonly clock: Clock;
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
  /** Undoes what `work` wrote when it throws, and lets the transaction go on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

type TransactPrincipal = Pick<Principal, 'orgId' | 'actor' | 'credentialId' | 'timeZone'>;

export interface TransactOptions {
  as?: 'app' | 'worker';
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
  let broken: Error | undefined;
  // A connection that dies between two statements says so as an event; the next statement reports it.
  const ignore = () => {};
  client.on('error', ignore);
  try {
    await client.query('begin');
    await client.query({ ...setOrganization, values: [principal.orgId] });
    const result = await work(txOn(client, principal, database.clock.now(), options.requestId ?? null));
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection on which not even the rollback works is not given back to the pool.
    await client.query('rollback').catch((failure) => {
      broken = connectionLost(failure) ?? failure;
    });
    throw error;
  } finally {
    client.removeListener('error', ignore);
    client.release(broken);
  }
}

function txOn(client: pg.PoolClient, principal: TransactPrincipal, now: Date, requestId: string | null): Tx {
  let savepoints = 0;
  const tx: Omit<Tx, typeof inTransaction> = {
    orgId: principal.orgId,
    actor: principal.actor,
    credentialId: principal.credentialId,
    requestId,
    now,
    today: dayIn(principal.timeZone, now),
    as: (other) => ({ ...tx, ...other }) as Tx,
    async query<R extends object>(sql: Statement, values: readonly unknown[]) {
      const result = await client.query({ ...sql, values: values as unknown[] });
      return result.rows as R[];
    },
    async savepoint(work) {
      const name = `s${++savepoints}`;
      await client.query(`savepoint ${name}`);
      try {
        const result = await work();
        await client.query(`release savepoint ${name}`);
        return result;
      } catch (error) {
        await client.query(`rollback to savepoint ${name}`);
        throw error;
      }
    },
  };
  return tx as Tx;
}
