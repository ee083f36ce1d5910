import { failure, type UdiFailure } from '../failure.js';

/** Values found in the parts of a HIBC code, by field or by name in `other`. A repeated value must be the same. */
export class HibcFields {
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
