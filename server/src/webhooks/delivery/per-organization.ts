import { performance } from 'node:perf_hooks';

/**
 * Runs work for each organization that requests it: many organizations concurrently, but each organization's work in
 * sequence. A request that arrives during a run causes another run, after a gap that depends on the amount of work.
 */
export class PerOrganization {
  readonly #work: (orgId: string) => Promise<number>;
  readonly #atOnce: number;
  readonly #gapMsAfter: (count: number) => number;
  readonly #monotonicMs: () => number;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();

  /**
   * `work` must not fail, and returns the number of items it handled. It starts immediately. For the same organization it
   * starts again no earlier than `gapMsAfter` that number after the previous start.
   */
  constructor(
    atOnce: number,
    gapMsAfter: (count: number) => number,
    work: (orgId: string) => Promise<number>,
    monotonicMs: () => number = () => performance.now(),
  ) {
    this.#atOnce = atOnce;
    this.#gapMsAfter = gapMsAfter;
    this.#work = work;
    this.#monotonicMs = monotonicMs;
  }

  /** Whether the organization has running or waiting work. */
  has(orgId: string): boolean {
    return this.#running.has(orgId) || this.#waiting.has(orgId);
  }

  request(orgId: string): void {
    this.#waiting.add(orgId);
    this.#start();
  }

  #start(): void {
    for (const orgId of this.#waiting) {
      if (this.#running.size >= this.#atOnce) return;
      if (this.#running.has(orgId)) continue;
      this.#waiting.delete(orgId);
      this.#running.set(orgId, this.#run(orgId));
    }
  }

  async #run(orgId: string): Promise<void> {
    const startedAtMs = this.#monotonicMs();
    const gapMs = this.#gapMsAfter(await this.#work(orgId));
    const restMs = startedAtMs + gapMs - this.#monotonicMs();
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    this.#running.delete(orgId);
    this.#start();
  }

  /** Starts no more work; resolves when none is running. */
  async drained(): Promise<void> {
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }
}
