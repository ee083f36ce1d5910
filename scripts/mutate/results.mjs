/* Results so far, kept in a file so that an interrupted run can resume. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const digest = (texts) => createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);

/** Good only while the file that has the line and the test are as they were: what changed is found out again. */
export function openResults(root, file, resume) {
  const kept =
    resume && existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : { caught: {}, reach: {}, seconds: 0 };
  const before = kept.seconds;
  const started = performance.now();
  const keyOf = (files) =>
    digest(files.map((each) => (existsSync(join(root, each)) ? readFileSync(join(root, each), 'utf8') : '')));
  const seconds = () => before + (performance.now() - started) / 1000;
  const save = () => writeFileSync(file, JSON.stringify({ ...kept, seconds: seconds() }, null, 1));
  return {
    caughtBefore(mutant) {
      const entry = kept.caught[mutant.id];
      return entry && entry.key === keyOf([mutant.file, entry.test]) ? entry : null;
    },
    keepCaught(mutant, { by, test }) {
      kept.caught[mutant.id] = { by, test, key: keyOf([mutant.file, test]) };
      save();
    },
    /** `files`: all in which lines are taken away. */
    reachOf(test, files) {
      const entry = kept.reach[test];
      return entry?.key === keyOf([test, ...files]) && !entry.failed ? entry : null;
    },
    keepReach(test, files, found) {
      kept.reach[test] = { ...found, key: keyOf([test, ...files]) };
      save();
    },
    /** The total of all runs that led to this result. */
    seconds,
  };
}
