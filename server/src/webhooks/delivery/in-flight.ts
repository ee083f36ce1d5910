import { performance } from 'node:perf_hooks';

export interface Ticket {
  startedMs: number;
  isCounted: boolean;
  hasEnded: boolean;
}

const CHECK_EVERY_MS = 20;

/**
 * Counts the pushes in flight. A slow push only waits for its endpoint, so it stops counting as active: however many
 * endpoints hang, the others are served as before.
 */
export class InFlight {
  readonly #slowAfterMs: number;
  readonly #onRoom: () => void;
  #active = 0;
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

  get size(): number {
    return this.#size;
  }

  start(): Ticket {
    const ticket = { startedMs: performance.now(), isCounted: true, hasEnded: false };
    this.#active++;
    this.#size++;
    this.#counted.push(ticket);
    this.#timer ??= setInterval(() => this.#discountSlow(), CHECK_EVERY_MS);
    return ticket;
  }

  end(ticket: Ticket): void {
    ticket.hasEnded = true;
    this.#size--;
    if (ticket.isCounted) this.#active--;
    if (this.#size > 0) return;
    this.close();
    for (const resolve of this.#drainWaiters.splice(0)) resolve();
  }

  #discountSlow(): void {
    const slowSinceMs = performance.now() - this.#slowAfterMs;
    let first = 0;
    for (const ticket of this.#counted) {
      if (!ticket.hasEnded && ticket.startedMs > slowSinceMs) break;
      first++;
      if (ticket.hasEnded) continue;
      ticket.isCounted = false;
      this.#active--;
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
