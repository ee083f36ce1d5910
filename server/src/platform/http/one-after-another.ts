import { FairQueue, type FairQueueLimits } from '../fair-queue/index.js';
import type { AnyWriteRoute, Call } from './route.js';

/** A few concurrently, so that the next is prepared while one commits. The database would let only one through anyway. */
const LIMITS: FairQueueLimits = {
  atOnce: 1_000,
  atOncePerOwner: 3,
  waitingMax: 2_000,
  waitingPerOwnerMax: 128,
  waitMs: 3_000,
  reason: 'record_locked',
};

/**
 * Writes that change the same record wait here, without a database connection. In the database, each would hold a connection
 * while it waits for the record's lock, until none is left for other requests of the organization.
 */
export class OneAfterAnother {
  readonly #places = new FairQueue(LIMITS);

  async run<T>(route: AnyWriteRoute, call: Call<never, never, never>, work: () => Promise<T>): Promise<T> {
    const record = route.changes?.(call);
    if (record === undefined) return work();
    return this.#places.run(`${call.principal.orgId} ${record}`, work);
  }
}
