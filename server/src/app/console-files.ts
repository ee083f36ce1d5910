import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { etagOf } from '../platform/http/index.js';
import { packageDirectory } from '../platform/package-directory.js';

/** Compressed copies, which are sent in place of their file, source maps, and the stamp of the build. */
const NOT_SERVED = /(\.(br|gz|map)|(^|\/)\.[^/]*)$/;

/** The built console, listed at start, so that no request is turned into a path on disk. */
export interface ConsoleFiles {
  has(path: string): boolean;
  /** The tag of the file on disk, so that each encoding has its own. */
  etagOf(file: string): string | undefined;
}

/** The folder of the built console: next to the built server, or in the source tree. Null if it was not built. */
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
