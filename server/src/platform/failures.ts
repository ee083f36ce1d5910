/** Collects failures among many pieces of work. They do not stop the others and are thrown at the end. */
export class Failures {
  readonly #errors: unknown[] = [];

  /** Does one piece of work. Undefined if it failed. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#errors.push(error);
      return undefined;
    }
  }

  /** `describe` says what could not be done, and how often. */
  throwAny(describe: (count: number) => string): void {
    if (this.#errors.length > 0) throw new AggregateError(this.#errors, describe(this.#errors.length));
  }
}
