import type pg from 'pg';
import { type Clock, type ProcessClocks, processClocks } from '../clock/index.js';
import { StartRefused } from '../start-refused.js';
import type { Pool } from './pool.js';
import { statement } from './statement.js';

/**
 * The tolerated difference between the system clock and the database's: far above NTP errors, far below what causes harm.
 */
const TOLERANCE_MS = 5_000;
const MEASURE_EVERY_MS = 5_000;
const ATTEMPTS_AT_START = 3;

export interface DatabaseTimeOptions {
  clocks?: ProcessClocks;
  everyMs?: number;
}

/** The clocks at one moment: the middle of a round trip to the database. */
interface Reading {
  databaseMs: number;
  systemMs: number;
  monotonicMs: number;
  /** Half the round trip: the database may have read its clock at either end of it. */
  uncertaintyMs: number;
}

const readClock = statement('select clock_timestamp() as now');

/** A connection already taken from its pool: waiting for one must not count as part of the round trip. */
type Session = Pick<pg.ClientBase, 'query'>;

async function read(session: Session, clocks: ProcessClocks): Promise<Reading> {
  const askedMs = clocks.monotonicMs();
  const { rows } = await session.query<{ now: Date }>({ ...readClock });
  const answeredMs = clocks.monotonicMs();
  if (!rows[0]) throw new Error('the database returned no time');
  const uncertaintyMs = (answeredMs - askedMs) / 2;
  return {
    databaseMs: rows[0].now.getTime(),
    systemMs: clocks.systemMs() - uncertaintyMs,
    monotonicMs: answeredMs - uncertaintyMs,
    uncertaintyMs,
  };
}

const differenceOf = ({ systemMs, databaseMs }: Reading): number => systemMs - databaseMs;
const agrees = (reading: Reading): boolean =>
  Math.abs(differenceOf(reading)) <= TOLERANCE_MS + reading.uncertaintyMs;

/** Reads a second time if the clocks differ: a process suspended during the round trip sees a difference only once. */
async function readAtStart(session: Session, clocks: ProcessClocks): Promise<Reading> {
  let reading = await read(session, clocks);
  for (let attempt = 1; attempt < ATTEMPTS_AT_START && !agrees(reading); attempt++) {
    reading = await read(session, clocks);
  }
  return reading;
}

/** Refuses to start if the clocks differ: the process cannot know which of the two is wrong. */
export async function requireSameTime(
  session: Session,
  clocks: ProcessClocks = processClocks,
): Promise<void> {
  const reading = await readAtStart(session, clocks);
  if (!agrees(reading)) throw new StartRefused(`${describeDifference(reading)} ${REMEDY}`);
}

const REMEDY =
  `Lotward does not start while they differ by more than ${TOLERANCE_MS / 1000} seconds: it could delete what is still needed ` +
  'or book a request twice. Set the clock that is wrong (timedatectl or chronyc tracking shows whether a machine is ' +
  'synchronized), then start again.';

function describeDifference(reading: Reading): string {
  const [system, database] = [reading.systemMs, reading.databaseMs].map((ms) => new Date(ms).toISOString());
  const seconds = Math.round(Math.abs(differenceOf(reading)) / 1000);
  const side = differenceOf(reading) > 0 ? 'ahead of' : 'behind';
  return `The clock of this machine (${system}) is ${seconds} seconds ${side} that of the database (${database}).`;
}

/** The result of the last comparison of the clocks. */
export interface TimeState {
  /** False while the system clock and the database's differ: work that depends on time is paused. */
  isReliable: boolean;
  /** The system clock minus the database's. */
  differenceMs: number;
  /** One sentence for the operator. */
  description: string;
}

/**
 * The database's clock as this process tracks it: anchored at the database's instant, advanced by the monotonic clock of the
 * process, and compared again every few seconds. So a system clock that jumps changes nothing, no query is needed to know
 * the time, and time continues while the database is unavailable.
 *
 * A database clock that differs from the system's is not followed: after a failover or a jump it may be the wrong one. The
 * anchor then stays until both agree again. If both moved together (a laptop that slept), the anchor moves too.
 */
export class DatabaseTime implements Clock {
  readonly #clocks: ProcessClocks;
  readonly #pool: Pool;
  readonly #everyMs: number;
  readonly #listeners = new Set<(state: TimeState) => void>();
  /** The database's clock minus the monotonic one. */
  #anchorMs: number;
  #latestMs = Number.NEGATIVE_INFINITY;
  #state: TimeState;
  #timer: NodeJS.Timeout | undefined;
  #measuring: Promise<void> = Promise.resolve();
  #closed = false;

  static async open(pool: Pool, options: DatabaseTimeOptions = {}): Promise<DatabaseTime> {
    const clocks = options.clocks ?? processClocks;
    const first = await pool.use((client) => readAtStart(client, clocks));
    return new DatabaseTime(pool, clocks, options.everyMs ?? MEASURE_EVERY_MS, first);
  }

  private constructor(pool: Pool, clocks: ProcessClocks, everyMs: number, first: Reading) {
    this.#pool = pool;
    this.#clocks = clocks;
    this.#everyMs = everyMs;
    this.#anchorMs = first.databaseMs - first.monotonicMs;
    this.#state = stateOf(first);
    this.#schedule();
  }

  /** Monotonic, except for a correction beyond the tolerance: standing still for that long would stop all work. */
  now(): Date {
    const nowMs = this.#anchorMs + this.#clocks.monotonicMs();
    if (nowMs > this.#latestMs) this.#latestMs = nowMs;
    return new Date(this.#latestMs);
  }

  get state(): TimeState {
    return this.#state;
  }

  /** Calls `listener` when the clocks start to differ and when they agree again. Returns an unsubscribe function. */
  onChange(listener: (state: TimeState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#measuring;
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#measuring = this.#measure();
    }, this.#everyMs);
    this.#timer.unref();
  }

  async #measure(): Promise<void> {
    try {
      this.#take(await this.#pool.use((client) => read(client, this.#clocks)));
    } catch {
      // While the database is unavailable, the time continues from the last anchor.
    }
    this.#schedule();
  }

  #take(reading: Reading): void {
    const before = this.#state;
    this.#state = stateOf(reading);
    if (this.#state.isReliable) this.#anchor(reading);
    if (before.isReliable === this.#state.isReliable) return;
    for (const listener of this.#listeners) listener(this.#state);
  }

  #anchor({ databaseMs, monotonicMs, uncertaintyMs }: Reading): void {
    const stepMs = databaseMs - monotonicMs - this.#anchorMs;
    // A step within the uncertainty of the reading is noise.
    if (Math.abs(stepMs) <= uncertaintyMs) return;
    this.#anchorMs += stepMs;
    if (stepMs < -TOLERANCE_MS) this.#latestMs = Number.NEGATIVE_INFINITY;
  }
}

const stateOf = (reading: Reading): TimeState => ({
  isReliable: agrees(reading),
  differenceMs: Math.round(differenceOf(reading)),
  description: describeDifference(reading),
});
