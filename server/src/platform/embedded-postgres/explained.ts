import { StartRefused } from '../start-refused.js';

const ADVICE: Record<string, string> = {
  ENOSPC: 'the disk is full: free some space and start again',
  EDQUOT: 'the disk quota is used up: free some space and start again',
  EROFS: 'the file system is read-only: choose a data folder on one that can be written',
  EACCES: 'permission denied: give this user the folder or choose another data folder',
  EPERM: 'not permitted: give this user the folder or choose another data folder',
  ENOTDIR: 'a part of the path is a file: choose another data folder',
  EEXIST: 'a file stands where a folder is needed: choose another data folder',
};

/** Turns file-system errors into a message with a remedy; other errors are returned unchanged. */
export function explained(error: unknown, dataDir: string): Error {
  if (error instanceof StartRefused) return error;
  const { code = '', path = dataDir } = error as NodeJS.ErrnoException;
  const advice = ADVICE[code];
  if (advice) return new StartRefused(`Embedded PostgreSQL cannot use ${path}: ${advice}`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** For `.catch`: returns `value` for a missing file and rethrows every other error. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (hasCode(error, 'ENOENT')) return value;
    throw error;
  };
}
