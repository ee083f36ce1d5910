/**
 * Does something for each organization that asks for it, for many at once, and one time after the other for each: none waits
 * for another. What is asked for while it is being done is done again.
 */
export class PerOrganization {
  readonly #work: (orgId: string) => Promise<void>;
  readonly #atOnce: number;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();

  /** `work` must not fail. */
  constructor(atOnce: number, work: (orgId: string) => Promise<void>) {
    this.#atOnce = atOnce;
    this.#work = work;
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
      const run = this.#work(orgId).finally(() => {
        this.#running.delete(orgId);
        this.#start();
      });
      this.#running.set(orgId, run);
    }
  }

  /** Begins nothing of what waits; resolves when nothing is being done. */
  async drained(): Promise<void> {
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }
}
