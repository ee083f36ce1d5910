import { performance } from 'node:perf_hooks';
import type { Database } from '../../platform/database/index.js';
import type { Endpoint } from './endpoint.js';
import type { FeedPages } from './feed-pages.js';
import { queueBehindRecovery } from './queue-behind-recovery.js';
import { skipMissed } from './skip-missed.js';
import { readDue, readUrgent, readUrgentDue } from './supply.store.js';

interface SupplyOptions {
  database: Database;
  pages: FeedPages;
  /** The endpoint may have something to send. */
  onReady(endpoint: Endpoint): void;
  onLost(endpoint: Endpoint): void;
  /** Nothing is left to recover. */
  onRecovered(endpoint: Endpoint): void;
  onError(error: unknown): void;
}

/** Pushes prefetched per endpoint: enough not to wait for the database, few enough to be dropped cheaply. */
const QUEUE_LOW = 32;
const QUEUE_MAX = 512;
const DUE_MAX = 100;
/** Urgent events per read, and how often they are searched while others wait. */
const URGENT_MAX = 100;
const URGENT_EVERY_MS = 100;
/** Limits a recovery to 100 pushes a second, so that an endpoint that was down is not flooded. */
const RECOVERY_MAX = 50;
const RECOVERY_EVERY_MS = 500;

/** Fills the queues of endpoints: with events of the feed, and with stored pushes that are due. */
export class Supply {
  readonly #options: SupplyOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #recoveredAtMs = new WeakMap<Endpoint, number>();
  readonly #urgentAtMs = new WeakMap<Endpoint, number>();

  constructor(options: SupplyOptions) {
    this.#options = options;
  }

  /**
   * Fills the queue of an endpoint unless it has enough, never concurrently. An endpoint that is down is filled when its
   * pause is over, because every event of its organization triggers this and would read its due pushes again.
   */
  refill(endpoint: Endpoint): void {
    if (endpoint.pauseMs > 0 && !endpoint.mustSkip) return;
    const hasEnough = !endpoint.hasUnread || endpoint.queueLength >= QUEUE_LOW;
    const hasNothing =
      hasEnough && !endpoint.hasDue && !endpoint.mustSkip && !this.#canLookForUrgent(endpoint);
    if (endpoint.isDraining || hasNothing) return;
    if (!endpoint.startSupply()) return;
    const run = this.#run(endpoint)
      .catch(this.#options.onError)
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Resolves when nothing is being read. */
  async drained(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(endpoint: Endpoint): Promise<void> {
    try {
      do {
        if (endpoint.mustSkip && !(await this.#skip(endpoint))) return;
        if (endpoint.isDisabled) continue;
        if (this.#canLookForUrgent(endpoint) && !(await this.#queueUrgent(endpoint))) return;
        if (endpoint.hasDue) await this.#queueDue(endpoint);
        await this.#queueLive(endpoint);
        if (endpoint.queueLength > 0) this.#options.onReady(endpoint);
      } while (endpoint.takeSupplyRequest() && !endpoint.isDraining);
    } finally {
      endpoint.endSupply();
    }
  }

  async #skip(endpoint: Endpoint): Promise<boolean> {
    const upTo = await skipMissed(this.#options.database, endpoint);
    if (upTo === null) {
      this.#options.onLost(endpoint);
      return false;
    }
    endpoint.skipTo(upTo);
    return true;
  }

  async #queueDue(endpoint: Endpoint): Promise<void> {
    const { database } = this.#options;
    const { isRecovering } = endpoint;
    const recoveredAtMs = this.#recoveredAtMs.get(endpoint) ?? Number.NEGATIVE_INFINITY;
    const pauseMs = recoveredAtMs + RECOVERY_EVERY_MS - performance.now();
    const canRecover = isRecovering && pauseMs <= 0;
    const limit = canRecover ? RECOVERY_MAX : DUE_MAX;
    const reserved = endpoint.startDueRead();
    const now = database.clock.now();
    const urgent = endpoint.hasUrgentTypes
      ? await readUrgentDue(database.worker, endpoint, now, reserved, limit, canRecover)
      : [];
    const taken = [...reserved, ...urgent.map(({ position }) => position)];
    const rows = [
      ...urgent,
      ...(await readDue(database.worker, endpoint, now, taken, limit - urgent.length, canRecover)),
    ];
    if (canRecover) this.#recoveredAtMs.set(endpoint, performance.now());
    endpoint.queueDue(rows.map((row) => ({ event: row, attempts: row.attempts, isStored: true })));
    if (rows.length > 0) this.#options.onReady(endpoint);
    if (rows.length === limit) endpoint.markDue();
    if (!isRecovering) return;
    if (canRecover && rows.length === 0 && reserved.length === 0) this.#options.onRecovered(endpoint);
    else this.#continueRecovery(endpoint, Math.max(pauseMs, RECOVERY_EVERY_MS / 2));
  }

  #continueRecovery(endpoint: Endpoint, afterMs: number): void {
    setTimeout(() => {
      endpoint.markDue();
      this.refill(endpoint);
    }, afterMs).unref();
  }

  /**
   * Searches for urgent events only if others wait ahead of them; without a backlog, the next page of the feed contains
   * them. The results of pushes and the poll trigger this again, so a throttled event is found a moment later.
   */
  #canLookForUrgent(endpoint: Endpoint): boolean {
    if (endpoint.isDisabled || endpoint.urgentReadTo === null) return false;
    const hasBacklog = endpoint.queueLength >= QUEUE_LOW || endpoint.head - endpoint.readTo >= QUEUE_LOW;
    const lookedAtMs = this.#urgentAtMs.get(endpoint) ?? Number.NEGATIVE_INFINITY;
    return hasBacklog && performance.now() - lookedAtMs >= URGENT_EVERY_MS;
  }

  /** Queues urgent events ahead of the feed. Returns false if the lease is lost. */
  async #queueUrgent(endpoint: Endpoint): Promise<boolean> {
    const { database } = this.#options;
    const { orgId, customerCode, urgentReadTo: after, head, version } = endpoint;
    if (after === null) return true;
    this.#urgentAtMs.set(endpoint, performance.now());
    const events = await readUrgent(database.worker, orgId, customerCode, after, head, URGENT_MAX);
    const matching = endpoint.selectMatching(events);
    const ready =
      endpoint.isRecovering && matching.length > 0
        ? await queueBehindRecovery(database, endpoint, matching)
        : matching;
    if (ready === null) {
      this.#options.onLost(endpoint);
      return false;
    }
    // The subscription changed meanwhile, so they are selected again by the new one.
    if (endpoint.version !== version) return true;
    const last = events.length === URGENT_MAX ? events.at(-1) : undefined;
    endpoint.queueUrgent(matching, ready, last?.position ?? head);
    if (ready.length > 0) this.#options.onReady(endpoint);
    return true;
  }

  async #queueLive(endpoint: Endpoint): Promise<void> {
    const { database, pages } = this.#options;
    while (endpoint.queueLength < QUEUE_MAX && endpoint.hasUnread && !endpoint.isDraining) {
      const after = endpoint.readTo;
      const page = pages.read(endpoint, after, endpoint.head);
      const { events, upTo } = page instanceof Promise ? await page : page;
      const matching = endpoint.selectMatching(events);
      const ready =
        endpoint.isRecovering && matching.length > 0
          ? await queueBehindRecovery(database, endpoint, matching)
          : matching;
      if (ready === null) return this.#options.onLost(endpoint);
      // More types were subscribed to meanwhile, so what lies before this page and was read without them comes first.
      if (endpoint.readTo < after) continue;
      endpoint.queueLive(ready, upTo);
    }
  }
}
