import { type Database, type Tx, transact, transactTogether } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { numberAndRead, numberNextEvents } from './event.store.js';
import type { FeedEvent } from './feed-event.js';

const BATCH = 1_000;
const sequencer = (orgId: string) => systemPrincipal(orgId, 'sequencer@lotward.invalid');

export interface Sequenced {
  /** The last position given. */
  head: number;
  /** How many positions were given. */
  numbered: number;
  hasMore: boolean;
}

/** Gives the next committed events their positions in the feed. Safe to run concurrently. */
export async function sequenceNextEvents(database: Database, orgId: string): Promise<Sequenced> {
  return transact(
    database,
    sequencer(orgId),
    async (tx) => {
      const { head, numbered } = await numberNextEvents(tx, BATCH);
      return { head, numbered, hasMore: numbered === BATCH };
    },
    { as: 'worker' },
  );
}

/** Numbers everything committed so far; returns the last position given. */
export async function sequenceEvents(database: Database, orgId: string): Promise<number> {
  for (;;) {
    const { head, hasMore } = await sequenceNextEvents(database, orgId);
    if (!hasMore) return head;
  }
}

export interface SequencedAndRead<T> extends Sequenced {
  /**
   * The numbered events in order, and the incarnation of the database; null if they were not requested or must be read
   * separately.
   */
  read: { events: FeedEvent[]; incarnation: string } | null;
  /** The result of `also`; null if it must be queried separately. */
  also: T | null;
}

/**
 * Like `sequenceNextEvents`, and returns the events with the result of another statement that sees them numbered: the worker
 * that pushes them needs only one round trip. `withEvents`: whether they are needed.
 */
export async function sequenceAndRead<T>(
  database: Database,
  orgId: string,
  withEvents: boolean,
  also: (tx: Tx) => Promise<T>,
): Promise<SequencedAndRead<T>> {
  const [{ head, waiting, events, incarnation }, answer] = await transactTogether(
    database,
    sequencer(orgId),
    (tx) => [numberAndRead(tx, BATCH, withEvents), also(tx)] as const,
    { as: 'worker' },
  );
  if (head !== null) {
    const read = withEvents ? { events, incarnation } : null;
    return { head, numbered: waiting, hasMore: waiting === BATCH, read, also: answer };
  }
  return { ...(await sequenceNextEvents(database, orgId)), read: null, also: null };
}
