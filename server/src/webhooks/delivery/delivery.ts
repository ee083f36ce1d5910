import { performance } from 'node:perf_hooks';
import { EVENTS_TOPIC, organizationsWithUnnumbered, sequenceNextEvents } from '../../events/index.js';
import type { Sender } from '../../platform/outbound-http/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import { WEBHOOKS_TOPIC } from '../webhook.js';
import { Endpoint, keyText } from './endpoint.js';
import { openFeedPages } from './feed-pages.js';
import { findNextDue, findWork, readEndpoints, type Work } from './lease.store.js';
import { Leases, type LeaseTimes } from './leases.js';
import { Pushing, type PushingLimits } from './pushing.js';
import type { OutcomeOptions } from './record-outcome.js';
import { Recorder } from './recorder.js';
import { Supply } from './supply.js';

export interface DeliveryOptions extends OutcomeOptions {
  /** Opens the sealed secrets of webhooks. */
  box: SecretBox;
  /** How an organization's pushes leave: which addresses they may go to differs. */
  senderFor(orgId: string): Promise<Sender>;
  onError(error: unknown, doing: string): void;
  limits?: Partial<DeliveryLimits>;
}

export interface DeliveryLimits extends PushingLimits, LeaseTimes {
  /** Results of a moment go into one statement. */
  gapMs: number;
  pollMs: number;
  renewMs: number;
}

const defaults: DeliveryLimits = {
  perEndpoint: 10,
  active: 100,
  slowAfterMs: 200,
  open: 5_000,
  unrecorded: 5_000,
  gapMs: 3,
  pollMs: 1_000,
  renewMs: 2_500,
  leaseMs: 10_000,
  lingerMs: 10_000,
};

export interface Delivery {
  /** Looks for something to do, in one organization or everywhere. */
  wake(orgId: string | null): void;
  /** Lets what is under way end and be written, and gives the endpoints to others. */
  stop(): Promise<void>;
}

/** Pushes events to the endpoints that subscribed to them. Any number of processes may do so at once. */
export function openDelivery(options: DeliveryOptions): Delivery {
  const engine = new Engine(options, { ...defaults, ...options.limits });
  const { announcer } = options.database;
  const deaf = [
    announcer.listen(EVENTS_TOPIC, (orgId) => engine.wake(orgId)),
    announcer.listen(WEBHOOKS_TOPIC, (orgId) => {
      engine.reloadAll(orgId);
      engine.wake(orgId);
    }),
  ];
  return {
    wake: (orgId) => engine.wake(orgId),
    async stop() {
      for (const stopListening of deaf) stopListening();
      await engine.stop();
    },
  };
}

class Engine {
  readonly #options: DeliveryOptions;
  readonly #limits: DeliveryLimits;
  readonly #leases: Leases;
  readonly #recorder: Recorder;
  readonly #supply: Supply;
  readonly #pushing: Pushing;

  #stopping = false;
  readonly #hints = new Set<string>();
  #everywhere = false;
  #looking: Promise<void> | null = null;
  #polling: Promise<void>;
  #pollTimer: NodeJS.Timeout | undefined;
  #dueTimer: NodeJS.Timeout | undefined;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  readonly #failing = new Set<string>();

  constructor(options: DeliveryOptions, limits: DeliveryLimits) {
    const { database, policy } = options;
    this.#options = options;
    this.#limits = limits;
    // Long enough that an attempt always fits between two renewals.
    const leaseMs = Math.max(limits.leaseMs, policy.timeoutMs + 2 * limits.renewMs);
    this.#leases = new Leases(database, { leaseMs, lingerMs: limits.lingerMs });
    const onLost = (endpoint: Endpoint) => this.#drop(endpoint);
    this.#recorder = new Recorder({
      ...options,
      gapMs: limits.gapMs,
      onLost,
      onWritten: (endpoint) => {
        endpoint.idleSinceMs = performance.now();
        this.#pushing.begin();
      },
      onDisabled: (endpoint) => {
        endpoint.facts = { ...endpoint.facts, status: 'disabled' };
        this.#supply.bring(endpoint);
      },
      onError: (error) => options.onError(error, 'recording pushes'),
    });
    this.#pushing = new Pushing({
      clock: database.clock,
      policy,
      limits,
      unrecorded: () => this.#recorder.waiting,
      onEnded: (endpoint) => {
        this.#recorder.note(endpoint);
        this.#supply.bring(endpoint);
      },
    });
    this.#supply = new Supply({
      database,
      pages: openFeedPages(database.worker),
      onLost,
      onReady: (endpoint) => {
        this.#pushing.add(endpoint);
        this.#pushing.begin();
      },
      onRecovered: (endpoint) => this.#reload([endpoint]),
      onError: (error) => options.onError(error, 'reading what is to be pushed'),
    });
    this.#polling = this.#poll();
  }

  wake(orgId: string | null): void {
    if (orgId === null) this.#everywhere = true;
    else this.#hints.add(orgId);
    if (this.#stopping || this.#looking || this.#isPaused) return;
    this.#looking = this.#attempt('looking for pushes to make', () => this.#look()).finally(() => {
      this.#looking = null;
    });
  }

  /** What is due cannot be known. Leases are not renewed meanwhile: others take the endpoints over, and pushes end with them. */
  get #isPaused(): boolean {
    return !this.#options.database.time.state.isReliable;
  }

  /** Configurations have changed: of one organization, or perhaps of any. */
  reloadAll(orgId: string | null): void {
    const held = [...this.#leases.held.values()];
    this.#reload(held.filter((endpoint) => orgId === null || endpoint.orgId === orgId));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#dueTimer);
    await Promise.all([this.#polling, this.#looking]);
    for (const endpoint of this.#leases.held.values()) endpoint.leaving = true;
    await this.#supply.quiet();
    await this.#pushing.stop();
    await this.#recorder.drained();
    await this.#attempt('giving leases back', () => this.#leases.leave());
  }

  async #look(): Promise<void> {
    const { database } = this.#options;
    while (!this.#stopping && (this.#everywhere || this.#hints.size > 0)) {
      const orgIds = this.#everywhere ? null : [...this.#hints];
      this.#everywhere = false;
      this.#hints.clear();
      if (orgIds !== null) await Promise.all(orgIds.map((orgId) => this.#number(orgId)));
      else for (const orgId of await organizationsWithUnnumbered(database.worker)) await this.#number(orgId);
      const work = await findWork(database.worker, database.clock.now(), orgIds);
      // Those claimed below know their head themselves: from the database that gave the lease.
      for (const { head, due, ...key } of work) {
        const endpoint = this.#leases.held.get(keyText(key));
        if (!endpoint) continue;
        endpoint.head = Math.max(endpoint.head, head);
        endpoint.due ||= due;
        endpoint.idleSinceMs = performance.now();
        this.#supply.bring(endpoint);
      }
      await this.#claim(work, orgIds === null);
    }
  }

  /**
   * Gives new events of an organization their places, and brings them to those at hand without looking further. One batch
   * at a time: pushing begins with the first, and no organization waits for the backlog of another.
   */
  async #number(orgId: string): Promise<void> {
    const { head, hasMore } = await sequenceNextEvents(this.#options.database, orgId);
    if (hasMore) this.#hints.add(orgId);
    for (const endpoint of this.#leases.held.values()) {
      if (endpoint.orgId !== orgId || endpoint.head >= head) continue;
      endpoint.head = head;
      endpoint.idleSinceMs = performance.now();
      this.#supply.bring(endpoint);
    }
  }

  async #claim(work: readonly Work[], everything: boolean): Promise<void> {
    const { senderFor } = this.#options;
    for (const { facts, token, safeUntilMs } of await this.#leases.claim(work, everything)) {
      // One whose secret cannot be opened must not keep the others from being served.
      await this.#attempt(`taking ${facts.webhookId}`, async () => {
        const endpoint = new Endpoint(facts, token, await senderFor(facts.orgId), this.#unseal);
        endpoint.safeUntilMs = safeUntilMs;
        endpoint.idleSinceMs = performance.now();
        this.#leases.held.set(keyText(endpoint), endpoint);
        this.#supply.bring(endpoint);
      });
    }
  }

  readonly #unseal = (sealed: string): string => this.#options.box.open(sealed);

  #reload(endpoints: readonly Endpoint[]): void {
    if (endpoints.length === 0 || this.#stopping) return;
    void this.#attempt('reading configurations again', async () => {
      const rows = await readEndpoints(this.#options.database.worker, endpoints);
      const facts = new Map(rows.map((row) => [keyText(row), row]));
      for (const endpoint of endpoints) {
        const known = facts.get(keyText(endpoint));
        if (!known) {
          this.#drop(endpoint);
          continue;
        }
        void this.#attempt(`taking ${endpoint.webhookId}`, async () => {
          // What others settled beyond the mark is known since the lease was taken.
          // The lease stays of the incarnation that gave it.
          const { settledBeyond, incarnation } = endpoint.facts;
          endpoint.refresh({ ...known, settledBeyond, incarnation }, this.#unseal);
          this.#supply.bring(endpoint);
        });
      }
    });
  }

  #drop(endpoint: Endpoint): void {
    this.#pushing.remove(endpoint);
    endpoint.leaving = true;
    const key = keyText(endpoint);
    if (this.#leases.held.get(key) === endpoint) this.#leases.held.delete(key);
  }

  /** The net under the announcements, and the time to keep what is held. */
  async #poll(): Promise<void> {
    if (!this.#isPaused) {
      await this.#attempt('keeping leases', () => this.#keepLeases());
      this.wake(null);
      await this.#attempt('looking for what is due', () => this.#beOnTime());
      this.#pushing.begin();
    }
    if (this.#stopping) return;
    this.#pollTimer = setTimeout(() => {
      this.#polling = this.#poll();
    }, this.#limits.pollMs);
  }

  async #keepLeases(): Promise<void> {
    await this.#leases.lookAround();
    if (performance.now() - this.#renewedAtMs >= this.#limits.renewMs) {
      this.#renewedAtMs = performance.now();
      const { lost, changed } = await this.#leases.renew();
      for (const endpoint of lost) this.#drop(endpoint);
      for (const endpoint of this.#leases.held.values()) this.#pushing.add(endpoint);
      this.#reload(changed);
    }
    await this.#leases.giveBack();
  }

  /** What becomes due before the next look is not left waiting for it. */
  async #beOnTime(): Promise<void> {
    const { database } = this.#options;
    const now = database.clock.now();
    const next = await findNextDue(database.worker, now);
    clearTimeout(this.#dueTimer);
    const inMs = next === null ? Number.POSITIVE_INFINITY : next.getTime() - now.getTime();
    if (inMs < this.#limits.pollMs) this.#dueTimer = setTimeout(() => this.wake(null), inMs);
  }

  async #attempt(doing: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failing.delete(doing);
    } catch (error) {
      // Said once: the next turns will fail the same way until it is mended.
      if (!this.#failing.has(doing)) this.#options.onError(error, doing);
      this.#failing.add(doing);
    }
  }
}
