import { putPoint, recordReadings } from '../environment/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { claimDemoStep } from './demo.store.js';
import { DAYS_OF_READINGS, demoPoints, demoReadings } from './environment.rules.js';
import type { People } from './work-order.js';

const DAY_MS = 86_400_000;
/** Longer than the demo's history, so that the installation's retention does not matter. */
const RETENTION_DAYS = 30;

/** Loads monitoring points and a week of readings, one step per day, recorded at the time of each reading. */
export async function loadReadings(database: Database, people: People): Promise<void> {
  await transact(database, people.quality, async (tx) => {
    if (!(await claimDemoStep(tx, 'points'))) return;
    for (const { pointId, put } of demoPoints())
      await putPoint(tx, pointId, { ...put, name: people.words.say(put.name) });
  });
  const now = database.clock.now();
  for (let day = 0; day < DAYS_OF_READINGS; day++) {
    const then = new Date(now.getTime() - (DAYS_OF_READINGS - 1 - day) * DAY_MS);
    await transact({ ...database, clock: { now: () => then } }, people.warehouse, async (tx) => {
      if (await claimDemoStep(tx, `readings/${day}`))
        await recordReadings(tx, demoReadings(now, day), { retentionDays: RETENTION_DAYS });
    });
  }
}
