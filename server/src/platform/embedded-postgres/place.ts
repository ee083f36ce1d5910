import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Account, allows, canEnter, unprivilegedAccount } from './account.js';
import { ifMissing } from './explained.js';

/** Used by root if the unprivileged account cannot reach the data folder. */
export const SYSTEM_FOLDER = '/var/lib/lotward';

export interface Place {
  dataDir: string;
  /** Contains the database: the data folder itself, or a folder below SYSTEM_FOLDER. */
  home: string;
  cluster: string;
  claims: string;
  log: string;
  /** The account that runs PostgreSQL if the process is root. */
  account: Account | undefined;
}

export async function choosePlace(folder: string): Promise<Place> {
  await mkdir(dirname(folder), { recursive: true });
  await makePrivate(folder);
  const dataDir = await realpath(folder);
  const { home, account } =
    process.getuid?.() === 0 ? await asRoot(dataDir) : { home: dataDir, account: undefined };
  return {
    dataDir,
    home,
    cluster: join(home, 'postgres'),
    claims: join(home, 'claims'),
    log: join(dataDir, 'postgres.log'),
    account,
  };
}

async function asRoot(dataDir: string): Promise<{ home: string; account: Account }> {
  const pointer = join(dataDir, 'postgres-location');
  const pointed = (await readFile(pointer, 'utf8').catch(ifMissing(''))).trim();
  // An existing database keeps its location and owner, even if the folders around it changed.
  const existing = await stat(join(pointed || dataDir, 'postgres')).catch(ifMissing(undefined));
  if (existing) return { home: pointed || dataDir, account: { uid: existing.uid, gid: existing.gid } };

  const account = await unprivilegedAccount();
  if (!pointed && (await canEnter(dirname(dataDir), account)) && (await admit(dataDir, account))) {
    return { home: dataDir, account };
  }
  const home =
    pointed || join(SYSTEM_FOLDER, createHash('sha256').update(dataDir).digest('hex').slice(0, 12));
  await makeSystemFolder();
  await makePrivate(home);
  await admit(home, account);
  await writeFile(pointer, `${home}\n`, { mode: 0o600 });
  return { home, account };
}

/** Lets the account enter the folder by changing its group, unless that would take the folder from another group. */
async function admit(folder: string, account: Account): Promise<boolean> {
  const stats = await stat(folder);
  if (allows(stats, account, 1)) return true;
  if (stats.gid !== account.gid && (stats.mode & 0o070) !== 0) return false;
  await chown(folder, stats.uid, account.gid);
  await chmod(folder, (stats.mode & 0o777) | 0o010);
  return allows(await stat(folder), account, 1);
}

async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

export async function makeSystemFolder(): Promise<void> {
  const created = await mkdir(SYSTEM_FOLDER, { recursive: true });
  // Root's umask may have made the folder private.
  if (created) await chmod(SYSTEM_FOLDER, 0o755);
}
