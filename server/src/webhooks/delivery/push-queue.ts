import type { FeedEvent } from '../../events/index.js';
import { isUrgent } from '../urgent.js';

/** A push to be made. */
export interface PushItem {
  event: FeedEvent;
  /** The number of earlier attempts. */
  attempts: number;
  /** False if the push comes straight from the feed and has no row. */
  isStored: boolean;
}

/**
 * The waiting and in-flight pushes of one endpoint, at most one in flight per entity, so that those of an entity keep their
 * order.
 */
export class PushQueue {
  /** Taken before all others. */
  #urgent: PushItem[] = [];
  #waiting: PushItem[] = [];
  readonly #inFlight = new Set<number>();
  readonly #busyEntities = new Set<string>();
  /** Rows queued or in flight, until their result is written. */
  readonly #stored = new Set<number>();

  get length(): number {
    return this.#urgent.length + this.#waiting.length;
  }

  get hasInFlight(): boolean {
    return this.#inFlight.size > 0;
  }

  /** Rows that must not be read from the database again. */
  get reserved(): number[] {
    return [...this.#stored, ...this.#inFlight];
  }

  addLive(events: readonly FeedEvent[]): void {
    for (const event of events)
      (isUrgent(event.eventType) ? this.#urgent : this.#waiting).push({
        event,
        attempts: 0,
        isStored: false,
      });
  }

  /** Stored pushes are older than live ones, so they go first. */
  addStored(items: readonly PushItem[]): void {
    for (const item of items) this.#stored.add(item.event.position);
    const urgent = items.filter(({ event }) => isUrgent(event.eventType));
    this.#urgent = behindStored(this.#urgent, urgent);
    this.#waiting = behindStored(
      this.#waiting,
      items.filter((item) => !urgent.includes(item)),
    );
  }

  /** Removes and returns the next push whose entity has none in flight. */
  take(inFlightMax: number): PushItem | null {
    if (this.#inFlight.size >= inFlightMax) return null;
    const item = this.#takeFrom(this.#urgent) ?? this.#takeFrom(this.#waiting);
    if (!item) return null;
    this.#inFlight.add(item.event.position);
    this.#busyEntities.add(item.event.entity);
    return item;
  }

  #takeFrom(items: PushItem[]): PushItem | null {
    const index = items.findIndex(
      ({ event }) => !this.#busyEntities.has(event.entity) && !this.#inFlight.has(event.position),
    );
    if (index === 0) return items.shift() ?? null;
    return index === -1 ? null : (items.splice(index, 1)[0] ?? null);
  }

  /** Ends the flight of a push. */
  land({ event }: PushItem): void {
    this.#inFlight.delete(event.position);
    this.#busyEntities.delete(event.entity);
  }

  /** The result of a stored push is in its row, which may be read again. */
  releaseStored(position: number): void {
    this.#stored.delete(position);
  }

  clear(): void {
    this.#urgent = [];
    this.#waiting = [];
    this.#stored.clear();
  }
}

/** Inserts `added` after the stored pushes and before the live ones. */
function behindStored(items: readonly PushItem[], added: readonly PushItem[]): PushItem[] {
  if (added.length === 0) return [...items];
  return [...items.filter((item) => item.isStored), ...added, ...items.filter((item) => !item.isStored)];
}
