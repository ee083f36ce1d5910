import type { Clock } from '../../platform/clock/index.js';
import { pushHeaders } from '../signing.js';
import { deliveryIdOf, type PushPolicy } from '../webhook.js';
import type { Endpoint } from './endpoint.js';
import { InFlight } from './in-flight.js';
import type { PushItem } from './push-queue.js';
import { RoundRobin } from './round-robin.js';

export interface PusherLimits {
  perEndpoint: number;
  /** Pushes that keep this process busy; a push that waits for a slow endpoint stops counting. */
  active: number;
  /** Active pushes of one organization: fewer, so that others have room while its endpoints hang. */
  activePerOrg: number;
  slowAfterMs: number;
  /** Pushes in flight, slow ones included. */
  open: number;
  /** Unwritten results beyond which no push is started. */
  unrecorded: number;
  /** The pause between two pushes to an endpoint that is down. */
  pauseMs: number;
}

interface PusherOptions {
  clock: Clock;
  policy: PushPolicy;
  limits: PusherLimits;
  countUnrecorded(): number;
  onEnded(endpoint: Endpoint): void;
  /** The pause of an endpoint that was down is over. */
  onPauseEnded(endpoint: Endpoint): void;
}

/** Makes queued pushes, one endpoint after the other, while there is room. */
export class Pusher {
  readonly #options: PusherOptions;
  readonly #ready = new RoundRobin<Endpoint>();
  readonly #inFlight: InFlight;
  #isStopped = false;
  #soon: NodeJS.Immediate | null = null;

  constructor(options: PusherOptions) {
    this.#options = options;
    this.#inFlight = new InFlight(options.limits.slowAfterMs, () => this.start());
  }

  /** The endpoint may have something to send. */
  add(endpoint: Endpoint): void {
    this.#ready.add(endpoint);
  }

  remove(endpoint: Endpoint): void {
    this.#ready.remove(endpoint);
  }

  /** Starts as many pushes as limits allow. */
  start(): void {
    const { clock, limits, policy } = this.#options;
    const hasShare = (orgId: string) => this.#inFlight.activeOf(orgId) < limits.activePerOrg;
    while (this.#hasRoom) {
      const endpoint = this.#ready.next(hasShare);
      if (!endpoint) return;
      // A push in flight must not outlive the lease.
      if (!endpoint.hasLeaseFor(policy.timeoutMs)) continue;
      const item = endpoint.takePush(limits.perEndpoint, clock);
      if (!item) continue;
      this.#ready.add(endpoint);
      void this.#push(endpoint, item);
    }
  }

  get #hasRoom(): boolean {
    const { limits, countUnrecorded } = this.#options;
    const canFly = this.#inFlight.active < limits.active && this.#inFlight.size < limits.open;
    return !this.#isStopped && canFly && countUnrecorded() < limits.unrecorded;
  }

  /** Starts no more pushes; resolves when none is in flight. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#inFlight.drained();
    this.#inFlight.close();
  }

  async #push(endpoint: Endpoint, item: PushItem): Promise<void> {
    const { clock, policy } = this.#options;
    const at = clock.now();
    const { eventId, eventType, body, position } = item.event;
    const deliveryId = deliveryIdOf(endpoint.webhookId, eventId);
    const { sandbox } = endpoint;
    const signed = { eventId, eventType, body, deliveryId, attempt: item.attempts + 1, sandbox };
    const headers = pushHeaders(policy.headerPrefix, endpoint.signingKeys(at), signed, at, endpoint.headers);
    const ticket = this.#inFlight.start(endpoint.orgId);
    const { orgId: caller, callbackUrl: url } = endpoint;
    const result = await endpoint.sender.send({ caller, url, headers, body });
    this.#inFlight.end(ticket);
    const attempt = {
      position,
      at,
      endedAt: clock.now(),
      durationMs: Math.round(result.durationMs),
      delivered: result.delivered,
      status: result.status,
      error: result.error,
      responseExcerpt: result.responseExcerpt,
    };
    endpoint.endPush(item, attempt, this.#options.limits.pauseMs);
    this.#options.onEnded(endpoint);
    if (endpoint.pauseMs > 0) this.#startAfterPause(endpoint);
    else {
      this.#ready.add(endpoint);
      this.#startSoon();
    }
  }

  #startAfterPause(endpoint: Endpoint): void {
    const resume = () => {
      if (this.#isStopped) return;
      this.#options.onPauseEnded(endpoint);
      this.#ready.add(endpoint);
      this.start();
    };
    // A timer may fire a fraction of a millisecond early, while the pause still lasts.
    setTimeout(resume, Math.ceil(endpoint.pauseMs) + 1).unref();
  }

  /** A push may fail without waiting for anything. If the next one followed immediately, nothing else would get a turn. */
  #startSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = null;
      this.start();
    });
  }
}
