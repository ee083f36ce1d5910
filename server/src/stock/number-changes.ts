import { type Database, transact } from '../platform/database/index.js';
import { Failures } from '../platform/failures.js';
import { type Principal, systemPrincipal } from '../platform/principal.js';
import {
  type ChangeMark,
  createHead,
  markExpired,
  type NumberedChange,
  organizationsWithMarks,
  readFeedState,
  saveNumbered,
  takeMarks,
} from './stock-change.store.js';

const BATCH = 5_000;
/**
 * Below this number, the next reader numbers them without noticeable delay. It is small, because every run counts the
 * remaining marks.
 */
const MARKS_WORTH_A_VISIT = 100;

/** Adds all changes committed before the call to the feed, and the stock that has expired since it was last read. */
export async function numberChanges(database: Database, principal: Principal): Promise<void> {
  const today = await transact(database, principal, async (tx) => {
    const { hasMarks, day } = await readFeedState(tx);
    if (day !== null && day !== tx.today) await markExpired(tx, day);
    return hasMarks || day !== tx.today ? tx.today : null;
  });
  if (today !== null) await numberAll(database, principal.orgId, today);
}

/** Keeps the marks few if nobody reads the feed. An organization that fails does not keep the others from their turn. */
export async function numberChangesEverywhere(database: Database): Promise<void> {
  const failures = new Failures();
  for (const orgId of await organizationsWithMarks(database.worker, MARKS_WORTH_A_VISIT))
    await failures.attempt(() => numberAll(database, orgId, null));
  failures.throwAny((count) => `the stock changes of ${count} organizations could not be numbered`);
}

/** `day`: expired batches are marked up to this day; null: as before. */
async function numberAll(database: Database, orgId: string, day: string | null): Promise<void> {
  const sequencer = systemPrincipal(orgId, 'sequencer@lotward.invalid');
  for (let isMore = true; isMore; )
    isMore = await transact(
      database,
      sequencer,
      async (tx) => {
        let taken = await takeMarks(tx, BATCH);
        if (!taken) {
          createHead(tx);
          taken = await takeMarks(tx, BATCH);
        }
        if (!taken) throw new Error('head of stock changes not created');
        const changes = inOrder(taken.marks, taken.position);
        const position = changes.at(-1)?.position ?? taken.position;
        saveNumbered(tx, taken.marks, changes, { position, day });
        return taken.marks.length === BATCH;
      },
      { as: 'worker' },
    );
}

/** One change per product and warehouse, at its latest instant, in the order of their last marks. */
function inOrder(marks: readonly ChangeMark[], after: number): NumberedChange[] {
  const last = new Map<string, ChangeMark>();
  for (const mark of marks) {
    const key = JSON.stringify([mark.productCode, mark.warehouse]);
    const known = last.get(key);
    // Deleted first, so that it moves to the end.
    last.delete(key);
    last.set(key, known && known.markedAt > mark.markedAt ? known : mark);
  }
  return [...last.values()].map(({ productCode, warehouse, markedAt }, i) => ({
    ...{ productCode, warehouse, position: after + i + 1, changedAt: markedAt },
  }));
}
