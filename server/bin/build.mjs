// Compiles src/ into dist/. Also used by the launcher when the sources are newer than what was built.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built');

export function isStale() {
  const src = join(root, 'src');
  if (!existsSync(src)) return false;
  if (!existsSync(stamp)) return true;
  const builtAt = statSync(stamp).mtimeMs;
  return readdirSync(src, { recursive: true, withFileTypes: true }).some(
    (entry) =>
      entry.isFile() &&
      !entry.name.endsWith('.test.ts') &&
      statSync(join(entry.parentPath, entry.name)).mtimeMs > builtAt,
  );
}

export function build() {
  const startedAt = new Date();
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`The build failed:\n${run.stdout}${run.stderr}`);
  // A source changed while the compiler ran is still newer than the stamp.
  writeFileSync(stamp, startedAt.toISOString());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (!process.argv.includes('--if-stale') || isStale()) build();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
