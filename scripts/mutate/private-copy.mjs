/* A copy of the tree in which lines are taken away and tests are run; the tree itself is never touched. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { groupedBy } from './grouped.mjs';

const LEFT_OUT = /(^|\/)(node_modules|\.git|coverage)(\/|$)/;

export function openCopy(root) {
  const path = mkdtempSync(join(tmpdir(), 'lotward-mutants-'));
  cpSync(root, path, { recursive: true, filter: (from) => !LEFT_OUT.test(relative(root, from)) });
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  const originals = new Map();
  return {
    path,
    /** Takes lines away, one of each place in a file at most. */
    remove(mutants) {
      for (const [file, own] of groupedBy(mutants, (mutant) => mutant.file)) {
        if (!originals.has(file)) originals.set(file, readFileSync(join(path, file), 'utf8'));
        let text = originals.get(file);
        for (const { start, end, text: instead } of own.toSorted((a, b) => b.start - a.start))
          text = text.slice(0, start) + instead + text.slice(end);
        writeFileSync(join(path, file), text);
      }
      // The tests read the sources; what was built stays good for the few that start the program.
      const later = new Date(Date.now() + 24 * 3_600_000);
      utimesSync(join(path, 'server/dist/.built'), later, later);
    },
    /** Puts everything back, and says in which files. */
    restore() {
      for (const [file, text] of originals) writeFileSync(join(path, file), text);
      return [...originals.keys()];
    },
    close: () => rmSync(path, { recursive: true, force: true }),
  };
}
