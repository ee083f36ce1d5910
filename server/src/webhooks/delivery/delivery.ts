import { performance } from 'node:perf_hooks';
import {
  EVENTS_TOPIC,
  organizationsWithUnnumbered,
  type Sequenced,
  type SequencedAndRead,
  sequenceAndRead,
  sequenceNextEvents,
} from '../../events/index.js';
import type { Database } from '../../platform/database/index.js';
import type { Sender } from '../../platform/outbound-http/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import { WEBHOOKS_TOPIC } from '../webhook.js';
import { Endpoint, keyText } from './endpoint.js';
import { type FeedPages, openFeedPages } from './feed-pages.js';
import { findNextDue, findOwnWork, findWork, readEndpoints, type Work } from './lease.store.js';
import { Leases, type LeaseTimes } from './leases.js';
import { PerOrganization } from './per-organization.js';
import { Pusher, type PusherLimits } from './pusher.js';
import type { OutcomeOptions } from './record-outcome.js';
import { Recorder } from './recorder.js';
import { Supply } from './supply.js';

export interface DeliveryOptions extends OutcomeOptions {
  /** Opens the sealed secrets of webhooks. */
  box: SecretBox;
  /** Organizations differ in the addresses that their pushes may reach. */
  senderFor(orgId: string): Promise<Sender>;
  onError(error: unknown, task: string): void;
  limits?: Partial<DeliveryLimits>;
}

export interface DeliveryLimits extends PusherLimits, LeaseTimes {
  /** Results that arrive within this time share a statement. */
  gapMs: number;
  pollMs: number;
  renewMs: number;
}

const defaults: DeliveryLimits = {
  perEndpoint: 10,
  active: 100,
  activePerOrg: 75,
  slowAfterMs: 200,
  open: 5_000,
  unrecorded: 5_000,
  pauseMs: 250,
  gapMs: 3,
  pollMs: 1_000,
  renewMs: 2_500,
  leaseMs: 10_000,
  lingerMs: 10_000,
};

/** Organizations whose events are numbered concurrently: fewer than may wait for a connection. */
const NUMBERED_AT_ONCE = 100;
/**
 * Events of an organization in quick succession share their numbering and everything after it, because a transaction for
 * each would cost more than their pushes. Above 250 events a second, the gap grows.
 */
const NEWS_GAP_MS = { least: 5, most: 25, perEvent: 4 };
const newsGapMs = (numbered: number): number =>
  Math.min(NEWS_GAP_MS.most, Math.max(NEWS_GAP_MS.least, numbered * NEWS_GAP_MS.perEvent));
/** Organizations numbered concurrently after a poll, as after an outage: few, so that pushes begin meanwhile. */
const FOUND_AT_ONCE = 4;
/** Organizations whose backlog is numbered concurrently: the other connections supply and record pushes. */
const BACKLOGS_AT_ONCE = 2;

type Sequence = (database: Database) => Promise<Sequenced & Partial<SequencedAndRead<Work[]>>>;

export interface Delivery {
  /** Looks for work in one organization, or in all. */
  wake(orgId: string | null): void;
  /** Drains pushes in flight, records their results and releases all leases. */
  stop(): Promise<void>;
}

/** Pushes events to the webhooks subscribed to them. Any number of processes may run concurrently. */
export function openDelivery(options: DeliveryOptions): Delivery {
  const engine = new Engine(options, { ...defaults, ...options.limits });
  const { announcer } = options.database;
  const unsubscribers = [
    announcer.listen(EVENTS_TOPIC, (orgId) => engine.wake(orgId)),
    announcer.listen(WEBHOOKS_TOPIC, (orgId) => {
      engine.reloadAll(orgId);
      engine.wake(orgId);
    }),
  ];
  return {
    wake: (orgId) => engine.wake(orgId),
    async stop() {
      for (const unsubscribe of unsubscribers) unsubscribe();
      await engine.stop();
    },
  };
}

class Engine {
  readonly #options: DeliveryOptions;
  readonly #limits: DeliveryLimits;
  readonly #leases: Leases;
  readonly #pages: FeedPages;
  readonly #supply: Supply;
  readonly #pusher: Pusher;
  readonly #recorder: Recorder;

  readonly #numbering = new PerOrganization(NUMBERED_AT_ONCE, newsGapMs, (orgId) => this.#numberNews(orgId));
  readonly #found = new PerOrganization(FOUND_AT_ONCE, newsGapMs, (orgId) => this.#numberNews(orgId));
  readonly #backlogs = new PerOrganization(
    BACKLOGS_AT_ONCE,
    () => 0,
    (orgId) => this.#number(orgId, (database) => sequenceNextEvents(database, orgId)),
  );
  /** Organizations with news since the last search for work; `#isEverywhere`: possibly any. */
  readonly #wokenOrgIds = new Set<string>();
  #isEverywhere = false;
  #looking: Promise<void> | null = null;
  /** Endpoints to read again after the reads in progress, by organization. */
  readonly #toReload = new Map<string, Set<Endpoint>>();
  #polling: Promise<void>;
  #pollTimer: NodeJS.Timeout | undefined;
  #dueTimer: NodeJS.Timeout | undefined;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  readonly #failingTasks = new Set<string>();
  #isStopping = false;

  constructor(options: DeliveryOptions, limits: DeliveryLimits) {
    const { database, policy } = options;
    this.#options = options;
    this.#limits = limits;
    // Long enough that an attempt always fits between two renewals.
    const leaseMs = Math.max(limits.leaseMs, policy.timeoutMs + 2 * limits.renewMs);
    this.#leases = new Leases(database, { leaseMs, lingerMs: limits.lingerMs });
    const onLost = (endpoint: Endpoint) => this.#drop(endpoint);
    this.#pages = openFeedPages(database.worker);
    this.#supply = new Supply({
      database,
      pages: this.#pages,
      onReady: (endpoint) => this.#push(endpoint),
      onRecovered: (endpoint) => this.#reload([endpoint]),
      onLost,
      onError: (error) => options.onError(error, 'reading pending pushes'),
    });
    this.#pusher = new Pusher({
      clock: database.clock,
      policy,
      limits,
      countUnrecorded: () => this.#recorder.unwritten,
      onEnded: (endpoint) => this.#record(endpoint),
      onPauseEnded: (endpoint) => this.#supply.refill(endpoint),
    });
    this.#recorder = new Recorder({
      ...options,
      gapMs: limits.gapMs,
      onWritten: () => this.#pusher.start(),
      onDisabled: (endpoint) => this.#supply.refill(endpoint),
      onLost,
      onError: (error) => options.onError(error, 'recording results'),
    });
    this.#polling = this.#poll();
  }

  // The path of an event: numbering, supply, push, record.

  wake(orgId: string | null): void {
    if (this.#isStopping || this.#isPaused) return;
    if (orgId === null) {
      this.#isEverywhere = true;
      this.#lookAgain();
    } else this.#requestNumbers(orgId);
  }

  /** `queue`: for an organization that is in no queue yet. */
  #requestNumbers(orgId: string, queue = this.#numbering): void {
    const waiting = [this.#backlogs, this.#found, this.#numbering].find((each) => each.has(orgId));
    (waiting ?? queue).request(orgId);
  }

  #lookAgain(): void {
    if (this.#isStopping || this.#looking) return;
    this.#looking = this.#attempt('finding pending pushes', () => this.#look()).finally(() => {
      this.#looking = null;
    });
  }

  async #look(): Promise<void> {
    const { database } = this.#options;
    while (!this.#isStopping && (this.#isEverywhere || this.#wokenOrgIds.size > 0)) {
      const orgIds = this.#isEverywhere ? null : [...this.#wokenOrgIds].filter(this.#isSettled);
      this.#isEverywhere = false;
      this.#wokenOrgIds.clear();
      if (orgIds === null)
        for (const orgId of await organizationsWithUnnumbered(database.worker))
          this.#requestNumbers(orgId, this.#found);
      const work = await findWork(database.worker, database.clock.now(), orgIds);
      this.#supplyOwn(work);
      await this.#claim(work, orgIds === null);
    }
  }

  /**
   * A change of a webhook is announced before the events that follow it, and applies to them: while it is being read,
   * nothing more of the organization is supplied. The end of the reload resumes it.
   */
  readonly #isSettled = (orgId: string): boolean => !this.#toReload.has(orgId);

  async #numberNews(orgId: string): Promise<number> {
    if (!this.#backlogs.has(orgId))
      return this.#number(orgId, (database) =>
        sequenceAndRead(database, orgId, this.#leases.hasAnyOf(orgId), (tx) =>
          findOwnWork(tx, database.clock.now()),
        ),
      );
    // Requested while earlier events were being numbered, so there is a backlog.
    this.#backlogs.request(orgId);
    return 0;
  }

  /**
   * Numbers committed events of an organization and supplies its leased endpoints; the search for work finds the others. One
   * batch at a time, so that pushing begins with the first, not after the backlogs of others. Returns how many were numbered.
   */
  async #number(orgId: string, sequence: Sequence): Promise<number> {
    let numbered = 0;
    await this.#attempt(`numbering events of ${orgId}`, async () => {
      if (this.#isStopping || !this.#isSettled(orgId)) return;
      const sequenced = await sequence(this.#options.database);
      numbered = sequenced.numbered;
      this.#supplyNumbered(orgId, sequenced);
    });
    return numbered;
  }

  #supplyNumbered(orgId: string, { head, hasMore, read, also: work }: Awaited<ReturnType<Sequence>>): void {
    if (hasMore) this.#backlogs.request(orgId);
    if (!work || this.#leases.hasFree(work)) {
      this.#wokenOrgIds.add(orgId);
      this.#lookAgain();
    }
    if (!this.#isSettled(orgId)) return;
    const held = this.#leases.held.filter((endpoint) => endpoint.orgId === orgId);
    if (read && held.length > 0) this.#pages.add({ orgId, incarnation: read.incarnation }, read.events);
    for (const endpoint of held) if (endpoint.advanceHead(head)) this.#supply.refill(endpoint);
    if (work) this.#supplyOwn(work);
  }

  /** Supplies the endpoints among these that this process holds. */
  #supplyOwn(work: readonly Work[]): void {
    for (const item of work) {
      const endpoint = this.#leases.find(item);
      if (!endpoint || !this.#isSettled(item.orgId)) continue;
      endpoint.noteWork(item);
      this.#supply.refill(endpoint);
    }
  }

  /** Leases free endpoints that have work, and supplies them. */
  async #claim(work: readonly Work[], isEverything: boolean): Promise<void> {
    for (const { facts, lease } of await this.#leases.claim(work, isEverything)) {
      // An endpoint whose secret cannot be opened must not keep the others from being served.
      await this.#attempt(`claiming ${facts.webhookId}`, async () => {
        const sender = await this.#options.senderFor(facts.orgId);
        const endpoint = new Endpoint(facts, lease, sender, this.#options.box);
        this.#leases.hold(endpoint);
        this.#supply.refill(endpoint);
      });
    }
  }

  #push(endpoint: Endpoint): void {
    this.#pusher.add(endpoint);
    this.#pusher.start();
  }

  #record(endpoint: Endpoint): void {
    this.#recorder.add(endpoint);
    this.#supply.refill(endpoint);
  }

  // Configuration and leases.

  /** Reloads changed configurations of one organization, or of all. */
  reloadAll(orgId: string | null): void {
    this.#reload(this.#leases.held.filter((endpoint) => orgId === null || endpoint.orgId === orgId));
  }

  /** One read at a time per organization, so that frequent changes of its webhooks leave connections to others. */
  #reload(endpoints: readonly Endpoint[]): void {
    const begun = new Set<string>();
    for (const endpoint of endpoints) {
      const waiting = this.#toReload.get(endpoint.orgId);
      if (waiting) waiting.add(endpoint);
      else {
        this.#toReload.set(endpoint.orgId, new Set([endpoint]));
        begun.add(endpoint.orgId);
      }
    }
    for (const orgId of begun) void this.#reloadOrganization(orgId);
  }

  async #reloadOrganization(orgId: string): Promise<void> {
    for (;;) {
      const endpoints = [...(this.#toReload.get(orgId) ?? [])];
      if (endpoints.length === 0 || this.#isStopping) break;
      this.#toReload.set(orgId, new Set());
      await this.#attempt('reloading configurations', () => this.#readAgain(endpoints));
    }
    this.#toReload.delete(orgId);
    this.wake(orgId);
  }

  async #readAgain(endpoints: readonly Endpoint[]): Promise<void> {
    const rows = await readEndpoints(this.#options.database.worker, endpoints);
    const factsByKey = new Map(rows.map((row) => [keyText(row), row]));
    for (const endpoint of endpoints) {
      const facts = factsByKey.get(keyText(endpoint));
      if (!facts) {
        this.#drop(endpoint);
        continue;
      }
      void this.#attempt(`reloading ${endpoint.webhookId}`, async () => {
        endpoint.reconfigure(facts, this.#options.box);
        this.#supply.refill(endpoint);
      });
    }
  }

  #drop(endpoint: Endpoint): void {
    this.#pusher.remove(endpoint);
    this.#leases.drop(endpoint);
  }

  /** Renews leases and searches all organizations, because an announcement may be lost. */
  async #poll(): Promise<void> {
    if (!this.#isPaused) {
      await this.#attempt('keeping leases', () => this.#keepLeases());
      this.wake(null);
      await this.#attempt('scheduling due pushes', () => this.#scheduleNextDue());
      this.#pusher.start();
    }
    if (this.#isStopping) return;
    this.#pollTimer = setTimeout(() => {
      this.#polling = this.#poll();
    }, this.#limits.pollMs);
  }

  /**
   * While the clock is unreliable, due pushes cannot be determined. Leases are not renewed either, so other workers take the
   * endpoints over.
   */
  get #isPaused(): boolean {
    return !this.#options.database.time.state.isReliable;
  }

  async #keepLeases(): Promise<void> {
    await this.#leases.heartbeat();
    if (performance.now() - this.#renewedAtMs >= this.#limits.renewMs) {
      this.#renewedAtMs = performance.now();
      const { lost, changed } = await this.#leases.renew();
      for (const endpoint of lost) this.#drop(endpoint);
      for (const endpoint of this.#leases.held) this.#pusher.add(endpoint);
      this.#reload(changed);
    }
    await this.#leases.releaseSurplus();
  }

  /** Wakes for a push that becomes due before the next poll. */
  async #scheduleNextDue(): Promise<void> {
    const { database } = this.#options;
    const now = database.clock.now();
    const next = await findNextDue(database.worker, now);
    clearTimeout(this.#dueTimer);
    const inMs = next === null ? Number.POSITIVE_INFINITY : next.getTime() - now.getTime();
    if (inMs < this.#limits.pollMs) this.#dueTimer = setTimeout(() => this.wake(null), inMs);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#dueTimer);
    const numbering = [this.#numbering, this.#found, this.#backlogs].map((queue) => queue.drained());
    await Promise.all([this.#polling, this.#looking, ...numbering]);
    for (const endpoint of this.#leases.held) endpoint.drain();
    await this.#supply.drained();
    await this.#pusher.stop();
    await this.#recorder.drained();
    await this.#attempt('releasing leases', () => this.#leases.leave());
  }

  /** Reports the failure of a task once, until it succeeds again. */
  async #attempt(task: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failingTasks.delete(task);
    } catch (error) {
      if (!this.#failingTasks.has(task)) this.#options.onError(error, task);
      this.#failingTasks.add(task);
    }
  }
}
