import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirectory } from '../platform/package-directory.js';

/** A request body that was sent, and the response to it. Long lists are cut. */
interface Example {
  request?: unknown;
  response: unknown;
}

/** By operation. Recorded from the running service by the tests, which also notice when one is out of date. */
export const readExamples = (): Record<string, Example> =>
  JSON.parse(readFileSync(join(packageDirectory, 'examples.json'), 'utf8'));
