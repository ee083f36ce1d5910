import { performance } from 'node:perf_hooks';

export interface Ticket {
  beganMs: number;
  counted: boolean;
  ended: boolean;
}

const LOOK_EVERY_MS = 20;

/**
 * The pushes under way. Those that take long only wait for a partner, and stop counting as work: however many
 * endpoints hang, the others are served as before.
 */
export class OpenPushes {
  active = 0;
  size = 0;
  readonly #slowAfterMs: number;
  readonly #onRoom: () => void;
  /** In the order they began. */
  #counted: Ticket[] = [];
  #timer: NodeJS.Timeout | null = null;
  #waiting: (() => void)[] = [];

  constructor(slowAfterMs: number, onRoom: () => void) {
    this.#slowAfterMs = slowAfterMs;
    this.#onRoom = onRoom;
  }

  begin(): Ticket {
    const ticket = { beganMs: performance.now(), counted: true, ended: false };
    this.active++;
    this.size++;
    this.#counted.push(ticket);
    this.#timer ??= setInterval(() => this.#setSlowAside(), LOOK_EVERY_MS);
    return ticket;
  }

  end(ticket: Ticket): void {
    ticket.ended = true;
    this.size--;
    if (ticket.counted) this.active--;
    if (this.size > 0) return;
    this.close();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #setSlowAside(): void {
    const slowSinceMs = performance.now() - this.#slowAfterMs;
    let first = 0;
    for (const ticket of this.#counted) {
      if (!ticket.ended && ticket.beganMs > slowSinceMs) break;
      first++;
      if (ticket.ended) continue;
      ticket.counted = false;
      this.active--;
    }
    this.#counted = this.#counted.slice(first);
    if (first > 0) this.#onRoom();
  }

  empty(): Promise<void> {
    return this.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#waiting.push(resolve);
        });
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#counted = this.#counted.filter((ticket) => !ticket.ended);
  }
}
