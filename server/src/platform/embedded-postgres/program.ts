import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { StartRefused } from '../start-refused.js';
import { ifMissing } from './explained.js';
import type { Place } from './place.js';

const LOG_BYTES_MAX = 10_000_000;

export interface Running {
  process: ChildProcess;
  exitCode: Promise<number | null>;
  /** The offset in the log at which its output begins. */
  logStart: number;
}

/**
 * Runs one of PostgreSQL's programs with its output in the log, in its own session: a Ctrl-C in the terminal or a signal to our
 * process group must not stop the database before open requests are finished.
 */
export async function run(place: Place, program: string, args: string[]): Promise<Running> {
  const size = (await stat(place.log).catch(ifMissing(undefined)))?.size ?? 0;
  const full = size > LOG_BYTES_MAX;
  if (full) await rename(place.log, `${place.log}.1`);
  const log = await open(place.log, 'a', 0o600);
  try {
    const child = spawn(program, args, {
      detached: true,
      cwd: '/',
      // A minimal environment, without PGPORT, PGOPTIONS, LANG and the like.
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log.fd, log.fd],
      ...(place.account && { uid: place.account.uid, gid: place.account.gid }),
    });
    const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await once(child, 'spawn');
    return { process: child, exitCode, logStart: full ? 0 : size };
  } catch (error) {
    const as = place.account ? ` as user ${place.account.uid}` : '';
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartRefused(`${program} could not be run${as}: ${reason}`, { cause: error });
  } finally {
    await log.close();
  }
}

/** The last lines of the log, for errors that only it explains. */
export async function lastWords(place: Place, logStart = 0): Promise<string> {
  const log = await readFile(place.log).catch(ifMissing(Buffer.of()));
  const tail = log.subarray(logStart).toString('utf8').trimEnd().split('\n').slice(-8).join('\n');
  const full = /No space left on device|free disk space/.test(tail);
  return `${full ? 'the disk is full: free some space; ' : ''}${place.log} ends with:\n${tail}`;
}
