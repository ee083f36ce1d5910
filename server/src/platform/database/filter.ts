/** The conditions of a list. Only conditions with a value are added, each with its own parameter. */
export class Filter {
  readonly values: unknown[];
  readonly #conditions: string[];

  /** `first` uses the leading values; added conditions get the next parameters. */
  constructor(first: string, values: readonly unknown[]) {
    this.#conditions = [first];
    this.values = [...values];
  }

  /** `?` in the condition becomes the parameter. Without a value nothing is added. */
  and(condition: string, value: unknown): this {
    if (value === undefined || value === null) return this;
    this.values.push(value);
    this.#conditions.push(condition.replaceAll('?', `$${this.values.length}`));
    return this;
  }

  get where(): string {
    return this.#conditions.join(' and ');
  }
}
