import { performance } from 'node:perf_hooks';
import type { FeedEvent } from '../../events/index.js';
import type { Clock } from '../../platform/clock/index.js';
import type { Sender } from '../../platform/outbound-http/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import type { OwnHeaders } from '../header.rules.js';
import type { EndedAttempt } from '../outcome.rules.js';
import { openHeaders } from '../sealed-headers.store.js';
import { openerFor } from '../sealed-secrets.store.js';
import { type KeyPair, keyPairOf, keysAt, type SigningKey } from '../signing.js';
import { EventFilter } from './event-filter.js';
import { FeedProgress } from './feed-progress.js';
import type { EndpointFacts, EndpointKey, HeldLease } from './lease.store.js';
import { type PushItem, PushQueue } from './push-queue.js';

export interface PushResult {
  attempt: EndedAttempt;
  isStored: boolean;
}

/** Results being written, with the watermark that applies once they are. */
export interface ResultBatch {
  results: readonly PushResult[];
  watermark: number;
  /** The configuration the watermark was computed with. */
  version: number;
}

export const keyText = ({ orgId, webhookId }: EndpointKey): string => `${orgId} ${webhookId}`;

/** The order in which every process locks rows. */
export const byKey = (a: EndpointKey, b: EndpointKey): number =>
  a.orgId < b.orgId || (a.orgId === b.orgId && a.webhookId < b.webhookId) ? -1 : 1;

/** Concurrent pushes to an endpoint that has not answered yet: if it hangs, only these are stuck. */
const UNANSWERED_MAX = 2;
/** After this many consecutive failures, an endpoint counts as down; one that has never answered, after its first pushes. */
const DOWN_AFTER = 10;
/** Pauses double up to this multiple, but not for an endpoint that has answered: its recovery must be noticed soon. */
const PAUSE_GROWTH_MAX = 8;

/**
 * One webhook in the process that holds its lease. Its state changes only through these methods, which stand in the order
 * of the stages that call them: lease, configuration, numbering, supply, push, record.
 */
export class Endpoint {
  readonly orgId: string;
  readonly webhookId: string;
  readonly token: string;
  readonly sender: Sender;
  readonly sandbox: boolean;
  #facts: EndpointFacts;
  #keys: KeyPair;
  #headers: OwnHeaders;

  readonly #filter: EventFilter;
  readonly #progress: FeedProgress;
  readonly #queue = new PushQueue();
  #head: number;
  /** Urgent events up to this position were queued ahead of the feed. */
  #urgentReadTo = 0;
  /** Stored pushes may be due. */
  #hasDue: boolean;
  #safeUntilMs: number;
  #activeAtMs = performance.now();
  #isDraining = false;
  #isSupplying = false;
  #isSupplyRequested = false;
  #hasAnswered = false;
  #failuresInRow = 0;
  #pausedUntilMs = 0;
  #isWriting = false;
  #unwritten: PushResult[] = [];

  constructor(
    facts: EndpointFacts,
    lease: { token: string; safeUntilMs: number },
    sender: Sender,
    box: SecretBox,
  ) {
    this.orgId = facts.orgId;
    this.webhookId = facts.webhookId;
    this.token = lease.token;
    this.sender = sender;
    this.sandbox = facts.sandbox;
    this.#facts = facts;
    this.#keys = keyPairOf(facts, openerFor(box, facts.orgId, facts.webhookId));
    this.#headers = openHeaders(box, facts.orgId, facts.webhookId, facts.headers);
    this.#filter = new EventFilter(facts);
    this.#progress = new FeedProgress(facts.watermark);
    this.#head = facts.head;
    this.#hasDue = facts.hasDue;
    this.#safeUntilMs = lease.safeUntilMs;
  }

  // Lease

  /** `safeUntilMs`, monotonic: no push is started that could still be in flight at that time. */
  extendLease(safeUntilMs: number): void {
    this.#safeUntilMs = safeUntilMs;
  }

  hasLeaseFor(durationMs: number): boolean {
    return this.#safeUntilMs - performance.now() >= durationMs;
  }

  /** No new push is started: another worker gets the webhook as soon as nothing is in flight. */
  drain(): void {
    this.#isDraining = true;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** The lease, with the watermark that is safe to write, which includes events that did not match. */
  get lease(): HeldLease {
    const { orgId, webhookId, token, version } = this;
    const hasUnwritten = this.#unwritten.length > 0 || this.#isWriting;
    const watermark = hasUnwritten ? this.#progress.writtenWatermark : this.#progress.watermark;
    return { orgId, webhookId, token, watermark, version };
  }

  /** Nothing is in flight, being read, or waiting to be written. */
  get isQuiet(): boolean {
    const isWritten = this.#unwritten.length === 0 && !this.#isWriting;
    return isWritten && !this.#queue.hasInFlight && !this.#isSupplying;
  }

  /** Quiet, with nothing to send, and without activity for this long. */
  hasIdledFor(durationMs: number): boolean {
    const hasNothingDue = !this.#hasDue || this.isDisabled;
    const isIdle = this.isQuiet && this.#queue.length === 0 && hasNothingDue && !this.hasUnread;
    return isIdle && performance.now() - this.#activeAtMs > durationMs;
  }

  // Configuration

  get version(): number {
    return this.#facts.version;
  }

  get callbackUrl(): string {
    return this.#facts.callbackUrl;
  }

  /** The incarnation of the database that gave the lease. */
  get incarnation(): string {
    return this.#facts.incarnation;
  }

  get isDisabled(): boolean {
    return this.#facts.status === 'disabled';
  }

  get isRecovering(): boolean {
    return this.#facts.recovering;
  }

  /**
   * Applies a changed configuration, unless a later one was read first. Queued pushes stay, because the subscription at
   * their position selected them.
   */
  reconfigure(facts: EndpointFacts, box: SecretBox): void {
    if (facts.version < this.version) return;
    const isChanged = facts.version > this.version;
    this.#facts = { ...facts, incarnation: this.#facts.incarnation };
    this.#hasDue ||= facts.hasDue;
    // Any change of a webhook reloads all webhooks of the organization.
    if (!isChanged) return;
    // Other types may be subscribed to, so urgent events are searched again. Those queued already are skipped.
    this.#urgentReadTo = 0;
    this.#progress.rewindTo(this.#filter.change(facts, this.#progress.readTo));
    this.#keys = keyPairOf(facts, openerFor(box, facts.orgId, facts.webhookId));
    this.#headers = openHeaders(box, facts.orgId, facts.webhookId, facts.headers);
  }

  disable(): void {
    this.#facts = { ...this.#facts, status: 'disabled' };
  }

  get headers(): OwnHeaders {
    return this.#headers;
  }

  signingKeys(at: Date): [SigningKey, SigningKey | null] {
    return keysAt(this.#keys, this.#facts.overlapUntil, at);
  }

  // Numbering

  /** The last position given in the feed, as far as this process knows. */
  get head(): number {
    return this.#head;
  }

  /** Returns false if this position was already known. */
  advanceHead(head: number): boolean {
    if (head <= this.#head) return false;
    this.noteWork({ head, isDue: false });
    return true;
  }

  noteWork(work: { head: number; isDue: boolean }): void {
    this.#head = Math.max(this.#head, work.head);
    this.#hasDue ||= work.isDue;
    this.#activeAtMs = performance.now();
  }

  // Supply

  get readTo(): number {
    return this.#progress.readTo;
  }

  get hasUnread(): boolean {
    return this.#progress.readTo < this.#head;
  }

  /** The position after which urgent events still have to be searched; null if there is nothing to search. */
  get urgentReadTo(): number | null {
    const readTo = Math.max(this.#progress.readTo, this.#urgentReadTo);
    return readTo < this.#head && this.hasUrgentTypes ? readTo : null;
  }

  get hasUrgentTypes(): boolean {
    return this.#filter.hasUrgentTypes;
  }

  get customerCode(): string | null {
    return this.#facts.customerCode;
  }

  get hasDue(): boolean {
    return this.#hasDue;
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  /** Events missed while the webhook was disabled are stored as skipped, not sent. */
  get mustSkip(): boolean {
    if (this.isDisabled) return this.hasUnread || this.#queue.length > 0;
    return this.#progress.readTo < this.#facts.sendFrom;
  }

  /** Returns false while a supply is running, which is then repeated. */
  startSupply(): boolean {
    this.#isSupplyRequested = this.#isSupplying;
    if (this.#isSupplying) return false;
    this.#isSupplying = true;
    return true;
  }

  /** Returns whether another supply was requested during this one, and clears the request. */
  takeSupplyRequest(): boolean {
    const isRequested = this.#isSupplyRequested;
    this.#isSupplyRequested = false;
    return isRequested;
  }

  endSupply(): void {
    this.#isSupplying = false;
  }

  markDue(): void {
    this.#hasDue = true;
  }

  /** Begins a read of due pushes. Returns the positions it must exclude. */
  startDueRead(): number[] {
    this.#hasDue = false;
    return this.#queue.reserved;
  }

  queueDue(items: readonly PushItem[]): void {
    this.#queue.addStored(items);
  }

  selectMatching(events: readonly FeedEvent[]): FeedEvent[] {
    return this.#filter.select(events);
  }

  /** Queues the matching events of the feed, which was read up to `readTo`. */
  queueLive(events: readonly FeedEvent[], readTo: number): void {
    this.#queue.addLive(events);
    this.#progress.read(
      events.map((event) => event.position),
      readTo,
    );
    this.#filter.noteRead(this.#progress.readTo);
  }

  /**
   * Queues urgent events ahead of the feed, which was searched up to `readTo`. The watermark stays where the feed was read
   * to. Other events in `selected` are stored, and sent when their entity is recovered.
   */
  queueUrgent(selected: readonly FeedEvent[], ready: readonly FeedEvent[], readTo: number): void {
    this.#filter.noteTaken(selected);
    this.#queue.addLive(ready);
    this.#progress.read(
      ready.map((event) => event.position),
      this.#progress.readTo,
    );
    this.#urgentReadTo = readTo;
  }

  /** Everything up to `position` is stored as skipped: nothing of it is sent. */
  skipTo(position: number): void {
    this.#queue.clear();
    this.#progress.skipTo(position);
  }

  // Push

  takePush(inFlightMax: number, clock: Clock): PushItem | null {
    if (this.#isDraining || this.isDisabled || this.#hasOwnerEnded(clock) || this.pauseMs > 0) return null;
    return this.#queue.take(this.#isDown ? 1 : this.#hasAnswered ? inFlightMax : UNANSWERED_MAX);
  }

  get #isDown(): boolean {
    return this.#failuresWhileDown >= 0;
  }

  /** Negative if it is not down. */
  get #failuresWhileDown(): number {
    return this.#failuresInRow - (this.#hasAnswered ? DOWN_AFTER : UNANSWERED_MAX);
  }

  /**
   * How long nothing is sent. Each push to an endpoint that is down costs a failure and its record, at the expense of
   * others. Its events wait in the feed instead, and are sent at full speed after the first success.
   */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntilMs - performance.now());
  }

  #hasOwnerEnded(clock: Clock): boolean {
    const { ownerEndsAt } = this.#facts;
    return ownerEndsAt !== null && ownerEndsAt < clock.now();
  }

  /** `pauseMs`: an endpoint that is down gets one push at a time, at first this long after the last failure. */
  endPush(item: PushItem, attempt: EndedAttempt, pauseMs: number): void {
    this.#queue.land(item);
    this.#unwritten.push({ attempt, isStored: item.isStored });
    this.#hasAnswered ||= attempt.status !== null;
    this.#failuresInRow = attempt.delivered ? 0 : this.#failuresInRow + 1;
    const growth = this.#hasAnswered ? 1 : Math.min(2 ** this.#failuresWhileDown, PAUSE_GROWTH_MAX);
    this.#pausedUntilMs = this.#isDown ? performance.now() + pauseMs * growth : 0;
  }

  // Record

  get isWriting(): boolean {
    return this.#isWriting;
  }

  get unwrittenCount(): number {
    return this.#unwritten.length;
  }

  /** Contains only successful first attempts. */
  get hasOnlyFirstSuccesses(): boolean {
    return this.#unwritten.every((result) => result.attempt.delivered && !result.isStored);
  }

  startWrite(): ResultBatch {
    const results = this.#unwritten;
    this.#unwritten = [];
    this.#isWriting = true;
    const live = results.filter((result) => !result.isStored);
    this.#progress.settle(live.map((result) => result.attempt.position));
    return { results, watermark: this.#progress.watermark, version: this.version };
  }

  /** The batch is in the database. */
  endWrite({ results, watermark, version }: ResultBatch): void {
    this.#isWriting = false;
    for (const { attempt, isStored } of results) if (isStored) this.#queue.releaseStored(attempt.position);
    // The database refuses a watermark based on an older configuration.
    if (version === this.version) this.#progress.noteWritten(watermark);
    this.#activeAtMs = performance.now();
  }

  /** The batch could not be written, and is retried together with newer results. */
  retryWrite({ results }: ResultBatch): void {
    this.#isWriting = false;
    this.#unwritten = [...results, ...this.#unwritten];
  }

  /** The lease is lost, so this process must not write results. Returns how many are dropped besides the batch. */
  abandonWrite(): number {
    const dropped = this.#unwritten.length;
    this.#isWriting = false;
    this.#unwritten = [];
    return dropped;
  }
}
