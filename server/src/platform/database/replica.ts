import { performance } from 'node:perf_hooks';
import { Unavailable } from '../errors/index.js';
import { Pool, type PoolLimits } from './pool.js';
import type { Servers } from './servers.js';
import { statement } from './statement.js';

/** Why a read that may lag went to the server that answered it. */
const READ_OUTCOMES = ['replica', 'no_cache', 'recent_write', 'lagging', 'away', 'failed'] as const;
export type ReadOutcome = (typeof READ_OUTCOMES)[number];

export interface ReplicaState {
  status: 'in use' | 'lagging' | 'away';
  /** The maximum age of its answers; infinite until it has caught up once. */
  lagMs: number;
  /** Why it is unavailable. */
  error: unknown;
}

export interface ReplicaOptions {
  /** A replica that is further behind is not used. */
  lagMaxMs: number;
  /** How often the lag is measured. */
  everyMs?: number;
  /** How long after a failure the replica is tried again. */
  retryMs?: number;
}

interface Reader {
  orgId: string;
  /** The caller asked for the latest state. */
  wantsLatest: boolean;
}

/** The pools of a database that a replica stands in for, and compares itself with. */
interface Pools {
  readonly app: Pool;
  readonly probe: Pool;
}

/** The end of the primary's log when it was queried. */
interface Sample {
  askedMs: number;
  position: number;
}

// Byte positions: every commit acknowledged before the query ends at or before the flushed position.
const readFlushed = statement(`select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as position`);
const readReplayed = statement(
  `select pg_is_in_recovery() as "isReplica", (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as position`,
);

const MEASURE_EVERY_MS = 1_000;
const RETRY_MS = 5_000;
/** If this many are pending, the oldest matter most, because the replica passes them first. */
const SAMPLES_MAX = 1_000;
const PROBE = { connectionsMax: 1, waitersMax: 1, waitMs: 2_000, statementMs: 2_000, silenceMs: 3_000 };

/**
 * A streaming replica for reads that may lag, with the primary as the net below it.
 *
 * Its age is measured without comparing clocks: this process asks the primary where its log ends, and later the replica
 * how far it has replayed. Once the replica has passed such a position, it holds everything that was committed when the
 * question was asked. So an organization reads from it again as soon as it holds the organization's last write.
 */
export class Replica<Database extends Pools> {
  readonly #primary: Database;
  readonly #pool: Pool;
  readonly #probe: Pool;
  readonly #options: Required<ReplicaOptions>;
  readonly #listeners = new Set<(state: ReplicaState) => void>();
  readonly #counts = new Map<ReadOutcome, number>(READ_OUTCOMES.map((outcome) => [outcome, 0]));
  /** When organizations last wrote through this process, as long as the replica may lack the write. */
  readonly #wroteMs = new Map<string, number>();
  #samples: Sample[] = [];
  /** The replica has everything that was committed before this time. */
  #freshAsOfMs = Number.NEGATIVE_INFINITY;
  #away: { error: unknown } | null = { error: null };
  /** Aborts a read in progress. */
  readonly #underWay = new Set<(error: unknown) => void>();
  #reported: ReplicaState['status'] | null = null;
  #timer: NodeJS.Timeout | undefined;
  #measuring: Promise<void>;
  #closed = false;

  constructor(primary: Database, servers: Servers, limits: Partial<PoolLimits>, options: ReplicaOptions) {
    this.#primary = primary;
    const everyMs = Math.min(MEASURE_EVERY_MS, options.lagMaxMs / 4);
    this.#options = { everyMs, retryMs: RETRY_MS, ...options };
    this.#pool = new Pool(servers, 'lotward replica', { ...limits, waitMs: PROBE.waitMs });
    this.#probe = new Pool(servers, 'lotward replica probe', PROBE);
    this.#measuring = this.#measure();
  }

  /** Carries out a read that may lag: on the replica, or on the primary if the replica cannot or should not answer. */
  async read<T>(reader: Reader, work: (database: Database) => Promise<T>): Promise<T> {
    const obstacle = this.#obstacleFor(reader);
    if (obstacle !== null) return this.#onPrimary(obstacle, work);
    try {
      const answer = await this.#untilAway(work({ ...this.#primary, app: this.#pool }));
      this.#count('replica');
      return answer;
    } catch (error) {
      if (error instanceof Unavailable && error.reason === 'database_unavailable') this.#leave(error);
      if (wouldBurdenPrimary(error)) throw error;
      // Any other failure may not occur on the primary, which also has records that are missing here.
      return this.#onPrimary('failed', work);
    }
  }

  /** Something of the organization was committed before this call, and its next reads must show it. */
  noteWrite(orgId: string): void {
    this.#wroteMs.set(orgId, performance.now());
  }

  get state(): ReplicaState {
    const lagMs = performance.now() - this.#freshAsOfMs;
    if (this.#away) return { status: 'away', lagMs, error: this.#away.error };
    return { status: lagMs > this.#options.lagMaxMs ? 'lagging' : 'in use', lagMs, error: null };
  }

  /** How many reads had each outcome since start. */
  get counts(): ReadonlyMap<ReadOutcome, number> {
    return this.#counts;
  }

  get figures(): Pool['figures'] {
    return this.#pool.figures;
  }

  /** Calls `listener` with the first known state, and with each change. Returns an unsubscribe function. */
  onChange(listener: (state: ReplicaState) => void): () => void {
    this.#listeners.add(listener);
    if (this.#reported !== null) listener(this.state);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#measuring;
    await Promise.all([this.#pool.close(), this.#probe.close()]);
  }

  #obstacleFor({ orgId, wantsLatest }: Reader): ReadOutcome | null {
    if (wantsLatest) return 'no_cache';
    const { status } = this.state;
    if (status !== 'in use') return status;
    return (this.#wroteMs.get(orgId) ?? Number.NEGATIVE_INFINITY) >= this.#freshAsOfMs
      ? 'recent_write'
      : null;
  }

  #onPrimary<T>(outcome: ReadOutcome, work: (database: Database) => Promise<T>): Promise<T> {
    this.#count(outcome);
    return work(this.#primary);
  }

  #count(outcome: ReadOutcome): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  async #measure(): Promise<void> {
    await this.#takeSample();
    try {
      const [row] = await this.#probe.query<{ isReplica: boolean; position: number | null }>(
        readReplayed,
        [],
      );
      // A promoted replica has a history of its own, which nothing here can distinguish from the primary's.
      if (!row?.isReplica) throw new Error('the server is not a replica');
      if (row.position === null) throw new Error('the server does not replay the log of a primary');
      this.#take(row.position);
    } catch (error) {
      this.#leave(error);
    }
    this.#report();
    if (this.#closed) return;
    this.#timer = setTimeout(
      () => {
        this.#measuring = this.#measure();
      },
      this.#away ? this.#options.retryMs : this.#options.everyMs,
    ).unref();
  }

  /** Without a primary there is nothing to compare with: the replica ages until it is no longer used. */
  async #takeSample(): Promise<void> {
    const askedMs = performance.now();
    const [row] = await this.#primary.probe
      .query<Pick<Sample, 'position'>>(readFlushed, [])
      .catch(() => [undefined]);
    if (row && this.#samples.length < SAMPLES_MAX) this.#samples.push({ askedMs, position: row.position });
  }

  #take(replayed: number): void {
    this.#away = null;
    for (const { askedMs, position } of this.#samples) if (position <= replayed) this.#freshAsOfMs = askedMs;
    this.#samples = this.#samples.filter(({ askedMs }) => askedMs > this.#freshAsOfMs);
    for (const [orgId, atMs] of this.#wroteMs) if (atMs < this.#freshAsOfMs) this.#wroteMs.delete(orgId);
  }

  #leave(error: unknown): void {
    this.#away = { error };
    for (const giveUp of this.#underWay) giveUp(error);
    this.#report();
  }

  /** Rejects as soon as the replica is found to be unavailable, because an unreachable machine never answers. */
  #untilAway<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#underWay.add(reject);
      const done = () => this.#underWay.delete(reject);
      answer.then(resolve, reject).finally(done);
    });
  }

  #report(): void {
    const { state } = this;
    if (state.status === this.#reported) return;
    this.#reported = state.status;
    for (const listener of this.#listeners) listener(state);
  }
}

/** A read that overloaded the replica must not be repeated on the server that everyone needs. */
const wouldBurdenPrimary = (error: unknown): boolean =>
  error instanceof Unavailable && (error.reason === 'overloaded' || error.reason === 'too_slow');
