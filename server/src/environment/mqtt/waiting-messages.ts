import { type Database, type Tx, transact } from '../../platform/database/index.js';
import { Unavailable } from '../../platform/errors/index.js';
import { FairQueue } from '../../platform/fair-queue/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import { countMessages, insertMessage, readOldestMessages, removeMessage } from './intake-messages.store.js';

export interface WaitingOptions {
  database: Database;
  /** Records the readings of a message. If it throws, it is retried and delays only its own organization. */
  onMessage(topic: string, payload: Buffer): Promise<void>;
  onError(error: unknown): void;
  perOrganizationMax?: number;
  countAgainMs?: number;
}

export interface WaitingMessages {
  /** Stores the message; false if too many of its organization are waiting. */
  add(orgId: string, topic: string, payload: Buffer): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Serves several organizations concurrently, but the messages of each in sequence, because the order of readings matters.
 */
const PLACES = {
  atOnce: 4,
  atOncePerOwner: 1,
  waitingMax: Number.POSITIVE_INFINITY,
  waitingPerOwnerMax: 1,
  waitMs: 60_000,
  reason: 'overloaded',
} as const;
const PER_ORGANIZATION_MAX = 10_000;
/** With the largest payloads, this many take 16 MB. */
const READ_MAX = 16;
const LOOK_AGAIN_MS = 1_000;
const COUNT_AGAIN_MS = 10_000;
const ACTOR = 'mqtt@lotward.invalid';

/**
 * Keeps messages in the database until their readings are recorded, in turn by organization. A message whose processing was
 * interrupted is recorded again: readings stored before are duplicates and change nothing.
 */
export async function openWaitingMessages(options: WaitingOptions): Promise<WaitingMessages> {
  const { database, perOrganizationMax = PER_ORGANIZATION_MAX, countAgainMs = COUNT_AGAIN_MS } = options;
  const places = new FairQueue(PLACES);
  const waiting = new Map<string, number>();
  const active = new Map<string, Promise<void>>();
  let stopped = false;

  const asWorker = <T>(orgId: string, work: (tx: Tx) => Promise<T>) =>
    transact(database, systemPrincipal(orgId, ACTOR), work, { as: 'worker' });
  const note = (orgId: string, change: number) => {
    const left = Math.max(0, (waiting.get(orgId) ?? 0) + change);
    if (left > 0) waiting.set(orgId, left);
    else waiting.delete(orgId);
  };
  /** False when nothing is left. */
  const recordNext = async (orgId: string): Promise<boolean> => {
    const known = waiting.get(orgId);
    const messages = await asWorker(orgId, (tx) => readOldestMessages(tx, READ_MAX));
    for (const { messageId, topic, payload } of messages) {
      if (stopped) return false;
      await options.onMessage(topic, payload);
      await asWorker(orgId, (tx) => removeMessage(tx, messageId));
      note(orgId, -1);
    }
    // A message added meanwhile may have come too late to be read.
    if (messages.length === 0 && waiting.get(orgId) === known) waiting.delete(orgId);
    return (messages.length > 0 || waiting.has(orgId)) && !stopped;
  };
  const recordAll = async (orgId: string) => {
    try {
      while (await places.run(orgId, () => recordNext(orgId)));
    } catch (error) {
      // Retried at the next poll.
      if (!(error instanceof Unavailable && error.reason === 'overloaded')) options.onError(error);
    }
  };
  const begin = (orgId: string) => {
    if (stopped || active.has(orgId)) return;
    active.set(
      orgId,
      recordAll(orgId).finally(() => active.delete(orgId)),
    );
  };
  const look = () => {
    for (const orgId of waiting.keys()) begin(orgId);
  };
  /** Finds messages that an earlier leader has left. */
  const countAgain = async () => {
    for (const { orgId, count } of await countMessages(database.worker))
      if (!waiting.has(orgId)) waiting.set(orgId, count);
    look();
  };
  await countAgain();
  const timers = [
    // Also finds a message that arrived just as the previous one was finished.
    setInterval(look, LOOK_AGAIN_MS).unref(),
    // An earlier leader may store one more message before it learns that it has lost the lead.
    setInterval(() => countAgain().catch(options.onError), countAgainMs).unref(),
  ];
  return {
    async add(orgId, topic, payload) {
      if ((waiting.get(orgId) ?? 0) >= perOrganizationMax) return false;
      await asWorker(orgId, (tx) => insertMessage(tx, topic, payload));
      note(orgId, 1);
      begin(orgId);
      return true;
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(active.values());
    },
  };
}
