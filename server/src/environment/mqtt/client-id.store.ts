import { randomBytes } from 'node:crypto';
import { type Pool, statement } from '../../platform/database/index.js';

const KEY = 'mqtt client';
const keep = statement(
  'insert into instance_state (key, value) values ($1, to_jsonb($2::text)) on conflict do nothing',
);
const read = statement(`select value #>> '{}' as "clientId" from instance_state where key = $1`);

/** The name under which this installation, whichever of its workers, is known to the broker. */
export async function keptClientId(app: Pool): Promise<string> {
  // Twenty characters: every broker takes 23.
  await app.query(keep, [KEY, `lotward-${randomBytes(6).toString('hex')}`]);
  const [row] = await app.query<{ clientId: string }>(read, [KEY]);
  if (!row) throw new Error('the client id was not kept');
  return row.clientId;
}
