import { chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefused } from '../start-refused.js';
import type { Binaries } from './binaries.js';
import { readConnection, requireConnection } from './connection-file.js';
import { ifMissing } from './explained.js';
import { USER } from './lease.js';
import type { Place } from './place.js';
import { lastWords, run } from './program.js';

const versionOf = (place: Place) =>
  readFile(join(place.cluster, 'PG_VERSION'), 'utf8').then((text) => text.trim(), ifMissing(undefined));

export async function clusterExists(place: Place): Promise<boolean> {
  return (await versionOf(place)) !== undefined;
}

/** Creates the database cluster if there is none. The caller must hold the exclusive claim. */
export async function requireCluster(
  place: Place,
  binaries: Binaries,
  onProgress: (message: string) => void,
): Promise<void> {
  const version = await versionOf(place);
  if (version === undefined) {
    onProgress(`Creating a PostgreSQL ${binaries.majorVersion} database in ${place.cluster}`);
    await requireConnection(place);
    return create(place, binaries);
  }
  if (version !== binaries.majorVersion) {
    throw new StartRefused(
      `The database in ${place.cluster} is of PostgreSQL ${version}, this program brings PostgreSQL ` +
        `${binaries.majorVersion}: dump it with the program that made it and restore it into a new data folder`,
    );
  }
}

/** Creates under a temporary name, so that an interrupted initdb leaves nothing that looks like a database. */
async function create(place: Place, binaries: Binaries): Promise<void> {
  await removeUnfinished(place);
  const { password } = await readConnection(place);
  const unfinished = await mkdtemp(join(place.home, 'initdb-'));
  try {
    const passwordFile = join(unfinished, 'password');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (place.account) {
      for (const path of [unfinished, passwordFile]) await chown(path, place.account.uid, place.account.gid);
    }
    const cluster = join(unfinished, 'postgres');
    const initdb = await run(place, binaries.initdb, [
      `--pgdata=${cluster}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
    ]);
    if ((await initdb.exitCode) !== 0) {
      const words = await lastWords(place, initdb.logStart);
      throw new StartRefused(`PostgreSQL could not create its database; ${words}`);
    }
    await rename(cluster, place.cluster);
    await syncFolder(place.home);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function removeUnfinished(place: Place): Promise<void> {
  for (const name of await readdir(place.home)) {
    if (!name.startsWith('initdb-')) continue;
    // An orphaned initdb may still be writing there. It fails by itself, and the next start removes the rest.
    await rm(join(place.home, name), { recursive: true, force: true }).catch(() => {});
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
