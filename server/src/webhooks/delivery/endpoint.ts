import type { Sender } from '../../platform/outbound-http/index.js';
import type { EndedAttempt } from '../outcome.rules.js';
import { type KeyPair, keyPairOf, keysAt, type SigningKey } from '../signing.js';
import type { Subscription } from '../webhook.js';
import type { EndpointFacts, EndpointKey, HeldLease } from './lease.store.js';
import type { FeedEvent } from './supply.store.js';

/** A push that is to be made. */
export interface PushItem {
  event: FeedEvent;
  /** Attempts made before. */
  attempts: number;
  /** False: straight from the feed, and nothing is stored about it yet. */
  stored: boolean;
}

export interface Ended {
  attempt: EndedAttempt;
  stored: boolean;
}

export const keyText = ({ orgId, webhookId }: EndpointKey): string => `${orgId} ${webhookId}`;

/** Rows are locked in one order by all. */
export const byKey = (a: EndpointKey, b: EndpointKey): number =>
  a.orgId < b.orgId || (a.orgId === b.orgId && a.webhookId < b.webhookId) ? -1 : 1;

const covers = (subscriptions: readonly Subscription[], event: FeedEvent): boolean =>
  subscriptions
    .findLast((subscription) => subscription.afterPosition < event.position)
    ?.eventTypes.includes(event.eventType) ?? false;

/**
 * One webhook configuration in the hands of the process that holds its lease: what is to be sent, what is under way,
 * and up to where everything is settled.
 */
export class Endpoint {
  readonly orgId: string;
  readonly webhookId: string;
  readonly token: string;
  readonly sender: Sender;
  facts: EndpointFacts;
  #keys: KeyPair;

  /** The last place given in the organization's feed, as far as is known here. */
  head: number;
  /** Every event up to here has been looked at. */
  read: number;
  /** Something stored may be due. */
  due: boolean;
  /** Monotonic; nothing is begun that could still be under way then. */
  safeUntilMs = 0;
  idleSinceMs = 0;
  lastRecoveryMs = Number.NEGATIVE_INFINITY;
  supplying = false;
  supplyAgain = false;
  /** Handed over to another worker as soon as nothing is under way. */
  leaving = false;
  writing = false;
  results: Ended[] = [];

  #queue: PushItem[] = [];
  readonly #busyEntities = new Set<string>();
  readonly #taken = new Set<number>();
  readonly #storedTaken = new Set<number>();
  #window: number[] = [];
  readonly #settled = new Set<number>();
  /** Stretches of the feed read by older subscriptions, and to be read again for what those did not cover. */
  #passed: { upTo: number; subscriptions: readonly Subscription[] }[] = [];
  #writtenTo: number;

  constructor(facts: EndpointFacts, token: string, sender: Sender, open: (sealed: string) => string) {
    this.orgId = facts.orgId;
    this.webhookId = facts.webhookId;
    this.token = token;
    this.sender = sender;
    this.facts = facts;
    this.#keys = keyPairOf(facts, open);
    this.due = facts.hasDue;
    this.head = facts.head;
    this.read = facts.settledTo;
    this.#writtenTo = facts.settledTo;
  }

  /** The configuration has changed; what is queued was decided by its old one and stays. */
  refresh(facts: EndpointFacts, open: (sealed: string) => string): void {
    const [before, after] = [this.facts.subscriptions.at(-1), facts.subscriptions.at(-1)];
    const changedAt = after?.afterPosition ?? 0;
    const isOther =
      changedAt !== before?.afterPosition || after?.eventTypes.join() !== before.eventTypes.join();
    if (isOther && changedAt < this.read) {
      // From there on the types may be others than those by which it was read: once more, for what is new.
      this.#passed.push({ upTo: this.read, subscriptions: this.facts.subscriptions });
      this.read = changedAt;
    }
    this.facts = facts;
    this.#keys = keyPairOf(facts, open);
    this.due ||= facts.hasDue;
  }

  signingKeys(at: Date): [SigningKey, SigningKey | null] {
    return keysAt(this.#keys, this.facts.overlapUntil, at);
  }

  /** Something was missed while it was disabled, or it still is: that is noted, not sent. */
  get mustSkip(): boolean {
    if (this.facts.status === 'disabled') return this.read < this.head || this.queueLength > 0;
    return this.read < this.facts.sendFrom;
  }

  /** Of these events, the ones it subscribed to and that nobody settled before. */
  matching(events: readonly FeedEvent[]): FeedEvent[] {
    const { customerCode, subscriptions, settledBeyond } = this.facts;
    return events.filter((event) => {
      if (customerCode !== null && event.customerCode !== customerCode) return false;
      if (!covers(subscriptions, event)) return false;
      if (this.#passed.some(({ upTo, subscriptions: old }) => event.position <= upTo && covers(old, event)))
        return false;
      return settledBeyond.length === 0 || !settledBeyond.includes(event.position);
    });
  }

  offerLive(events: readonly FeedEvent[], upTo: number): void {
    let disordered = false;
    for (const event of events) {
      this.#queue.push({ event, attempts: 0, stored: false });
      if (event.position < (this.#window.at(-1) ?? 0)) disordered = true;
      this.#window.push(event.position);
    }
    if (disordered) this.#window.sort((a, b) => a - b);
    this.read = Math.max(this.read, upTo);
    this.#passed = this.#passed.filter((passed) => passed.upTo > this.read);
  }

  /** What is due again is older than what is new, and goes first. */
  offerStored(items: readonly PushItem[]): void {
    for (const item of items) this.#storedTaken.add(item.event.position);
    const waiting = this.#queue.filter((item) => item.stored);
    this.#queue = [...waiting, ...items, ...this.#queue.filter((item) => !item.stored)];
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  get storedTaken(): number[] {
    return [...this.#storedTaken, ...this.#taken];
  }

  /** The next push whose entity has none under way, while there is room. */
  take(atOnceMax: number): PushItem | null {
    if (this.#taken.size >= atOnceMax || this.leaving || this.facts.status === 'disabled') return null;
    const index = this.#queue.findIndex(
      ({ event }) => !this.#busyEntities.has(event.entity) && !this.#taken.has(event.position),
    );
    const item = this.#queue[index];
    if (!item) return null;
    if (index === 0) this.#queue.shift();
    else this.#queue.splice(index, 1);
    this.#taken.add(item.event.position);
    this.#busyEntities.add(item.event.entity);
    return item;
  }

  ended({ event, stored }: PushItem, attempt: EndedAttempt): void {
    this.#taken.delete(event.position);
    this.#busyEntities.delete(event.entity);
    this.results.push({ attempt, stored });
  }

  /** Counts these as settled; the answer is written together with them. */
  settle(results: readonly Ended[]): number {
    // What is stored, or was skipped meanwhile, is settled already.
    const first = this.#window[0] ?? Number.POSITIVE_INFINITY;
    for (const { attempt, stored } of results)
      if (!stored && attempt.position >= first) this.#settled.add(attempt.position);
    return this.#settledTo();
  }

  #settledTo(): number {
    let first = 0;
    for (; first < this.#window.length; first++) {
      const position = this.#window[first];
      if (position === undefined || !this.#settled.delete(position)) break;
    }
    if (first > 0) this.#window = this.#window.slice(first);
    return Math.min(this.read, (this.#window[0] ?? Number.POSITIVE_INFINITY) - 1);
  }

  /** The results given to `settle` are in the database. */
  wrote(results: readonly Ended[], settledTo: number): void {
    for (const { attempt, stored } of results) if (stored) this.#storedTaken.delete(attempt.position);
    this.#writtenTo = Math.max(this.#writtenTo, settledTo);
  }

  /** Everything up to `position` is noted as skipped: nothing of it will be sent from here. */
  skipped(position: number): void {
    this.#queue = [];
    this.#storedTaken.clear();
    this.#window = [];
    this.#settled.clear();
    this.read = Math.max(this.read, position);
    this.#writtenTo = Math.max(this.#writtenTo, position);
  }

  /** Up to where it is settled and written: also past what did not match. */
  get lease(): HeldLease {
    const { orgId, webhookId, token } = this;
    const nothingUnwritten = this.results.length === 0 && !this.writing;
    const settledTo = nothingUnwritten ? this.#settledTo() : this.#writtenTo;
    return { orgId, webhookId, token, settledTo, version: this.facts.version };
  }

  /** Nothing to send, nothing under way, nothing to write. */
  get isIdle(): boolean {
    const nothingDue = !this.due || this.facts.status === 'disabled';
    return this.#queue.length === 0 && this.isQuiet && nothingDue && this.read >= this.head;
  }

  get isQuiet(): boolean {
    return this.#taken.size === 0 && this.results.length === 0 && !this.writing && !this.supplying;
  }
}
