import { type Pool, statement } from '../database/index.js';

const databaseNow = statement('select now() as now');
const take = statement(`
  insert into leases (name, holder, held_until) values ($1, $2, $3)
  on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
  where leases.holder = excluded.holder or leases.held_until < $4 returning 1`);
const giveBack = statement('delete from leases where name = $1 and holder = $2');

/** Takes or renews the lease; false if another process holds it. Uses the database's clock, which all processes share. */
export async function takeLease(pool: Pool, name: string, holder: string, forMs: number): Promise<boolean> {
  const [row] = await pool.query<{ now: Date }>(databaseNow, []);
  if (!row) throw new Error('the database returned no time');
  const until = new Date(row.now.getTime() + forMs);
  return (await pool.query(take, [name, holder, until, row.now])).length > 0;
}

export async function releaseLease(pool: Pool, name: string, holder: string): Promise<void> {
  await pool.query(giveBack, [name, holder]);
}
