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
  /** The numbered events in order, and the incarnation of the database; null: they were not wanted, or have to be read. */
  read: { events: FeedEvent[]; incarnation: string } | null;
  /** The answer of `also`; null: it has to be asked for. */
  also: T | null;
}

/**
 * As `sequenceNextEvents`, with the events and the answer of another statement that sees them numbered: for the worker that pushes
 * them, all in one flight. `withEvents`: whether they are wanted.
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
