import { type FeedType, publishEvents } from '../events/index.js';
import { dayNumber } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';

/** An event about something that became notable because time passed or stock changed. */
export interface Notification {
  type: FeedType;
  entity: { type: string; id: string };
  data: object;
}

/**
 * Inserts a row for each candidate, and returns the notifications of the rows inserted. A unique key lets one transaction
 * insert each row; the others return nothing for it.
 */
export type Claim<Candidate> = (tx: Tx, candidates: readonly Candidate[]) => Promise<Notification[]>;

/** The result of one batch of a scan. */
export interface NotifiedBatch {
  /** How many candidates the scan found; fewer than its limit means that none are left. */
  found: number;
  notified: string[];
}

/**
 * Sends each notification once, however many transactions find it due: claimed by a row, published as an event of the same
 * transaction. Returns the ids of the entities notified about.
 */
export async function notifyOnce<Candidate>(
  tx: Tx,
  candidates: readonly Candidate[],
  claim: Claim<Candidate>,
): Promise<string[]> {
  if (candidates.length === 0) return [];
  const notifications = await claim(tx, candidates);
  await publishEvents(
    tx,
    notifications.map(({ type, entity, data }) => ({
      type,
      at: tx.now,
      // At most one per day, so the day serves as the version. Of two certificate thresholds on one day `at` decides.
      entity: { ...entity, version: dayNumber(tx.today) },
      customerCode: null,
      data,
    })),
  );
  return notifications.map(({ entity }) => entity.id);
}
