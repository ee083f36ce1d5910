// Compiles what is newer than what was built of it; the launcher does so too.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const server = dirname(dirname(fileURLToPath(import.meta.url)));
const beside = (name) => join(server, '..', name);
// Looked up only to build: an installation without the packages for development has no compiler, and needs none.
const compiler = () => createRequire(import.meta.url).resolve('typescript/bin/tsc');
const compile = (root) => [compiler(), '-p', join(root, 'tsconfig.build.json')];
/** In the order in which they need each other. A package that came ready from a registry has no src/ and stays as it is. */
const packages = [
  { root: beside('udi'), commands: [compile] },
  { root: beside('client'), commands: [compile] },
  { root: server, commands: [compile, (root) => [join(root, 'bin/bundle.mjs')]] },
  { root: beside('console'), commands: [(root) => [join(root, 'build.mjs')]] },
];

const stampOf = (root) => join(root, 'dist', '.built');

function isPackageStale({ root }) {
  const src = join(root, 'src');
  if (!existsSync(src)) return false;
  if (!existsSync(stampOf(root))) return true;
  const builtAt = statSync(stampOf(root)).mtimeMs;
  return readdirSync(src, { recursive: true, withFileTypes: true }).some(
    (entry) =>
      entry.isFile() &&
      !entry.name.endsWith('.test.ts') &&
      statSync(join(entry.parentPath, entry.name)).mtimeMs > builtAt,
  );
}

export const isStale = () => packages.some(isPackageStale);

export function build() {
  for (const { root, commands } of packages.filter(isPackageStale)) {
    const startedAt = new Date();
    for (const command of commands) {
      const run = spawnSync(process.execPath, command(root), { encoding: 'utf8' });
      if (run.status !== 0) throw new Error(`The build failed:\n${run.stdout}${run.stderr}`);
    }
    // A source changed while the compiler ran is still newer than the stamp.
    writeFileSync(stampOf(root), '');
    utimesSync(stampOf(root), startedAt, startedAt);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    build();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
