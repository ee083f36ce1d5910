import { performance } from 'node:perf_hooks';

/**
 * Does something for each organization that asks for it, for many at once, and one time after the other for each: none waits
 * for another. What is asked for while it is being done is done again, after a gap that depends on how much there was to do.
 */
export class PerOrganization {
  readonly #work: (orgId: string) => Promise<number>;
  readonly #atOnce: number;
  readonly #gapMsAfter: (count: number) => number;
  readonly #monotonicMs: () => number;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();

  /**
   * `work` must not fail, and returns how many it was done for. It begins at once, and again for the same organization no earlier than
   * `gapMsAfter` that number since it began.
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

  /** Something is being done for it, or waits to be. */
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

  /** Begins nothing of what waits; resolves when nothing is being done. */
  async drained(): Promise<void> {
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }
}
