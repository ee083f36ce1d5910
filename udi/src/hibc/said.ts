import { failure, type UdiFailure } from '../failure.js';

/** What the parts of a HIBC code say, by field or by name in `other`; saying it twice alike is allowed. */
export class Said {
  readonly #values = new Map<string, string>();

  add(name: string, value: string, at: number): UdiFailure | undefined {
    const earlier = this.#values.get(name);
    if (earlier !== undefined && earlier !== value)
      return failure('conflicting_values', at, `${name} is there twice: ${earlier} and ${value}`);
    this.#values.set(name, value);
    return undefined;
  }

  all(): Record<string, string> {
    return Object.fromEntries(this.#values);
  }
}
