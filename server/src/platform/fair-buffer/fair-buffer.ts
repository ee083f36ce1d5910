interface Held<T> {
  items: T[];
  /** Its oldest item, once it has begun to replace its own items. */
  oldest: number;
}

/**
 * Holds a bounded number of items until they are taken. Once full, an owner with its share or more replaces its own oldest
 * item, and one with less replaces an item of the owner with the most: a flood from one owner evicts nothing of the others.
 */
export class FairBuffer<T> {
  readonly #max: number;
  #owners = new Map<string, Held<T>>();
  #size = 0;
  #dropped = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many items were evicted so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether an item of the owner would fit without evicting another of its own. */
  hasRoomFor(owner: string): boolean {
    if (this.#size < this.#max) return true;
    return (this.#owners.get(owner)?.items.length ?? 0) < this.#max / this.#owners.size;
  }

  add(owner: string, item: T): void {
    let own = this.#owners.get(owner);
    if (!own) {
      own = { items: [], oldest: 0 };
      this.#owners.set(owner, own);
    }
    if (this.#size < this.#max) {
      own.items.push(item);
      this.#size++;
      return;
    }
    this.#dropped++;
    if (own.items.length > 0 && own.items.length >= this.#max / this.#owners.size) {
      own.items[own.oldest] = item;
      own.oldest = (own.oldest + 1) % own.items.length;
      return;
    }
    this.#removeOfLargest();
    own.items.push(item);
  }

  /** Empties the buffer. Items of one owner stay together. */
  take(): T[] {
    const all = [...this.#owners.values()].flatMap(({ items }) => items);
    this.#owners = new Map();
    this.#size = 0;
    return all;
  }

  #removeOfLargest(): void {
    let largest: Held<T> | undefined;
    for (const held of this.#owners.values())
      if (!largest || held.items.length > largest.items.length) largest = held;
    largest?.items.splice(largest.oldest, 1);
    if (largest && largest.oldest >= largest.items.length) largest.oldest = 0;
  }
}
