import { type Pool, statement } from '../platform/database/index.js';

const make = statement('select make_readings_month($1)');
const drop = statement('select drop_old_readings($1) as dropped');

/**
 * Creates the table for the month of the day and moves the readings of that month into it. Does nothing if the table exists.
 */
export async function makeReadingsMonth(worker: Pool, day: string): Promise<void> {
  await worker.query(make, [day]);
}

/** Returns the number of months dropped. */
export async function dropReadingsBefore(worker: Pool, day: string): Promise<number> {
  const [row] = await worker.query<{ dropped: number }>(drop, [day]);
  return row?.dropped ?? 0;
}
