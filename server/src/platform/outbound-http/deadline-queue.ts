/** An operation that must end by a given instant (of `performance.now()`). */
export interface Expiring<T> {
  readonly expiresAt: number;
  earlier: T | null;
  later: T | null;
}

/**
 * Items with the same time to live: they expire in the order of their arrival, so a single timer for the oldest is enough for
 * thousands. They can be removed in any order.
 */
export class DeadlineQueue<T extends Expiring<T>> {
  private eldest: T | null = null;
  private youngest: T | null = null;
  private timer: NodeJS.Timeout | null = null;
  private readonly expire: (item: T) => void;

  /** `expire` must remove the item. */
  constructor(expire: (item: T) => void) {
    this.expire = expire;
  }

  add(item: T): void {
    item.earlier = this.youngest;
    if (this.youngest) this.youngest.later = item;
    else this.eldest = item;
    this.youngest = item;
    if (this.timer === null) this.watch(item);
  }

  remove(item: T): void {
    if (item.earlier) item.earlier.later = item.later;
    else this.eldest = item.later;
    if (item.later) item.later.earlier = item.earlier;
    else this.youngest = item.earlier;
    item.earlier = null;
    item.later = null;
  }

  all(): T[] {
    const items: T[] = [];
    for (let item = this.eldest; item; item = item.later) items.push(item);
    return items;
  }

  /** The timer keeps running when its item is removed, and then continues with the oldest one left. */
  private watch(item: T): void {
    const inMs = Math.max(1, Math.ceil(item.expiresAt - performance.now()));
    this.timer = setTimeout(() => {
      this.timer = null;
      const now = performance.now();
      while (this.eldest && this.eldest.expiresAt <= now) this.expire(this.eldest);
      if (this.eldest) this.watch(this.eldest);
    }, inMs);
    // Pending responses alone do not keep the process alive.
    this.timer.unref();
  }
}
