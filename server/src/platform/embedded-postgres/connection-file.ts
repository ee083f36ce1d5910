import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefused } from '../start-refused.js';
import { ifMissing } from './explained.js';
import { freePort } from './free-port.js';
import type { Place } from './place.js';

export interface Connection {
  port: number;
  password: string;
}

const fileOf = (place: Place) => join(place.dataDir, 'postgres.json');

/** Written before the database is created, so that no database exists whose password is unknown. */
export async function requireConnection(place: Place): Promise<void> {
  if (await readText(place)) return;
  const password = randomBytes(24).toString('base64url');
  await writeConnection(place, { port: await freePort(), password });
}

export async function readConnection(place: Place): Promise<Connection> {
  const text = await readText(place);
  try {
    const { port, password } = JSON.parse(text) as Partial<Connection>;
    if (Number.isInteger(port) && typeof password === 'string') return { port: Number(port), password };
  } catch {
    // Handled below like a file with other contents.
  }
  throw new StartRefused(
    `${fileOf(place)}, which holds the password of the database, is ${text ? 'damaged' : 'missing'}: restore ` +
      `it, or move ${place.cluster} away to begin with an empty database`,
  );
}

export async function writeConnection(place: Place, connection: Connection): Promise<void> {
  const unfinished = `${fileOf(place)}.new`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(connection)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, fileOf(place));
}

const readText = (place: Place) => readFile(fileOf(place), 'utf8').catch(ifMissing(''));
