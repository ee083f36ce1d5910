import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package, whether the code runs from source or from a bundle. */
export const packageDirectory = above(fileURLToPath(import.meta.url));

export const packageVersion: string = JSON.parse(
  readFileSync(join(packageDirectory, 'package.json'), 'utf8'),
).version;

function above(path: string): string {
  const directory = dirname(path);
  return existsSync(join(directory, 'package.json')) ? directory : above(directory);
}
