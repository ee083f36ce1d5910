import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export type Files = Record<string, string>;

export interface Verdict {
  code: number | null;
  lines: string[];
}

interface Check {
  /** The function that the script exports. */
  name: string;
  /** The least it must have read, by the names of the function and as arguments of the command. */
  minimum?: Record<string, number>;
  /** The script asks git for its files. */
  isRepository?: boolean;
}

const scriptOf = (name: string) => fileURLToPath(new URL(`../../../scripts/${name}.mjs`, import.meta.url));
const argumentOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function writeTree(files: Files): string {
  const root = mkdtempSync(path.join(tmpdir(), 'lotward-rules-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

async function inTree<T>(files: Files, check: Check, work: (root: string) => T | Promise<T>): Promise<T> {
  const root = writeTree(files);
  try {
    if (check.isRepository) spawnSync('git', ['init', '--quiet'], { cwd: root });
    return await work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A script of `npm run check`: called in this process, because a process for each tree mostly loads the compiler. */
export function rulesOf(script: string, check: Check) {
  const judge = (files: Files, minimum = check.minimum): Promise<Verdict> =>
    inTree(files, check, async (root) => (await import(scriptOf(script)))[check.name](root, minimum));
  const command = (files: Files, minimum = check.minimum ?? {}): Promise<Verdict> =>
    inTree(files, check, (root) => {
      const least = Object.entries(minimum).flatMap(([name, n]) => [argumentOf(name), `${n}`]);
      const args = [scriptOf(script), '--root', root, ...least];
      const run = spawnSync(process.execPath, args, { encoding: 'utf8' });
      return { code: run.status, lines: `${run.stdout}${run.stderr}`.trimEnd().split('\n') };
    });
  return { judge, command };
}
