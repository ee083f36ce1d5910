import { performance } from 'node:perf_hooks';

/** The two most recent owners, which is enough to know whether an owner has been alone. */
export class RecentOwners {
  readonly #recentMs: number;
  readonly #now: () => number;
  #last = { name: '', atMs: Number.NEGATIVE_INFINITY };
  #before = this.#last;

  constructor(recentMs: number, now: () => number = () => performance.now()) {
    this.#recentMs = recentMs;
    this.#now = now;
  }

  note(name: string): void {
    const atMs = this.#now();
    if (name === this.#last.name) this.#last.atMs = atMs;
    else {
      this.#before = this.#last;
      this.#last = { name, atMs };
    }
  }

  /** Whether another owner has asked recently. */
  isBesideOthers(name: string): boolean {
    const other = this.#last.name === name ? this.#before : this.#last;
    return this.#now() - other.atMs <= this.#recentMs;
  }
}
