import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { etagOf } from '../platform/http/index.js';
import { packageDirectory } from '../platform/package-directory.js';

/** Copies sent in place of a file, source maps, and the stamp of the build. */
const NOT_SERVED = /(\.(br|gz|map)|(^|\/)\.[^/]*)$/;

/** The console as it was built, read at start: no request turns a path into one on the disk. */
export interface ConsoleFiles {
  has(path: string): boolean;
  /** The tag of the file on disk, so that each encoding has its own. */
  etagOf(file: string): string | undefined;
}

/** Where the built console lies: beside the built server, or where it is developed. Null: it was not built. */
export function builtConsole(): string | null {
  const places = ['dist/console', '../console/dist'].map((place) => join(packageDirectory, place));
  return places.find((place) => existsSync(join(place, 'index.html'))) ?? null;
}

export function readConsoleFiles(directory: string): ConsoleFiles {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const etags = new Map(files.map((file) => [file, etagOf(readFileSync(file))]));
  const paths = files.map((file) => `/${relative(directory, file).split(sep).join('/')}`);
  const served = new Set(paths.filter((path) => !NOT_SERVED.test(path)));
  return { has: (path) => served.has(path), etagOf: (file) => etags.get(file) };
}
