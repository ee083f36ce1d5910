import { randomBytes } from 'node:crypto';
import { insertInstanceValue, type Pool, readInstanceValue } from '../../platform/database/index.js';

const KEY = 'mqtt client';

/** The name under which the broker knows this installation, the same for all of its workers. */
export async function keptClientId(app: Pool): Promise<string> {
  // Twenty characters, because every broker must accept up to 23.
  await insertInstanceValue(app, KEY, `lotward-${randomBytes(6).toString('hex')}`);
  const clientId = await readInstanceValue<string>(app, KEY);
  if (clientId === null) throw new Error('the MQTT client id was not saved');
  return clientId;
}
