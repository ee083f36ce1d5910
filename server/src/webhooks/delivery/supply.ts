import { performance } from 'node:perf_hooks';
import type { Database } from '../../platform/database/index.js';
import type { Endpoint } from './endpoint.js';
import type { FeedPages } from './feed-pages.js';
import { queueBehindRecovery, skipMissed } from './record-outcome.js';
import { readDue } from './supply.store.js';

interface SupplyOptions {
  database: Database;
  pages: FeedPages;
  /** There may be something to send. */
  onReady(endpoint: Endpoint): void;
  onLost(endpoint: Endpoint): void;
  /** Nothing is left to be recovered. */
  onRecovered(endpoint: Endpoint): void;
  onError(error: unknown): void;
}

/** Pushes kept at hand per endpoint: enough not to wait for the database, few enough to be forgotten cheaply. */
const QUEUE_LOW = 32;
const QUEUE_MAX = 512;
const DUE_MAX = 100;
/** A partner that was away is not flooded with what it missed: 100 a second. */
const RECOVERY_MAX = 50;
const RECOVERY_EVERY_MS = 500;

/** Brings endpoints what they are to send: from the feed, and what is due again. One at a time for each. */
export class Supply {
  readonly #options: SupplyOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: SupplyOptions) {
    this.#options = options;
  }

  /** Unless it has enough. */
  bring(endpoint: Endpoint): void {
    const hasEnough = endpoint.read >= endpoint.head || endpoint.queueLength >= QUEUE_LOW;
    if (endpoint.leaving || (hasEnough && !endpoint.due && !endpoint.mustSkip)) return;
    if (endpoint.supplying) {
      endpoint.supplyAgain = true;
      return;
    }
    endpoint.supplying = true;
    const one = this.#run(endpoint)
      .catch(this.#options.onError)
      .finally(() => {
        endpoint.supplying = false;
        this.#running.delete(one);
      });
    this.#running.add(one);
  }

  /** Resolves when nothing is being read any more. */
  async quiet(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(endpoint: Endpoint): Promise<void> {
    do {
      endpoint.supplyAgain = false;
      if (endpoint.mustSkip && !(await this.#skip(endpoint))) return;
      if (endpoint.facts.status === 'disabled') return;
      if (endpoint.due) await this.#bringDue(endpoint);
      await this.#bringLive(endpoint);
      if (endpoint.queueLength > 0) this.#options.onReady(endpoint);
    } while (endpoint.supplyAgain && !endpoint.leaving);
  }

  async #skip(endpoint: Endpoint): Promise<boolean> {
    const upTo = await skipMissed(this.#options.database, endpoint);
    if (upTo === null) {
      this.#options.onLost(endpoint);
      return false;
    }
    endpoint.skipped(upTo);
    return true;
  }

  async #bringDue(endpoint: Endpoint): Promise<void> {
    const { database } = this.#options;
    const { recovering } = endpoint.facts;
    const pauseMs = endpoint.lastRecoveryMs + RECOVERY_EVERY_MS - performance.now();
    const mayRecover = recovering && pauseMs <= 0;
    const limit = mayRecover ? RECOVERY_MAX : DUE_MAX;
    endpoint.due = false;
    const taken = endpoint.storedTaken;
    const now = database.clock.now();
    const rows = await readDue(database.worker, endpoint, now, taken, limit, mayRecover);
    if (mayRecover) endpoint.lastRecoveryMs = performance.now();
    endpoint.offerStored(rows.map((row) => ({ event: row, attempts: row.attempts, stored: true })));
    if (rows.length > 0) this.#options.onReady(endpoint);
    if (rows.length === limit) endpoint.due = true;
    if (!recovering) return;
    if (mayRecover && rows.length === 0 && taken.length === 0) this.#options.onRecovered(endpoint);
    else this.#lookAgain(endpoint, Math.max(pauseMs, RECOVERY_EVERY_MS / 2));
  }

  #lookAgain(endpoint: Endpoint, afterMs: number): void {
    setTimeout(() => {
      endpoint.due = true;
      this.bring(endpoint);
    }, afterMs).unref();
  }

  async #bringLive(endpoint: Endpoint): Promise<void> {
    const { database, pages } = this.#options;
    while (endpoint.queueLength < QUEUE_MAX && endpoint.read < endpoint.head && !endpoint.leaving) {
      const page = pages.read(endpoint, endpoint.read, endpoint.head);
      const { events, upTo } = page instanceof Promise ? await page : page;
      const matching = endpoint.matching(events);
      const ready =
        endpoint.facts.recovering && matching.length > 0
          ? await queueBehindRecovery(database, endpoint, matching)
          : matching;
      if (ready === null) return this.#options.onLost(endpoint);
      endpoint.offerLive(ready, upTo);
    }
  }
}
