import type { FeedEvent } from '../../events/index.js';
import { matcherOf } from '../code-filter.rules.js';
import { isUrgent } from '../urgent.js';
import type { Subscription } from '../webhook.js';
import type { EndpointFacts } from './lease.store.js';

/** The sets of codes are built once per subscription, not for every event. */
const matchers = new WeakMap<Subscription, ReturnType<typeof matcherOf>>();
function matches(subscription: Subscription, event: FeedEvent): boolean {
  let matcher = matchers.get(subscription);
  if (!matcher) {
    matcher = matcherOf(subscription.filter);
    matchers.set(subscription, matcher);
  }
  return subscription.eventTypes.includes(event.eventType) && matcher(event.concerns);
}

function covers(subscriptions: readonly Subscription[], event: FeedEvent): boolean {
  const subscription = subscriptions.findLast(({ afterPosition }) => afterPosition < event.position);
  return subscription !== undefined && matches(subscription, event);
}

const isSame = (a: Subscription, b: Subscription): boolean =>
  a.afterPosition === b.afterPosition &&
  a.eventTypes.join() === b.eventTypes.join() &&
  JSON.stringify(a.filter) === JSON.stringify(b.filter);

type Selection = Pick<EndpointFacts, 'customerCode' | 'subscriptions'>;

/** Selects the events of the feed that a webhook receives. */
export class EventFilter {
  #selection: Selection;
  /**
   * Positions not to be selected again: settled beyond the watermark when the lease was taken, or queued ahead of the feed.
   */
  readonly #taken: Set<number>;
  /** Stretches of the feed already read with older subscriptions. */
  #alreadyRead: { upTo: number; subscriptions: readonly Subscription[] }[] = [];

  constructor(facts: Selection & Pick<EndpointFacts, 'settledBeyond'>) {
    this.#selection = facts;
    this.#taken = new Set(facts.settledBeyond);
  }

  /** Whether any subscription, even an earlier one, has a type that is pushed before others. */
  get hasUrgentTypes(): boolean {
    return this.#selection.subscriptions.some(({ eventTypes }) => eventTypes.some(isUrgent));
  }

  /**
   * Applies changed subscriptions. Returns the position after which the feed must be read again, because it was read up to
   * `readTo` for other types.
   */
  change(next: Selection, readTo: number): number {
    const { subscriptions } = this.#selection;
    this.#selection = next;
    // Several changes may become known together: the first of them counts, even if a later one undid it.
    const firstNew = next.subscriptions.find((each) => !subscriptions.some((known) => isSame(known, each)));
    if (!firstNew || firstNew.afterPosition >= readTo) return readTo;
    this.#alreadyRead.push({ upTo: readTo, subscriptions });
    return firstNew.afterPosition;
  }

  select(events: readonly FeedEvent[]): FeedEvent[] {
    const { customerCode, subscriptions } = this.#selection;
    return events.filter(
      (event) =>
        (customerCode === null ? !event.isCustomerView : event.customerCode === customerCode) &&
        covers(subscriptions, event) &&
        !this.#wasSelected(event) &&
        !this.#taken.has(event.position),
    );
  }

  /** These are queued ahead of the feed, so reading the feed skips them. */
  noteTaken(events: readonly FeedEvent[]): void {
    for (const { position } of events) this.#taken.add(position);
  }

  #wasSelected(event: FeedEvent): boolean {
    return this.#alreadyRead.some(
      ({ upTo, subscriptions }) => event.position <= upTo && covers(subscriptions, event),
    );
  }

  /** The feed was read up to here with the current subscription. */
  noteRead(readTo: number): void {
    this.#alreadyRead = this.#alreadyRead.filter(({ upTo }) => upTo > readTo);
  }
}
