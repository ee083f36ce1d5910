import { performance } from 'node:perf_hooks';

export interface Ticket {
  orgId: string;
  startedMs: number;
  isCounted: boolean;
  hasEnded: boolean;
}

const CHECK_EVERY_MS = 20;

/**
 * Counts the pushes in flight. A slow push only waits for its endpoint, so it stops counting as active: however many
 * endpoints hang, the others are served as usual.
 */
export class InFlight {
  readonly #slowAfterMs: number;
  readonly #onRoom: () => void;
  #active = 0;
  readonly #activeByOrg = new Map<string, number>();
  #size = 0;
  /** Oldest first. */
  #counted: Ticket[] = [];
  #timer: NodeJS.Timeout | null = null;
  #drainWaiters: (() => void)[] = [];

  constructor(slowAfterMs: number, onRoom: () => void) {
    this.#slowAfterMs = slowAfterMs;
    this.#onRoom = onRoom;
  }

  /** Pushes in flight that are not slow. */
  get active(): number {
    return this.#active;
  }

  activeOf(orgId: string): number {
    return this.#activeByOrg.get(orgId) ?? 0;
  }

  get size(): number {
    return this.#size;
  }

  start(orgId: string): Ticket {
    const ticket = { orgId, startedMs: performance.now(), isCounted: true, hasEnded: false };
    this.#count(orgId, 1);
    this.#size++;
    this.#counted.push(ticket);
    this.#timer ??= setInterval(() => this.#discountSlow(), CHECK_EVERY_MS);
    return ticket;
  }

  end(ticket: Ticket): void {
    ticket.hasEnded = true;
    this.#size--;
    if (ticket.isCounted) this.#count(ticket.orgId, -1);
    if (this.#size > 0) return;
    this.close();
    for (const resolve of this.#drainWaiters.splice(0)) resolve();
  }

  #count(orgId: string, change: 1 | -1): void {
    this.#active += change;
    const ofOrg = this.activeOf(orgId) + change;
    if (ofOrg > 0) this.#activeByOrg.set(orgId, ofOrg);
    else this.#activeByOrg.delete(orgId);
  }

  #discountSlow(): void {
    const slowSinceMs = performance.now() - this.#slowAfterMs;
    let first = 0;
    for (const ticket of this.#counted) {
      if (!ticket.hasEnded && ticket.startedMs > slowSinceMs) break;
      first++;
      if (ticket.hasEnded) continue;
      ticket.isCounted = false;
      this.#count(ticket.orgId, -1);
    }
    this.#counted = this.#counted.slice(first);
    if (first > 0) this.#onRoom();
  }

  /** Resolves when nothing is in flight. */
  drained(): Promise<void> {
    return this.#size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#drainWaiters.push(resolve);
        });
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#counted = this.#counted.filter((ticket) => !ticket.hasEnded);
  }
}
