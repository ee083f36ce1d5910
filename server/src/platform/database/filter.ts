/** The conditions of a list: those whose value was given, each with its own parameter. */
export class Filter {
  readonly values: unknown[];
  readonly #conditions: string[];

  /** `first` uses the leading values; what is added gets the next ones. */
  constructor(first: string, values: readonly unknown[]) {
    this.#conditions = [first];
    this.values = [...values];
  }

  /** `?` stands for the value. A value that was not given adds nothing. */
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
