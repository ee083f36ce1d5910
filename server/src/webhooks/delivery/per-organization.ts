/**
 * Does something for each organization that asks for it, for many at once, and one time after the other for each: none waits
 * for another. What is asked for while it is being done is done again.
 */
export class PerOrganization {
  readonly #work: (orgId: string) => Promise<void>;
  readonly #atOnce: number;
  readonly #gapMs: number;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();

  /** `work` must not fail. It begins at once, and again for the same organization after `gapMs` at the earliest. */
  constructor(atOnce: number, gapMs: number, work: (orgId: string) => Promise<void>) {
    this.#atOnce = atOnce;
    this.#gapMs = gapMs;
    this.#work = work;
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
    const gap = this.#gapMs > 0 && new Promise((resolve) => setTimeout(resolve, this.#gapMs));
    await Promise.all([this.#work(orgId), gap]);
    this.#running.delete(orgId);
    this.#start();
  }

  /** Begins nothing of what waits; resolves when nothing is being done. */
  async drained(): Promise<void> {
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }
}
