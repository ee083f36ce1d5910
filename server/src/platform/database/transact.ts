import type { Clock } from '../clock/index.js';
import { businessDay, type Calendar, type Principal, type SandboxClock } from '../principal.js';
import type { Announcer } from './announcer.js';
import type { DatabaseTime } from './database-time.js';
import { isSerializationFailure, translateDriverError } from './errors.js';
import { selectsOrganizationRow } from './organization-row.js';
import type { Pool } from './pool.js';
import type { Replica } from './replica.js';
import { Session } from './session.js';
import { type Statement, statement } from './statement.js';

/** The three roles of the service. None owns a table or can bypass row-level security. */
export interface Database {
  /** For requests; tenant policies apply. */
  readonly app: Pool;
  /** For hot reads of named tables; each statement names its organizations. */
  readonly reader: Pool;
  /** For background work: finds due work in all organizations, changes one at a time. */
  readonly worker: Pool;
  /** A connection reserved for readiness checks: a process whose other connections are all in use is busy, not broken. */
  readonly probe: Pool;
  /** A replica for reads that may lag; null without one. */
  readonly replica: Replica<Database> | null;
  /** LISTEN and NOTIFY between the processes that share the database. */
  readonly announcer: Announcer;
  /** The clock for dates, due times and expiry: the database's, unless a test injects another. */
  readonly clock: Clock;
  /** The database's clock itself, for leases, and whether it is reliable. */
  readonly time: Pick<DatabaseTime, 'now' | 'state' | 'onChange'>;
  close(): Promise<void>;
}

declare const inTransaction: unique symbol;

/** A running transaction of one organization. Only `transact` creates one, so having a Tx proves that it is open. */
export interface Tx {
  readonly [inTransaction]: true;
  readonly orgId: string;
  readonly actor: string;
  readonly credentialId: string;
  readonly requestId: string | null;
  /** The timestamp of everything written in the transaction. */
  readonly now: Date;
  /** The business day at `now`: the calendar day in the organization's time zone; in a sandbox, ahead by its clock. */
  readonly today: string;
  /**
   * Statements of one transaction run in the order of their calls. Calls made without awaiting the previous one share a
   * round trip.
   */
  query<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]>;
  /**
   * Sends a statement whose rows are not needed, without waiting for it: it goes out with the next statement or the commit.
   * If it fails, that one fails with its error. A caller that must know earlier uses `query`.
   */
  send(statement: Statement, values: readonly unknown[]): void;
  /** The same transaction on behalf of another caller of the same organization. */
  as(actor: Pick<Tx, 'actor' | 'credentialId' | 'requestId'>): Tx;
  /** The same transaction on another business day, for advancing the clock of a sandbox. */
  on(day: string): Tx;
  /** Announces the topic to all processes once the transaction is committed. */
  announce(topic: string): void;
  /** Rolls back the writes of `work` if it throws; the transaction can continue. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

type TransactPrincipal = Pick<Principal, 'orgId' | 'actor' | 'credentialId' | 'timeZone' | 'sandbox'>;

export interface TransactOptions {
  as?: 'app' | 'worker';
  /** Overrides the calendar day, for an operator's command. */
  today?: string | undefined;
  requestId?: string | null;
  /** How long to wait for a lock, if not as long as usual. */
  lockMs?: number;
}

const setOrganization = statement('select set_org($1)');
const ATTEMPTS_MAX = 3;

/**
 * The only way to open a transaction. `work` is retried after a deadlock, so it must have no side effects except on `tx`.
 */
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
      const failure = translateDriverError(error);
      database[options.as ?? 'app'].noteFailure(failure);
      throw failure;
    }
  }
}

/**
 * A transaction of statements that do not depend on each other's results: with begin and commit they take one round trip. It
 * is not retried after a deadlock.
 */
export async function transactTogether<A, B>(
  database: Database,
  principal: TransactPrincipal,
  work: (tx: Tx) => readonly [Promise<A>, Promise<B>],
  options: TransactOptions = {},
): Promise<[A, B]> {
  let answers: Promise<[A, B]> | undefined;
  const done = transact(
    database,
    principal,
    async (tx) => {
      answers = Promise.all(work(tx));
      // Awaited below, after the commit.
      answers.catch(() => {});
    },
    options,
  );
  // If a statement failed, its error says more than the refused commit.
  await done.catch(async (error) => {
    await answers;
    throw error;
  });
  if (!answers) throw new Error('the transaction did not run');
  return answers;
}

async function transactOnce<T>(
  database: Database,
  principal: TransactPrincipal,
  work: (tx: Tx) => Promise<T>,
  options: TransactOptions,
): Promise<T> {
  const { client, giveBack } = await database[options.as ?? 'app'].lend(principal.orgId);
  const session = new Session(client);
  try {
    // If this one fails, what follows runs outside a transaction and without an organization, and row-level security refuses
    // it.
    session.send('begin');
    session.send({ ...setOrganization, values: [principal.orgId] });
    // Not by set_config: a cluster passes only this form to its nodes, where the locks are.
    if (options.lockMs !== undefined) session.send(`set local lock_timeout = ${options.lockMs}`);
    const topics = new Set<string>();
    const now = database.clock.now();
    const today = options.today ?? businessDay(await calendarNow(session, principal), now);
    const result = await work(txOn(session, principal, { now, today }, options.requestId ?? null, topics));
    const { command } = await session.commit();
    // COMMIT of a transaction with a failed statement is not an error in PostgreSQL: it rolls back and reports that.
    if (command !== 'COMMIT')
      throw new Error('a statement failed in this transaction and its error was swallowed');
    for (const topic of topics) database.announcer.announce(topic, principal.orgId);
    return result;
  } catch (error) {
    await session.rollback();
    throw error;
  } finally {
    giveBack(session.lost);
  }
}

const daysAheadNow = statement('select days_ahead as "daysAhead" from organizations where org_id = $1');

/** A moved clock counts from the next transaction on, in every process: a cached principal may have an outdated clock. */
async function calendarNow(
  session: Session,
  { orgId, timeZone, sandbox }: TransactPrincipal,
): Promise<Calendar> {
  if (sandbox === null) return { timeZone, sandbox };
  const { rows } = await session.run({ ...daysAheadNow, values: [orgId] });
  return { timeZone, sandbox: (rows[0] as SandboxClock | undefined) ?? sandbox };
}

/**
 * The business day for a read outside a transaction. The clock of a sandbox is read each time, because a cached principal
 * may have an outdated one and a moved clock must count immediately in every process.
 */
export async function readBusinessDay(
  { reader, clock }: Pick<Database, 'reader' | 'clock'>,
  principal: Pick<Principal, 'orgId' | 'timeZone' | 'sandbox'>,
): Promise<string> {
  const { orgId, timeZone } = principal;
  const [sandbox = null] =
    principal.sandbox === null ? [] : await reader.query<SandboxClock>(daysAheadNow, [orgId]);
  return businessDay({ timeZone, sandbox }, clock.now());
}

const seenOrganization = statement('select 1 from organizations where org_id = $1');

/** An insert selects its organization from the organization's row. Without that row it would silently add nothing. */
async function requireOrganization(session: Session, [orgId]: readonly unknown[]): Promise<void> {
  const { rowCount } = await session.run({ ...seenOrganization, values: [orgId] });
  if (rowCount === 0) throw new Error(`the transaction does not see the organization ${orgId}`);
}

function txOn(
  session: Session,
  principal: TransactPrincipal,
  { now, today }: { now: Date; today: string },
  requestId: string | null,
  topics: Set<string>,
): Tx {
  let savepoints = 0;
  const derived = (changes: Partial<Tx>): Tx =>
    ({
      ...tx,
      ...changes,
      as: (other) => derived({ ...changes, ...other }),
      on: (day) => derived({ ...changes, today: day }),
    }) as Tx;
  const tx: Omit<Tx, typeof inTransaction> = {
    orgId: principal.orgId,
    actor: principal.actor,
    credentialId: principal.credentialId,
    requestId,
    now,
    today,
    as: (other) => derived(other),
    on: (day) => derived({ today: day }),
    announce: (topic) => {
      topics.add(topic);
    },
    async query<R extends object>(sql: Statement, values: readonly unknown[]) {
      const result = await session.run({ ...sql, values: values as unknown[] });
      if (result.rowCount === 0 && selectsOrganizationRow(sql.text))
        await requireOrganization(session, values);
      return result.rows as R[];
    },
    send(sql, values) {
      // Its result comes too late for the check that `query` makes. Only another organization's row is invisible.
      if (values[0] !== principal.orgId && selectsOrganizationRow(sql.text))
        throw new Error(`the transaction does not see the organization ${values[0]}`);
      session.send({ ...sql, values: values as unknown[] });
    },
    async savepoint(work) {
      const name = `s${++savepoints}`;
      session.send(`savepoint ${name}`);
      try {
        const result = await work();
        await session.settled();
        session.send(`release savepoint ${name}`);
        return result;
      } catch (error) {
        await session.undo(`rollback to savepoint ${name}`);
        // A rollback to a savepoint keeps the savepoint, and later ones would nest inside it.
        await session.undo(`release savepoint ${name}`);
        throw error;
      }
    },
  };
  return tx as Tx;
}
