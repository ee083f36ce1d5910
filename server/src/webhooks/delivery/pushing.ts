import { performance } from 'node:perf_hooks';
import type { Clock } from '../../platform/clock/index.js';
import { pushHeaders } from '../signing.js';
import { deliveryIdOf, type PushPolicy } from '../webhook.js';
import type { Endpoint, PushItem } from './endpoint.js';
import { OpenPushes } from './open-pushes.js';
import { Turns } from './turns.js';

export interface PushingLimits {
  perEndpoint: number;
  /** Pushes that keep this process busy; one that waits for a slow partner stops counting. */
  active: number;
  slowAfterMs: number;
  /** All pushes under way, the slow ones included. */
  open: number;
  /** Results that may wait to be written before nothing new is begun. */
  unrecorded: number;
}

interface PushingOptions {
  clock: Clock;
  policy: PushPolicy;
  limits: PushingLimits;
  unrecorded(): number;
  onEnded(endpoint: Endpoint): void;
}

/** Makes the pushes that wait, one endpoint after the other, while there is room. */
export class Pushing {
  readonly #options: PushingOptions;
  readonly #turns = new Turns<Endpoint>();
  readonly #open: OpenPushes;
  #stopped = false;

  constructor(options: PushingOptions) {
    this.#options = options;
    this.#open = new OpenPushes(options.limits.slowAfterMs, () => this.begin());
  }

  /** It may have something to send. */
  add(endpoint: Endpoint): void {
    this.#turns.add(endpoint);
  }

  remove(endpoint: Endpoint): void {
    this.#turns.remove(endpoint);
  }

  /** Begins as many pushes as there is room for. */
  begin(): void {
    const { limits, policy, unrecorded } = this.#options;
    while (
      !this.#stopped &&
      this.#open.active < limits.active &&
      this.#open.size < limits.open &&
      unrecorded() < limits.unrecorded
    ) {
      const endpoint = this.#turns.next();
      if (!endpoint) return;
      // Nothing is begun that could still be under way when the lease has run out.
      if (endpoint.safeUntilMs - performance.now() < policy.timeoutMs) continue;
      const item = endpoint.take(limits.perEndpoint);
      if (!item) continue;
      this.#turns.add(endpoint);
      void this.#push(endpoint, item);
    }
  }

  /** Nothing more is begun; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#open.empty();
    this.#open.close();
  }

  async #push(endpoint: Endpoint, item: PushItem): Promise<void> {
    const { clock, policy } = this.#options;
    const at = clock.now();
    const { eventId, eventType, body, position } = item.event;
    const deliveryId = deliveryIdOf(endpoint.webhookId, eventId);
    const signed = { eventId, eventType, body, deliveryId, attempt: item.attempts + 1 };
    const headers = pushHeaders(policy.headerPrefix, endpoint.signingKeys(at), signed, at);
    const ticket = this.#open.begin();
    const result = await endpoint.sender.send({ url: endpoint.facts.callbackUrl, headers, body });
    this.#open.end(ticket);
    endpoint.ended(item, {
      position,
      at,
      endedAt: clock.now(),
      durationMs: Math.round(result.durationMs),
      delivered: result.delivered,
      status: result.status,
      error: result.error,
      responseExcerpt: result.responseExcerpt,
    });
    this.#options.onEnded(endpoint);
    this.#turns.add(endpoint);
    this.begin();
  }
}
