import { type Database, type Tx, transact } from '../platform/database/index.js';
import { claimDemoStep } from './demo.store.js';
import type { People, Person } from './work-order.js';

const HOUR_MS = 3_600_000;

/** Performs a step of the demo once, by one of its users, as if some hours ago. */
export type PastStep = (
  step: string,
  by: Person,
  hoursAgo: number,
  work: (tx: Tx) => Promise<void>,
) => Promise<void>;

export function pastSteps(database: Database, people: People): PastStep {
  const now = database.clock.now().getTime();
  return (step, by, hoursAgo, work) => {
    const then = { ...database, clock: { now: () => new Date(now - hoursAgo * HOUR_MS) } };
    return transact(then, people[by], async (tx) => {
      if (await claimDemoStep(tx, step)) await work(tx);
    });
  };
}
