import { type Pool, statement } from '../../platform/database/index.js';

const add = statement(`
  insert into intake_counts (source, outcome, count) select 'mqtt', c.outcome, c.count
  from unnest($1::text[], $2::bigint[]) as c(outcome, count) order by c.outcome
  on conflict (source, outcome) do update set count = intake_counts.count + excluded.count returning 1`);
const read = statement(`select outcome, count from intake_counts where source = 'mqtt'`);

export async function addIntakeCounts(worker: Pool, counts: ReadonlyMap<string, number>): Promise<void> {
  if (counts.size > 0) await worker.query(add, [[...counts.keys()], [...counts.values()]]);
}

/** Totals over all workers since the installation was created. */
export async function readIntakeCounts(worker: Pool): Promise<{ outcome: string; count: number }[]> {
  return worker.query(read, []);
}
